import { type Baseline, type BaselinePlace, embedRecord, sha256 } from '../baselines/index.js';
import { type EncodedImage, nameShot, type ShotRecord, shotKey } from '../model/index.js';
import { clampExclusions, ownShare } from '../shot/index.js';

/** The data that an approval depends on. */
export interface ApprovalObservation {
  readonly shot: ShotRecord;
  readonly isNamed: boolean;
  /** The location of the baseline; null if the shot has none. */
  readonly place: BaselinePlace | null;
  /** The current baseline on the disk; null if it was not read. */
  readonly now: Baseline | null;
  /** The after image of the report, read as a baseline; null if the report has none. */
  readonly after: Baseline | null;
  /** Whether the report is from this project, or the folder contains baselines of this project. */
  readonly isKnownFolder: boolean;
  /** Whether the report is from this project, so that its paths are those of Playwright on this machine. */
  readonly isOwnReport: boolean;
}

export interface ApprovedImage {
  readonly kind: 'write';
  readonly path: string;
  readonly bytes: Buffer;
  readonly image: EncodedImage;
  /** The share of its pixels that are compared. */
  readonly compared: number;
}

/** Why nothing is written. `done`: it is decided all the same. `kept`: there is nothing to decide. */
export interface Unwritten {
  readonly kind: 'done' | 'kept' | 'refused';
  readonly why: string;
}

/**
 * Decides whether a shot can be approved.
 *
 * @param force skips all checks of the file on the disk and of its folder.
 */
export function judgeApproval(observed: ApprovalObservation, force: boolean): ApprovedImage | Unwritten {
  const { shot, isNamed } = observed;
  switch (shot.status) {
    case 'passed':
      return kept('the shot passed');
    case 'skipped':
      return refused('the shot was skipped, so it has no screenshot');
    case 'error':
      return refused(`the shot has an error: ${shot.reason ?? 'no result'}`);
    case 'unstable':
      return refused('the page did not become stable, so no screenshot can be the baseline');
    case 'changed':
    case 'new':
      if (shot.decision === 'rejected' && !isNamed) return refused('the shot was rejected; pass its ID to approve it');
      return judgeImage(observed, force);
    default:
      return shot.status satisfies never;
  }
}

function judgeImage(observed: ApprovalObservation, force: boolean): ApprovedImage | Unwritten {
  const { shot, place, now, after } = observed;
  const { baseline } = shot;
  if (!baseline || !place) return kept('a two-state shot has no baseline');
  if (place.kind === 'outside') return refused(`the baseline path of the run is ${baseline.path}, but ${place.why}`);
  if (shot.written) return kept('the run already wrote the baseline');
  if (after?.kind === 'damaged' && after.error.code === 'image-too-large') return refused(after.error.message);
  if (after?.kind !== 'image')
    return refused('the report has no complete after image of the shot; run the tests again');
  const { image, record, structure } = after;
  if (!record) return refused('the after image has no embedded baseline record; run the tests again');
  if (shotKey(record) !== shotKey(shot)) return refused(`the after image in the report belongs to ${nameShot(record)}`);
  if (after.sha256 !== shot.after?.sha256) return refused(ALTERED);
  const masks = clampExclusions(record.masks, image.size);
  const ignored = clampExclusions(record.ignored, image.size);
  const bytes = embedRecord(image.bytes, { ...record, masks, ignored }, baseline.path, structure);
  if (now?.kind === 'image' && now.sha256 === sha256(bytes))
    return { kind: 'done', why: 'the baseline already equals the after image' };
  const reason = force ? null : (mismatchReason(shot, baseline.sha256, now) ?? untrustedPathReason(observed));
  if (reason !== null) return refused(reason);
  return { kind: 'write', path: place.path, bytes, image, compared: ownShare({ ...record, image }) };
}

/** Returns the reason why the file on the disk must not be replaced, or null. */
function mismatchReason(shot: ShotRecord, comparedSha256: string | null, now: Baseline | null): string | null {
  if (now?.kind === 'damaged') return `${now.error.problem.found}; the run compared with another file (${RUN_AGAIN})`;
  if (now?.kind === 'image' && now.record && shotKey(now.record) !== shotKey(shot)) {
    return `the file on disk is the baseline of ${nameShot(now.record)} (${RUN_AGAIN})`;
  }
  const found = now?.kind === 'image' ? now.sha256 : null;
  if (found === comparedSha256) return null;
  if (found === null) return `the run compared with a baseline, but the file does not exist (${RUN_AGAIN})`;
  return comparedSha256 === null
    ? `the run had no baseline, but the file exists now (${RUN_AGAIN})`
    : `the baseline on disk is not the one that the run compared with (${RUN_AGAIN})`;
}

/** Returns the reason why the path may not be that of a baseline, or null. A report from elsewhere can name any file. */
function untrustedPathReason({ now, isKnownFolder, isOwnReport }: ApprovalObservation): string | null {
  if (!isOwnReport && now?.kind === 'image' && !now.record) {
    return 'the file on disk has no embedded baseline record, so it may not be a baseline (use --force to replace it)';
  }
  return isKnownFolder ? null : 'the folder contains no baseline of this project (use --force to write there)';
}

const ALTERED =
  'the after image in the report is not the file that the run wrote (its SHA-256 is another one); run the tests again, or get the report again';

const RUN_AGAIN = 'run the tests again, or use --force';

function kept(why: string): Unwritten {
  return { kind: 'kept', why };
}

function refused(why: string): Unwritten {
  return { kind: 'refused', why };
}

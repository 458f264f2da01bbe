import { type Baseline, carryRecord, sha256 } from '../../baselines/baseline.js';
import type { BaselinePlace } from '../../baselines/baseline-path.js';
import type { BaselineRecord } from '../../model/environment.js';
import type { Size } from '../../model/image.js';
import { nameShot } from '../../model/plain-text.js';
import type { ShotRecord } from '../../model/run-record.js';
import { clampExclusions, ownShare } from '../shot/excluded-areas.js';

/** All that an approval depends on. */
export interface ApprovalEvidence {
  readonly shot: ShotRecord;
  /** By its own name, and not among others. */
  readonly isNamed: boolean;
  /** Null: the shot has no baseline. */
  readonly place: BaselinePlace | null;
  /** What lies there now; null where nobody looked. */
  readonly now: Baseline | null;
  /** The after image out of the report, read as the baseline that it is to be; null where the report has none. */
  readonly after: Baseline | null;
  /** The report is this project's own, or the place is a folder in which this project keeps baselines. */
  readonly isKnownFolder: boolean;
  /** The report is this project's own: it names files as Playwright named them here. */
  readonly isOwnReport: boolean;
}

/** What becomes of a shot that somebody wants approved. */
export type Approval =
  | { readonly kind: 'write'; readonly path: string; readonly bytes: Buffer; readonly compared: number }
  /** Its baseline is what was shown already. */
  | { readonly kind: 'done'; readonly why: string }
  /** There is nothing to be approved. */
  | { readonly kind: 'kept'; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Decides what becomes of a shot that somebody wants approved.
 *
 * @param force also replaces a baseline that is not the one the run compared with, and a file of which it is not known that it is one.
 */
export function judgeApproval(evidence: ApprovalEvidence, force: boolean): Approval {
  const { shot, isNamed } = evidence;
  switch (shot.status) {
    case 'passed':
      return kept('it passed: its baseline is not touched');
    case 'skipped':
      return refused('it was skipped: there is no image of it');
    case 'error':
      return refused(`it is an error: ${shot.reason ?? 'it could not be judged'}`);
    case 'unstable':
      return refused('it is unstable: the page did not become stable, and an image of it would be one of many');
    case 'changed':
    case 'new':
      if (shot.decision === 'rejected' && !isNamed)
        return refused('it was rejected: name it to approve it all the same');
      return judgeImage(evidence, force);
    default:
      return shot.status satisfies never;
  }
}

function judgeImage(evidence: ApprovalEvidence, force: boolean): Approval {
  const { shot, place, now, after } = evidence;
  if (!shot.baseline || !place) return kept('it is a two-state shot: it has no baseline');
  if (place.kind === 'outside') return refused(`the run names ${shot.baseline.path} as its baseline: ${place.why}`);
  if (shot.written) return kept('the run itself wrote its baseline');
  if (after?.kind === 'damaged' && after.error.code === 'image-too-large') return refused(after.error.message);
  if (after?.kind !== 'image') return refused('the report does not have its image, or not a whole one: run it again');
  const { image, record } = after;
  if (!record) return refused('its image carries no record of what it was made with: run it again');
  if (!isOf(record, shot)) return refused(`its image in the report is one of ${nameShot(record)}`);
  const bytes = carryRecord(image.bytes, clampRecord(record, image.size), shot.baseline.path);
  if (now?.kind === 'image' && now.sha256 === sha256(bytes))
    return { kind: 'done', why: 'its baseline is this image already' };
  const doubt = force ? null : (doubtOf(shot, shot.baseline.sha256, now) ?? strangeness(evidence));
  if (doubt !== null) return refused(doubt);
  return { kind: 'write', path: place.path, bytes, compared: ownShare({ ...record, image }) };
}

/** Says why what lies on the disk may not be replaced. */
function doubtOf(shot: ShotRecord, compared: string | null, now: Baseline | null): string | null {
  if (now?.kind === 'damaged') return `${now.error.problem.found} now, and not what the run compared with (${MEND})`;
  if (now?.kind === 'image' && now.record && !isOf(now.record, shot)) {
    return `the file on the disk is the baseline of ${nameShot(now.record)} (${MEND})`;
  }
  const found = now?.kind === 'image' ? now.sha256 : null;
  if (found === compared) return null;
  if (found === null) return `the run compared with a baseline that is not on the disk (${MEND})`;
  return compared === null
    ? `there is a baseline on the disk, and the run had none (${MEND})`
    : `the baseline on the disk is not the one that the run compared with (${MEND})`;
}

/** Says why the place may not be one of a baseline: a report from elsewhere may name any file of the project. */
function strangeness({ now, isKnownFolder, isOwnReport }: ApprovalEvidence): string | null {
  if (!isOwnReport && now?.kind === 'image' && !now.record) {
    return 'the file on the disk carries no record of proofsheet, it may be no baseline (--force replaces it)';
  }
  return isKnownFolder ? null : 'its folder holds no baseline of this project (--force writes it there)';
}

const MEND = 'run again, or --force';

function isOf(record: BaselineRecord, { id, project }: ShotRecord): boolean {
  return record.id === id && record.project === project;
}

function clampRecord(record: BaselineRecord, size: Size): BaselineRecord {
  return {
    ...record,
    masks: clampExclusions(record.masks, size),
    ignored: clampExclusions(record.ignored, size),
  };
}

function kept(why: string): Approval {
  return { kind: 'kept', why };
}

function refused(why: string): Approval {
  return { kind: 'refused', why };
}

import { readFile } from 'node:fs/promises';
import {
  type Baseline,
  baselinePathOf,
  embedRecord,
  findImage,
  readBaseline,
  sha256,
  writeBaseline,
} from '../baselines/index.js';
import { decodeImage } from '../image/index.js';
import { nameShot, ProofsheetError, type Replaced, type ShotRecord, shotKey } from '../model/index.js';
import { isOwnReport, type ProjectFolders } from '../run/index.js';
import { clampExclusions, ownShare } from '../shot/index.js';
import type { ChosenShot } from './choose-shots.js';
import { type Exchange, exchange, keepFile, reverse } from './journal.js';

/** The result of a decision on one shot. `done`: nothing is written, but it is decided. `kept`: there is nothing to decide. */
type ShotResult =
  | { readonly kind: 'written'; readonly replaced: Exchange; readonly compared: number }
  | { readonly kind: 'done' | 'kept' | 'refused'; readonly why: string };

interface ApprovalRules {
  /** Skips all checks of the files on the disk and of their folders. */
  readonly force: boolean;
  readonly isKnownFolder: (path: string) => Promise<boolean>;
}

/**
 * Copies the after image of a shot to the path of its baseline: completely, or not at all. An error of the image or of the disk is a refusal.
 * The file that is replaced is kept in the journal.
 */
export async function approve(
  places: ProjectFolders,
  { shot, isNamed }: ChosenShot,
  rules: ApprovalRules,
): Promise<ShotResult> {
  const why = unapprovable(shot, isNamed);
  if (why !== null) return why;
  try {
    return await writeAfterImage(places, shot, rules);
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    return refused(error.message);
  }
}

function unapprovable({ status, reason, decision }: ShotRecord, isNamed: boolean): ShotResult | null {
  switch (status) {
    case 'passed':
      return kept('the shot passed');
    case 'skipped':
      return refused('the shot was skipped, so it has no screenshot');
    case 'error':
      return refused(`the shot has an error: ${reason ?? 'no result'}`);
    case 'unstable':
      return refused('the page did not become stable, so no screenshot can be the baseline');
    case 'changed':
    case 'new':
      return decision === 'rejected' && !isNamed ? refused('the shot was rejected; pass its ID to approve it') : null;
    default:
      return status satisfies never;
  }
}

async function writeAfterImage(
  places: ProjectFolders,
  shot: ShotRecord,
  { force, isKnownFolder }: ApprovalRules,
): Promise<ShotResult> {
  const { baseline, written } = shot;
  if (!baseline) return kept('a two-state shot has no baseline');
  const { path: shownPath, sha256: comparedSha256 } = baseline;
  const place = await baselinePathOf(places, shownPath);
  if (place.kind === 'outside') return refused(`the baseline path of the run is ${shownPath}, but ${place.why}`);
  if (written) return kept('the run already wrote the baseline');
  const link = shot.after?.link ?? '';
  const found = await findImage(places.folder, link);
  const after = found === null ? null : await readBaseline(found, place.format, link);
  if (after?.kind === 'damaged' && after.error.code === 'image-too-large') return refused(after.error.message);
  if (after?.kind !== 'image')
    return refused('the report has no complete after image of the shot; run the tests again');
  const { image, record, structure } = after;
  if (!record) return refused('the after image has no embedded baseline record; run the tests again');
  if (shotKey(record) !== shotKey(shot)) return refused(`the after image in the report belongs to ${nameShot(record)}`);
  if (after.sha256 !== shot.after?.sha256) return refused(ALTERED);
  const masks = clampExclusions(record.masks, image.size);
  const ignored = clampExclusions(record.ignored, image.size);
  const bytes = embedRecord(image.bytes, { ...record, masks, ignored }, shownPath, structure);
  const now = await readBaseline(place.path, place.format, shownPath);
  if (now.kind === 'image' && now.sha256 === sha256(bytes))
    return { kind: 'done', why: 'the baseline already equals the after image' };
  const mismatch = force ? null : mismatchReason(shot, comparedSha256, now);
  if (mismatch !== null) return refused(mismatch);
  // A report from elsewhere can name any file.
  if (!force && !isOwnReport(places)) {
    if (now.kind === 'image' && !now.record) return refused(NO_RECORD);
    if (!(await isKnownFolder(place.path))) return refused(UNKNOWN_FOLDER);
  }
  // A damaged image could be compared with nothing. To decode it throws.
  await decodeImage({ ...image, bytes }, link);
  // Any file: with `force`, a damaged one is replaced, too.
  const old = now.kind === 'missing' ? null : await readFile(place.path).catch(() => null);
  // In a report that cannot be written, the decision cannot be undone.
  const before = old && (await keepFile(places.folder, old).catch(() => sha256(old)));
  const replaced = { path: shownPath, before, after: await writeBaseline(place.path, bytes, shownPath) };
  return { kind: 'written', replaced, compared: ownShare({ ...record, image }) };
}

function mismatchReason(shot: ShotRecord, comparedSha256: string | null, now: Baseline): string | null {
  if (now.kind === 'image' && now.record && shotKey(now.record) !== shotKey(shot)) {
    return `the file on disk is the baseline of ${nameShot(now.record)} (${RUN_AGAIN})`;
  }
  const isCompared = now.kind === 'image' ? now.sha256 === comparedSha256 : now.kind === 'missing' && !comparedSha256;
  return isCompared ? null : `the baseline on disk is not the one that the run compared with (${RUN_AGAIN})`;
}

const RUN_AGAIN = 'run the tests again, or use --force';
const ALTERED =
  'the after image in the report is not the file that the run wrote (its SHA-256 is another one); run the tests again, or get the report again';
const NO_RECORD =
  'the file on disk has no embedded baseline record, so it may not be a baseline (use --force to replace it)';
const UNKNOWN_FOLDER = 'the folder contains no baseline of this project (use --force to write there)';

/** Marks a shot as rejected. Restores the baseline of an approved one. @param earlier - what the decisions on the run replaced */
export async function reject(
  places: ProjectFolders,
  shot: ShotRecord,
  earlier: readonly Replaced[],
): Promise<ShotResult> {
  const { status, written, decision, compared } = shot;
  if (status === 'passed' || status === 'skipped') {
    return refused(`the status is ${status}, so there is nothing to reject`);
  }
  const approval = earlier.findLast((one) => shotKey(one) === shotKey(shot) && one.baseline)?.baseline;
  if (written || (decision === 'approved' && !approval)) {
    return refused('the baseline is already written; restore it from version control');
  }
  if (decision !== 'approved' || !approval) return { kind: 'done', why: 'the shot is marked as rejected' };
  // The approved file is kept, so that the decision can be undone.
  const place = await baselinePathOf(places, approval.path);
  const approved = place.kind === 'inside' ? await readFile(place.path).catch(() => null) : null;
  const kept = approved && (await keepFile(places.folder, approved).catch(() => null));
  if (kept === null) return refused('the baseline cannot be kept, so it is not restored');
  const replaced = reverse(approval);
  const failure = await exchange(places, shot, replaced);
  return failure ? refused(failure.why) : { kind: 'written', replaced, compared: compared ?? 1 };
}

function kept(why: string): ShotResult {
  return { kind: 'kept', why };
}

function refused(why: string): ShotResult {
  return { kind: 'refused', why };
}

import { readFile } from 'node:fs/promises';
import {
  baselinePathOf,
  createFolderCheck,
  findImage,
  lockReport,
  REPORT_FOLDER,
  readBaseline,
  readRun,
  writeBaseline,
} from '../baselines/index.js';
import { decodeImage, drawPdf } from '../image/index.js';
import {
  type Decided,
  type Decision,
  nameShot,
  ProofsheetError,
  type RunRecord,
  renderPlain,
  type ShotRecord,
} from '../model/index.js';
import { renderEnvironmentNotices } from '../report/index.js';
import { type Amended, amendRun, type ProjectFolders, readCommit, sweepLeftovers } from '../run/index.js';
import { type ChosenShot, shotKey } from './choose-shots.js';
import { type ApprovalObservation, judgeApproval, type Unwritten } from './judge-approval.js';
import { findLaterRun, isOwnReport, warnOfLaterRun } from './read-report.js';

/** A decision of a reviewer, and the shots that it applies to. */
export interface ShotDecision {
  readonly decision: Decision;
  readonly choose: (run: RunRecord) => readonly ChosenShot[];
  /** Skips all checks of the files on the disk and of their folders. */
  readonly force: boolean;
  /** Called for each decided shot with the state that the decision replaced, to undo it. */
  readonly onReplaced?: ((replaced: Replaced) => void) | undefined;
}

/** The state that a decision on one shot replaced. */
export interface Replaced {
  readonly id: string;
  readonly project: string;
  readonly decision: Decision | null;
  /** The baseline that was written; null if none was. */
  readonly baseline: ReplacedBaseline | null;
}

/** A baseline that a decision wrote, and the file that it replaced. */
export interface ReplacedBaseline {
  readonly path: string;
  readonly sha256: string;
  /** Content of the replaced file; null if there was none. */
  readonly before: Buffer | null;
}

/**
 * Approves or rejects shots of a finished run, while no other process changes its report, in these steps:
 *
 * 1. Reads the run, and selects its shots. Nothing is approved if a later run of the project wrote no report.
 * 2. {@link approveAll} or {@link reject} decides on each shot. An approved after image is checked and copied to the path of the baseline,
 *    each baseline completely or not at all. An error of one shot is its result; the other shots are still processed.
 * 3. {@link recordDecision} stores the decision in the report.
 * 4. {@link sweepLeftovers} removes temporary files of killed processes.
 * 5. {@link listWarnings} collects warnings about the run, and {@link sortResults} sorts the results.
 *
 * @throws ProofsheetError `run-missing`, `record-invalid`, `lock-held`, `command-invalid` after a later run, and the errors of `choose`
 */
export function applyDecision(places: ProjectFolders, decision: ShotDecision): Promise<Decided> {
  return lockReport(places.folder, () => decide(places, decision));
}

async function decide(places: ProjectFolders, { decision, choose, force, onReplaced }: ShotDecision): Promise<Decided> {
  const run = await readRun(places.folder);
  const laterRun = await findLaterRun(places, run);
  // A downloaded report is often older than the last local run.
  if (laterRun !== null && isOwnReport(places) && decision === 'approved' && !force) throw outdated(laterRun);
  const chosen = choose(run);
  const settings = { force, keepsOld: onReplaced !== undefined };
  const results = decision === 'approved' ? await approveAll(places, run, chosen, settings) : chosen.map(reject);
  const decided = results.filter(({ result }) => result.kind === 'written' || result.kind === 'done');
  for (const { shot, result } of decided) {
    const baseline = result.kind === 'written' ? result.replaced : null;
    onReplaced?.({ id: shot.id, project: shot.project, decision: shot.decision, baseline });
  }
  const { record, failure } = await recordDecision(places.folder, run, decided, decision);
  await sweepLeftovers(places, run);
  const written = results.filter(({ result }) => result.kind === 'written').map(({ shot }) => shot);
  const warnings = [
    ...(laterRun === null ? [] : [warnOfLaterRun(laterRun)]),
    ...(written.length > 0 ? await listWarnings(places.root, run, written) : []),
    // The baselines are not restored if the report cannot be written.
    ...(failure === null ? [] : [`the report was not fully updated: ${failure}`]),
  ];
  return { ...sortResults(results), warnings, record };
}

function outdated(laterRun: string): ProofsheetError {
  return new ProofsheetError({
    code: 'command-invalid',
    where: REPORT_FOLDER,
    found: laterRun,
    advice: 'Run the tests again with proofsheet/reporter, or approve the older screenshots with --force.',
  });
}

interface Written {
  readonly kind: 'written';
  readonly replaced: ReplacedBaseline;
  readonly compared: number;
}

interface ShotResult {
  readonly shot: ShotRecord;
  readonly result: Written | Unwritten;
}

interface ApprovalSettings extends Pick<ShotDecision, 'force'> {
  /** Whether to read the replaced files, to undo the approval. These are all old baselines of a run. */
  readonly keepsOld: boolean;
}

async function approveAll(
  places: ProjectFolders,
  run: RunRecord,
  chosen: readonly ChosenShot[],
  settings: ApprovalSettings,
): Promise<ShotResult[]> {
  const isOwn = isOwnReport(places);
  const isKnownFolder = createFolderCheck(places, run);
  const results: ShotResult[] = [];
  for (const one of chosen) {
    const observed = await observeSides(places, one, isOwn);
    const isKnown = isOwn || (observed.place?.kind === 'inside' && (await isKnownFolder(observed.place.path)));
    results.push(await approve({ ...observed, isKnownFolder: isKnown }, settings));
  }
  return results;
}

async function observeSides(
  places: ProjectFolders,
  { shot, isNamed }: ChosenShot,
  isOwnReport: boolean,
): Promise<Omit<ApprovalObservation, 'isKnownFolder'>> {
  const place = shot.baseline && (await baselinePathOf(places, shot.baseline.path));
  const observed = { shot, isNamed, isOwnReport, place, now: null, after: null };
  if (!shot.baseline || place?.kind !== 'inside') return observed;
  const link = shot.after?.link ?? '';
  const image = await findImage(places.folder, link);
  const now = await readBaseline(place.path, place.format, shot.baseline.path);
  return { ...observed, now, after: image === null ? null : await readBaseline(image, place.format, link) };
}

async function approve(observed: ApprovalObservation, { force, keepsOld }: ApprovalSettings): Promise<ShotResult> {
  const { shot, now } = observed;
  const shownPath = shot.baseline?.path ?? '';
  const link = shot.after?.link ?? '';
  try {
    const approval = judgeApproval(observed, force);
    if (approval.kind !== 'write') return { shot, result: approval };
    const { path, bytes, image, compared } = approval;
    // A damaged image could be compared with nothing. To decode it throws.
    if (image.codec === 'pdf') await drawPdf({ ...image, bytes }, link);
    else await decodeImage({ ...image, bytes }, link);
    const before = keepsOld && now?.kind === 'image' ? await readFile(path) : null;
    const sha256 = await writeBaseline(path, bytes, shownPath);
    return { shot, result: { kind: 'written', replaced: { path: shownPath, sha256, before }, compared } };
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    return { shot, result: { kind: 'refused', why: error.message } };
  }
}

function reject({ shot }: ChosenShot): ShotResult {
  if (shot.status === 'passed' || shot.status === 'skipped') {
    return { shot, result: { kind: 'refused', why: `the status is ${shot.status}, so there is nothing to reject` } };
  }
  if (shot.decision === 'approved' || shot.written) {
    const why = 'the baseline is already written; restore it from version control';
    return { shot, result: { kind: 'refused', why } };
  }
  return { shot, result: { kind: 'done', why: 'the shot is marked as rejected' } };
}

async function recordDecision(
  folder: string,
  run: RunRecord,
  decided: readonly ShotResult[],
  decision: Decision,
): Promise<Amended> {
  if (decided.length === 0) return { record: run, failure: null };
  const keys = new Set(decided.map(({ shot }) => shotKey(shot)));
  return amendRun(folder, run, (now) => ({
    ...now,
    shots: now.shots.map((shot) => (keys.has(shotKey(shot)) ? { ...shot, decision } : shot)),
  }));
}

function sortResults(results: readonly ShotResult[]): Pick<Decided, 'written' | 'kept' | 'refused'> {
  const sorted: Pick<Decided, 'written' | 'kept' | 'refused'> = { written: [], kept: [], refused: [] };
  for (const { shot, result } of results) {
    const { project, id } = shot;
    if (result.kind === 'written')
      sorted.written.push({ project, id, path: result.replaced.path, compared: result.compared });
    else sorted[result.kind === 'refused' ? 'refused' : 'kept'].push({ project, id, reason: result.why });
  }
  return sorted;
}

async function listWarnings(root: string, { run }: RunRecord, written: readonly ShotRecord[]): Promise<string[]> {
  const commit = run.commit === null ? null : await readCommit(root);
  // This is only a warning, because the report of a pull request is of its merge commit.
  const isOther = run.commit !== null && commit !== null && run.commit !== commit;
  const [ofRun, here] = [run.commit, commit].map((name) => renderPlain(name?.slice(0, 12) ?? ''));
  return [
    ...(isOther ? [`the run is from commit ${ofRun}, but this folder is at commit ${here}`] : []),
    ...(run.complete ? [] : ['the run has shots without a result']),
    ...written
      .filter(({ flaky }) => flaky)
      .map((shot) => `${nameShot(shot)} is flaky: another attempt had a different status`),
    ...renderEnvironmentNotices(written).map(renderPlain),
  ];
}

import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  baselinePathOf,
  createFolderCheck,
  findImage,
  lockReport,
  REPORT_FOLDER,
  readBaseline,
  readRun,
  sha256,
  writeBaseline,
} from '../baselines/index.js';
import { decodeImage } from '../image/index.js';
import {
  type Decided,
  type Decision,
  invalidCommand,
  nameShot,
  ProofsheetError,
  type Replaced,
  type RunRecord,
  renderPlain,
  type ShotRecord,
  shotKey,
} from '../model/index.js';
import { renderEnvironmentNotices } from '../report/index.js';
import {
  amendRun,
  isOwnReport,
  type ProjectFolders,
  readCommit,
  readUserName,
  storeRejections,
  sweepLeftovers,
} from '../run/index.js';
import type { ChosenShot } from './choose-shots.js';
import { addEntry, exchange, keepFile, readJournal } from './journal.js';
import { type ApprovalObservation, judgeApproval, type Unwritten } from './judge-approval.js';
import { findLaterRun, warnOfLaterRun } from './read-report.js';

/** A decision of a reviewer, and the shots that it applies to. */
export interface ShotDecision {
  readonly decision: Decision;
  readonly choose: (run: RunRecord) => readonly ChosenShot[];
  /** Skips all checks of the files on the disk and of their folders. */
  readonly force?: boolean;
  /** Why the shots are rejected. */
  readonly reason?: string | undefined;
  /** Who decides. @default the name of the user of Git */
  readonly by?: string | undefined;
  /** When the shots are rejected. @default now */
  readonly at?: Date | undefined;
}

/** The result of a decision. `undo` is the id to undo it; null if it changed nothing, or cannot be undone. */
export interface Reviewed extends Decided {
  readonly undo: string | null;
}

/**
 * Approves or rejects shots of a finished run, while no other process changes its report, in these steps:
 *
 * 1. Reads the run, and selects its shots. Nothing is approved if a later run of the project wrote no report.
 * 2. {@link approve} or {@link reject} decides on each shot. An approved after image is checked and copied to the path of the baseline,
 *    each baseline completely or not at all. To reject an approved shot restores its baseline. An error of one shot is its result; the
 *    other shots are still processed.
 * 3. {@link addEntry} stores what was replaced, to undo the decision. A decision that changes nothing is not stored.
 * 4. {@link recordStates} stores the decision in the report, and a rejection beside the config.
 * 5. {@link sweepLeftovers} removes temporary files of killed processes.
 * 6. {@link listWarnings} collects warnings about the run, and {@link sortResults} sorts the results.
 *
 * @throws ProofsheetError `run-missing`, `record-invalid`, `lock-held`, `command-invalid` after a later run, and the errors of `choose`
 */
export function applyDecision(places: ProjectFolders, decision: ShotDecision): Promise<Reviewed> {
  return lockReport(places.folder, () => decide(places, decision));
}

async function decide(places: ProjectFolders, given: ShotDecision): Promise<Reviewed> {
  const { decision, choose, force = false, reason = '' } = given;
  const run = await readRun(places.folder);
  const laterRun = await findLaterRun(places, run);
  // A downloaded report is often older than the last local run.
  if (laterRun !== null && isOwnReport(places) && decision === 'approved' && !force)
    throw invalidCommand(REPORT_FOLDER, laterRun, OUTDATED);
  const isRejection = decision === 'rejected';
  const decideOn = isRejection ? await createRejecter(places, run) : createApprover(places, run, force);
  const results: ShotResult[] = [];
  for (const one of choose(run)) results.push({ shot: one.shot, result: await decideOn(one) });
  const decided = results.filter(({ result }) => result.kind === 'written' || result.kind === 'done');
  const by = isRejection ? (given.by ?? (await readUserName(places.root))) : null;
  const rejection = { by, at: (given.at ?? new Date()).toISOString(), reason: reason.trim() || null };
  const states = new Map(decided.map(({ shot }) => [shotKey(shot), nextState(shot, isRejection ? rejection : null)]));
  const replaced = decided.flatMap(({ shot, result }) => {
    const { project, id, decision, rejection } = shot;
    const baseline = result.kind === 'written' ? result.replaced : null;
    const isNew = baseline !== null || !isDeepStrictEqual(stateOf(shot), states.get(shotKey(shot)));
    return isNew ? [{ project, id, decision, ...(rejection && { rejection }), baseline }] : [];
  });
  const undo = replaced.length === 0 ? null : await addEntry(places.folder, run, replaced).catch(() => null);
  const { record, failure } = await recordStates(places, run, states);
  await sweepLeftovers(places, run);
  const written = results.filter(({ result }) => result.kind === 'written').map(({ shot }) => shot);
  const warnings = [
    ...(laterRun === null ? [] : [warnOfLaterRun(laterRun)]),
    ...(written.length > 0 ? await listWarnings(places.root, run, written) : []),
    // The baselines are not restored if the report cannot be written.
    ...(failure === null ? [] : [`the report was not fully updated: ${failure}`]),
    ...(replaced.length > 0 && undo === null ? ['this decision cannot be undone: the report cannot be written'] : []),
  ];
  return { ...sortResults(results), warnings, record, undo };
}

type State = Pick<ShotRecord, 'decision' | 'rejection'>;

function stateOf({ decision, rejection }: ShotRecord): State {
  return { decision, ...(rejection && { rejection }) };
}

/** A shot that was rejected already keeps who, when and why, unless there is another reason. */
function nextState(shot: ShotRecord, rejection: State['rejection'] | null): State {
  if (!rejection) return { decision: 'approved' };
  const isSame = rejection.reason === null || rejection.reason === shot.rejection?.reason;
  return shot.decision === 'rejected' && shot.rejection && isSame ? stateOf(shot) : { decision: 'rejected', rejection };
}

const OUTDATED = 'Run the tests again with proofsheet/reporter, or approve the older screenshots with --force.';

interface Written {
  readonly kind: 'written';
  readonly replaced: NonNullable<Replaced['baseline']>;
  readonly compared: number;
}

interface ShotResult {
  readonly shot: ShotRecord;
  readonly result: Written | Unwritten;
}

function createApprover(places: ProjectFolders, run: RunRecord, force: boolean) {
  const isKnownFolder = createFolderCheck(places, run);
  return async (one: ChosenShot) => approve(places.folder, await observe(places, one, isKnownFolder), force);
}

async function observe(
  places: ProjectFolders,
  { shot, isNamed }: ChosenShot,
  isKnownFolder: (path: string) => Promise<boolean>,
): Promise<ApprovalObservation> {
  const isOwn = isOwnReport(places);
  const place = shot.baseline && (await baselinePathOf(places, shot.baseline.path));
  const observed = { shot, isNamed, isOwnReport: isOwn, isKnownFolder: isOwn, place, now: null, after: null };
  if (!shot.baseline || place?.kind !== 'inside') return observed;
  const link = shot.after?.link ?? '';
  const image = await findImage(places.folder, link);
  return {
    ...observed,
    isKnownFolder: isOwn || (await isKnownFolder(place.path)),
    now: await readBaseline(place.path, place.format, shot.baseline.path),
    after: image === null ? null : await readBaseline(image, place.format, link),
  };
}

async function approve(folder: string, observed: ApprovalObservation, force: boolean): Promise<ShotResult['result']> {
  const { shot, now } = observed;
  const shownPath = shot.baseline?.path ?? '';
  const link = shot.after?.link ?? '';
  try {
    const approval = judgeApproval(observed, force);
    if (approval.kind !== 'write') return approval;
    const { path, bytes, image, compared } = approval;
    // A damaged image could be compared with nothing. To decode it throws.
    await decodeImage({ ...image, bytes }, link);
    // Any file: with `force`, a damaged one is replaced, too.
    const old = now?.kind === 'missing' ? null : await readFile(path).catch(() => null);
    // In a report that cannot be written, the decision cannot be undone.
    const before = old && (await keepFile(folder, old).catch(() => sha256(old)));
    const after = await writeBaseline(path, bytes, shownPath);
    return { kind: 'written', replaced: { path: shownPath, before, after }, compared };
  } catch (error) {
    if (!(error instanceof ProofsheetError)) throw error;
    return { kind: 'refused', why: error.message };
  }
}

async function createRejecter(places: ProjectFolders, run: RunRecord) {
  const journal = (await readJournal(places.folder, run)).flatMap(({ shots }) => shots);
  return ({ shot }: ChosenShot) => {
    const approval = journal.findLast((one) => shotKey(one) === shotKey(shot) && one.baseline)?.baseline ?? null;
    return reject(places, shot, approval);
  };
}

/** @param approval - the last exchange of the shot's baseline by a decision; null if there is none */
async function reject(
  places: ProjectFolders,
  shot: ShotRecord,
  approval: Replaced['baseline'],
): Promise<ShotResult['result']> {
  if (shot.status === 'passed' || shot.status === 'skipped') {
    return { kind: 'refused', why: `the status is ${shot.status}, so there is nothing to reject` };
  }
  if (shot.written || (shot.decision === 'approved' && !approval)) {
    return { kind: 'refused', why: 'the baseline is already written; restore it from version control' };
  }
  if (shot.decision !== 'approved' || !approval) return { kind: 'done', why: 'the shot is marked as rejected' };
  const restored = { path: approval.path, before: approval.after, after: approval.before };
  // The approved file is kept, so that the decision can be undone.
  const place = await baselinePathOf(places, approval.path);
  const approved = place.kind === 'inside' ? await readFile(place.path).catch(() => null) : null;
  const kept = approved && (await keepFile(places.folder, approved).catch(() => null));
  if (kept === null) return { kind: 'refused', why: 'the baseline cannot be kept, so it is not restored' };
  const failure = await exchange(places, shot, restored);
  if (failure) return { kind: 'refused', why: failure.why };
  return { kind: 'written', replaced: restored, compared: shot.compared ?? 1 };
}

/** Stores the decisions in the report, and the rejections beside the config. */
export async function recordStates(
  { root, folder }: ProjectFolders,
  run: RunRecord,
  states: ReadonlyMap<string, State>,
): ReturnType<typeof amendRun> {
  if (states.size === 0) return { record: run, failure: null };
  const { record, failure } = await amendRun(folder, run, (now) => ({
    ...now,
    shots: now.shots.map(({ rejection, ...shot }) => ({
      ...shot,
      ...(states.get(shotKey(shot)) ?? (rejection && { rejection })),
    })),
  }));
  return { record, failure: failure ?? (await storeRejections(root, record)) };
}

function sortResults(results: readonly ShotResult[]): Pick<Decided, 'written' | 'kept' | 'refused'> {
  const sorted: Pick<Decided, 'written' | 'kept' | 'refused'> = { written: [], kept: [], refused: [] };
  for (const {
    shot: { project, id },
    result,
  } of results) {
    if (result.kind === 'written')
      sorted.written.push({ project, id, path: result.replaced.path, compared: result.compared });
    else sorted[result.kind === 'refused' ? 'refused' : 'kept'].push({ project, id, reason: result.why });
  }
  return sorted;
}

async function listWarnings(root: string, { run }: RunRecord, written: readonly ShotRecord[]): Promise<string[]> {
  const commit = run.commit === null ? null : await readCommit(root);
  // This is only a warning: what the run compared with is checked for each baseline.
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

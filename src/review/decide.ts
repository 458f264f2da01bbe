import { isDeepStrictEqual } from 'node:util';
import { createFolderCheck, lockReport, REPORT_FOLDER, readRun } from '../baselines/index.js';
import {
  type Decided,
  type Decision,
  type DecisionRequest,
  invalidCommand,
  nameShot,
  type Replaced,
  type RunRecord,
  renderPlain,
  type ShotRecord,
  shotKey,
  type Undone,
  type UndoRequest,
  type WrittenBaseline,
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
import { approve, reject } from './approve.js';
import type { ChosenShot } from './choose-shots.js';
import { addEntry, exchange, findNewest, type JournalEntry, readJournal, reverse, writeEntry } from './journal.js';
import { findLaterRun } from './read-report.js';

export interface ShotDecision {
  readonly decision: Decision;
  readonly choose: (run: RunRecord) => readonly ChosenShot[];
  /** Skips all checks of the files on the disk and of their folders. */
  readonly force?: boolean;
  readonly reason?: string | null | undefined;
  /** Who decides. @default the name of the user of Git */
  readonly by?: string | null;
  /** When the shots are rejected. @default now */
  readonly at?: Date | null;
}

/** `undo` is the id to undo a decision: null if it changed nothing, or cannot be undone. After an undo, it is that of the decision before. */
interface Undoable {
  readonly undo: string | null;
}

/**
 * Approves or rejects shots of a finished run, while no other process changes its report. Nothing is approved if a later run of the project
 * wrote no report. An error of one shot is its result; the other shots are still processed.
 *
 * @throws ProofsheetError `run-missing`, `record-invalid`, `lock-held`, `command-invalid` after a later run, and the errors of `choose`
 */
export function applyDecision(places: ProjectFolders, decision: ShotDecision): Promise<Decided & Undoable> {
  return lockReport(places.folder, () => decide(places, decision));
}

async function decide(places: ProjectFolders, given: ShotDecision): Promise<Decided & Undoable> {
  const { decision, choose, force = false, reason, by, at } = given;
  const run = await readRun(places.folder);
  const laterRun = await findLaterRun(places, run);
  const isRejection = decision === 'rejected';
  // A downloaded report is often older than the last local run.
  if (laterRun !== null && isOwnReport(places) && !isRejection && !force)
    throw invalidCommand(REPORT_FOLDER, laterRun, OUTDATED);
  const isKnownFolder = createFolderCheck(places, run);
  const earlier = (await readJournal(places.folder, run)).flatMap(({ shots }) => shots);
  const author = isRejection ? (by ?? (await readUserName(places.root))) : null;
  const rejection = { by: author, at: (at ?? new Date()).toISOString(), reason: reason?.trim() || null };
  const [written, kept, refused]: [WrittenBaseline[], Unwritten[], Unwritten[]] = [[], [], []];
  const states = new Map<string, State>();
  const replaced: Replaced[] = [];
  const changed: ShotRecord[] = [];
  for (const one of choose(run)) {
    const { shot } = one;
    const name = { project: shot.project, id: shot.id };
    const result = isRejection
      ? await reject(places, shot, earlier)
      : await approve(places, one, { force, isKnownFolder });
    if (result.kind === 'written') {
      written.push({ ...name, path: result.replaced.path, compared: result.compared });
      changed.push(shot);
    } else {
      (result.kind === 'refused' ? refused : kept).push({ ...name, reason: result.why });
    }
    if (result.kind === 'refused' || result.kind === 'kept') continue;
    const state = isRejection ? rejectedState(shot, rejection) : ({ decision } as const);
    states.set(shotKey(shot), state);
    const baseline = result.kind === 'written' ? result.replaced : null;
    const isNew = baseline !== null || !isDeepStrictEqual(stateOf(shot), state);
    if (isNew) replaced.push({ ...name, ...stateOf(shot), baseline });
  }
  const undo = replaced.length === 0 ? null : await addEntry(places.folder, run, replaced).catch(() => null);
  const { record, warnings } = await recordStates(places, run, states);
  await sweepLeftovers(places, run);
  const all = [
    ...(laterRun === null ? [] : [laterRun]),
    ...(await listWarnings(places.root, run, changed)),
    ...warnings,
    ...(replaced.length > 0 && undo === null ? ['this decision cannot be undone: the report cannot be written'] : []),
  ];
  return { written, kept, refused, warnings: all, record, undo };
}

const OUTDATED = 'Run the tests again, or approve the older screenshots with --force.';

type Unwritten = Decided['kept'][number];
type State = Pick<ShotRecord, 'decision' | 'rejection'>;

function stateOf({ decision, rejection }: State): State {
  return { decision, ...(rejection && { rejection }) };
}

/** A shot that was rejected already keeps who, when and why, unless there is another reason. */
function rejectedState(shot: ShotRecord, rejection: NonNullable<State['rejection']>): State {
  const isSame = rejection.reason === null || rejection.reason === shot.rejection?.reason;
  return shot.decision === 'rejected' && shot.rejection && isSame ? stateOf(shot) : { decision: 'rejected', rejection };
}

/** Stores decisions in the report, and rejections beside the config. The baselines are not restored if this fails: that is a warning. */
async function recordStates(places: ProjectFolders, run: RunRecord, states: ReadonlyMap<string, State>) {
  if (states.size === 0) return { record: run, warnings: [] };
  const { record, failure } = await amendRun(places.folder, run, (now) => ({
    ...now,
    shots: now.shots.map(({ rejection, ...shot }) => ({
      ...shot,
      ...(states.get(shotKey(shot)) ?? (rejection && { rejection })),
    })),
  }));
  const why = failure ?? (await storeRejections(places.root, record));
  return { record, warnings: why === null ? [] : [`the report was not fully updated: ${why}`] };
}

async function listWarnings(root: string, { run }: RunRecord, written: readonly ShotRecord[]): Promise<string[]> {
  if (written.length === 0) return [];
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

/**
 * Undoes the newest decision on the last finished run: restores the files that it replaced, and removes those that it created. A file that
 * changed since the decision is not touched, and its shot is listed as refused.
 *
 * @param choose checks the run and selects the decision. @default the newest one
 * @throws ProofsheetError `command-invalid` if there is no decision; `run-missing`, `record-invalid`, `lock-held`
 */
export function undoNewest(
  places: ProjectFolders,
  choose = (_run: RunRecord, newest: JournalEntry | undefined) => newest,
): Promise<Undone & Undoable> {
  return lockReport(places.folder, async () => {
    const run = await readRun(places.folder);
    const newest = choose(run, (await readJournal(places.folder, run)).at(-1));
    if (!newest) throw invalidCommand('proofsheet undo', 'no decision on this run can be undone', RESTORE);
    const states = new Map<string, State>();
    const left: Replaced[] = [];
    const [written, kept, refused]: [Undone['written'][number][], Unwritten[], Unwritten[]] = [[], [], []];
    for (const shot of newest.shots) {
      const { project, id, baseline } = shot;
      const failure = baseline && (await exchange(places, shot, reverse(baseline)));
      if (failure) {
        refused.push({ project, id, reason: failure.why });
        if (!failure.isFinal) left.push(shot);
        continue;
      }
      states.set(shotKey(shot), stateOf(shot));
      if (baseline) written.push({ project, id, path: baseline.path });
      else kept.push({ project, id, reason: 'the decision is removed; it had written no baseline' });
    }
    await writeEntry(places.folder, run, { ...newest, shots: left });
    const recorded = await recordStates(places, run, states);
    return { written, kept, refused, ...recorded, undo: await findNewest(places.folder, recorded.record) };
  });
}

const RESTORE = 'A new run removes the decisions. Restore older baselines from version control.';

/**
 * Decides on shots, or undoes the newest decision, for the report page. Shots count as named, because the reviewer sees them.
 *
 * @param isShown checks that the reviewer sees this run.
 * @throws ProofsheetError `command-invalid` if the reviewer sees another run or shot, or the decision is not the newest one;
 *   `run-missing`, `record-invalid`, `lock-held`
 */
export function applyRequest(
  places: ProjectFolders,
  request: DecisionRequest | UndoRequest,
  isShown: (run: RunRecord) => boolean,
): Promise<(Decided | Undone) & Undoable> {
  const check = (isRight: boolean, found: string) => {
    if (!isRight) throw invalidCommand('the report page', found, RELOAD);
  };
  const checkRun = (run: RunRecord) => check(isShown(run), 'the page shows another run than the report folder');
  if ('undo' in request) {
    return undoNewest(places, (run, newest) => {
      checkRun(run);
      check(newest?.id === request.undo, OLDER);
      return newest;
    });
  }
  const { decision, reason, shots } = request;
  const choose = (run: RunRecord) => {
    checkRun(run);
    const byKey = new Map(run.shots.map((shot) => [shotKey(shot), shot]));
    const wanted = new Map(shots.map((name) => [shotKey(name), name]));
    for (const [key, name] of wanted) check(byKey.has(key), `the run has no shot ${nameShot(name)}`);
    return [...wanted.keys()].flatMap((key) => byKey.get(key) ?? []).map((shot) => ({ shot, isNamed: true }));
  };
  return applyDecision(places, { decision, choose, reason });
}

const OLDER = 'only the newest decision can be undone, and this is not the newest one any more';
const RELOAD = 'Nothing was written. Reload the page, and review again.';

import { lockReport, readRun } from '../baselines/index.js';
import {
  type DecisionRequest,
  invalidCommand,
  nameShot,
  type Replaced,
  type RunRecord,
  shotKey,
  type Undone,
  type UndoRequest,
} from '../model/index.js';
import type { ProjectFolders } from '../run/index.js';
import { applyDecision, type Reviewed, recordStates } from './approve.js';
import type { ChosenShot } from './choose-shots.js';
import { exchange, findNewest, type JournalEntry, readJournal, writeEntry } from './journal.js';

/** The result of {@link undoNewest}. `undo` is the id to undo the decision before; null if there is none. */
export interface UndoResult extends Undone {
  readonly undo: string | null;
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
): Promise<UndoResult> {
  return lockReport(places.folder, async () => {
    const run = await readRun(places.folder);
    const newest = choose(run, (await readJournal(places.folder, run)).at(-1));
    if (!newest) throw invalidCommand('proofsheet undo', 'no decision on this run can be undone', RESTORE);
    const undone = await undoDecision(places, run, newest);
    return { ...undone, undo: await findNewest(places.folder, undone.record) };
  });
}

/**
 * Decides on shots, or undoes the newest decision, for the report page.
 *
 * @param isShown checks that the reviewer sees this run.
 * @throws ProofsheetError `command-invalid` if the reviewer sees another run or shot, or the decision is not the newest one;
 *   `run-missing`, `record-invalid`, `lock-held`
 */
export function applyRequest(
  places: ProjectFolders,
  request: DecisionRequest | UndoRequest,
  isShown: (run: RunRecord) => boolean,
): Promise<Reviewed | UndoResult> {
  const check = (run: RunRecord) => {
    if (!isShown(run)) throw invalidCommand(PAGE, 'the page shows another run than the report folder', RELOAD);
  };
  if ('undo' in request) {
    return undoNewest(places, (run, newest) => {
      check(run);
      if (newest?.id === request.undo) return newest;
      throw invalidCommand(
        PAGE,
        'only the newest decision can be undone, and this is not the newest one any more',
        RELOAD,
      );
    });
  }
  const choose = (run: RunRecord) => {
    check(run);
    return findShots(run, request.shots);
  };
  return applyDecision(places, { decision: request.decision, choose, reason: request.reason });
}

/** Finds shots by project and id, each once. They count as named, because the reviewer sees them. */
function findShots({ shots }: RunRecord, wanted: DecisionRequest['shots']): ChosenShot[] {
  const byKey = new Map(shots.map((shot) => [shotKey(shot), shot]));
  return [...new Map(wanted.map((name) => [shotKey(name), name]))].map(([key, name]) => {
    const shot = byKey.get(key);
    if (!shot) throw invalidCommand(PAGE, `the run has no shot ${nameShot(name)}`, RELOAD);
    return { shot, isNamed: true };
  });
}

const PAGE = 'the report page';
const RELOAD = 'Nothing was written. Reload the page, and review again.';
const RESTORE = 'A new run removes the decisions. Restore older baselines from version control.';

async function undoDecision(places: ProjectFolders, run: RunRecord, entry: JournalEntry): Promise<Undone> {
  const written: Undone['written'][number][] = [];
  const kept: Undone['kept'][number][] = [];
  const refused: Undone['refused'][number][] = [];
  const undone = new Map<string, Pick<Replaced, 'decision' | 'rejection'>>();
  const left: Replaced[] = [];
  for (const one of entry.shots) {
    const { id, project, baseline, decision, rejection } = one;
    const { path = '', before = null, after = null } = baseline ?? {};
    const failure = baseline && (await exchange(places, one, { path, before: after, after: before }));
    if (failure) refused.push({ id, project, reason: failure.why });
    if (failure && !failure.isFinal) left.push(one);
    if (failure) continue;
    undone.set(shotKey(one), { decision, ...(rejection && { rejection }) });
    if (baseline) written.push({ id, project, path });
    else kept.push({ id, project, reason: 'the decision is removed; it had written no baseline' });
  }
  await writeEntry(places.folder, run, { ...entry, shots: left });
  const { record, failure } = await recordStates(places, run, undone);
  const warnings = failure === null ? [] : [`the report was not fully updated: ${failure}`];
  return { written, kept, refused, warnings, record };
}

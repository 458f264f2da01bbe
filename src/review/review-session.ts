import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  type BaselineFolders,
  findBaseline,
  lockReport,
  readRun,
  removeBaseline,
  sha256,
  writeBaseline,
} from '../baselines/index.js';
import {
  type Decided,
  type DecisionRequest,
  messageOf,
  nameShot,
  ProofsheetError,
  type RunRecord,
  type ShotRecord,
  type Undone,
  type UndoRequest,
} from '../model/index.js';
import { amendRun, type ProjectFolders } from '../run/index.js';
import { applyDecision, type Replaced, type ReplacedBaseline } from './approve.js';
import { type ChosenShot, shotKey } from './choose-shots.js';

/** The result of a request. `undo` is the id to undo the decision while it is the last one; null if it cannot be undone. */
export type Reviewed = (Decided | Undone) & { readonly undo: string | null };

/** Applies the decisions of a reviewer to a finished run, and undoes the last one. */
export interface ReviewSession {
  /**
   * Decides, or undoes. Requests run in sequence: parallel ones would overwrite each other's report.
   *
   * @param isShown checks that the reviewer sees this run.
   * @throws ProofsheetError `command-invalid` if the reviewer sees another run or shot, or the decision is not the last one;
   *   `run-missing`, `record-invalid`, `lock-held`
   */
  apply(request: DecisionRequest | UndoRequest, isShown: (run: RunRecord) => boolean): Promise<Reviewed>;
}

/** Maximum size of the old baselines in memory, in bytes. Enough for the last decision on about 1,000 pages. */
const MAX_UNDO_BYTES = 256 * 1024 * 1024;

const TOO_LARGE = 'this decision cannot be undone: the old baselines are larger than 256 MB';

/** Creates a review session. It remembers the last decision. */
export function createReviewSession(places: ProjectFolders): ReviewSession {
  let pending: Promise<unknown> = Promise.resolve();
  let last: { readonly id: string; readonly replaced: readonly Replaced[] } | null = null;
  const decide = async ({ decision, shots }: DecisionRequest, check: (run: RunRecord) => void): Promise<Reviewed> => {
    const replaced: Replaced[] = [];
    const choose = (run: RunRecord) => {
      check(run);
      return findShots(run, shots);
    };
    const onReplaced = (one: Replaced) => void replaced.push(one);
    const decided = await applyDecision(places, { decision, choose, force: false, onReplaced });
    const isUndoable = replaced.length > 0 && sizeOf(replaced) <= MAX_UNDO_BYTES;
    last = isUndoable ? { id: randomUUID(), replaced } : null;
    const isTooLarge = replaced.length > 0 && !isUndoable;
    return { ...decided, warnings: [...decided.warnings, ...(isTooLarge ? [TOO_LARGE] : [])], undo: last?.id ?? null };
  };
  const undo = async (id: string, check: (run: RunRecord) => void): Promise<Reviewed> => {
    return lockReport(places.folder, async () => {
      const run = await readRun(places.folder);
      check(run);
      if (last?.id !== id) throw otherDecision();
      const { replaced } = last;
      last = null;
      return { ...(await undoDecision(places, run, replaced)), undo: null };
    });
  };
  return {
    apply(request, isShown) {
      const check = (run: RunRecord) => {
        if (!isShown(run)) throw otherRun('the page shows another run than the report folder');
      };
      const result = pending.then(() => ('undo' in request ? undo(request.undo, check) : decide(request, check)));
      // A failed request does not block the next one.
      pending = result.catch(messageOf);
      return result;
    },
  };
}

function sizeOf(replaced: readonly Replaced[]): number {
  return replaced.reduce((bytes, { baseline }) => bytes + (baseline?.before?.length ?? 0), 0);
}

/** Finds shots by project and id, each once. They count as named, because the reviewer sees them. */
function findShots({ shots }: RunRecord, wanted: DecisionRequest['shots']): ChosenShot[] {
  const byKey = new Map(shots.map((shot) => [shotKey(shot), shot]));
  return [...new Map(wanted.map((name) => [shotKey(name), name]))].map(([key, name]) => {
    const shot = byKey.get(key);
    if (shot) return { shot, isNamed: true };
    throw otherRun(`the run has no shot ${nameShot(name)}`);
  });
}

function otherRun(found: string): ProofsheetError {
  const advice = 'Nothing was written. Reload the page, and review again.';
  return new ProofsheetError({ code: 'command-invalid', where: 'the report page', found, advice });
}

function otherDecision(): ProofsheetError {
  return new ProofsheetError({
    code: 'command-invalid',
    where: 'the report page',
    found: 'only the last decision can be undone',
    advice: 'Nothing was written. Restore the baselines from version control.',
  });
}

/**
 * Reverts a decision: restores the files that it replaced and removes those that it created. A file that changed since the
 * decision is not touched, and its shot is listed as refused.
 */
async function undoDecision(
  places: BaselineFolders & { readonly folder: string },
  run: RunRecord,
  replaced: readonly Replaced[],
): Promise<Undone> {
  const refused: Undone['refused'][number][] = [];
  const undone: Replaced[] = [];
  for (const one of replaced) {
    const { id, project, baseline } = one;
    const reason = baseline === null ? null : await restore(places, baseline);
    if (reason === null) undone.push(one);
    else refused.push({ id, project, reason });
  }
  const { record, failure } = await amendRun(places.folder, run, (now) => withDecisions(now, undone));
  const written = undone.flatMap(({ id, project, baseline }) =>
    baseline ? [{ id, project, path: baseline.path }] : [],
  );
  const warnings = failure === null ? [] : [`the report was not fully updated: ${failure}`];
  return { written, kept: [], refused, warnings, record };
}

/** Restores a baseline. @returns the reason why it was not restored, or null */
async function restore(folders: BaselineFolders, baseline: ReplacedBaseline): Promise<string | null> {
  const place = await findBaseline(folders, baseline.path);
  if (place.kind === 'outside') return place.why;
  try {
    if (sha256(await readFile(place.path)) !== baseline.sha256) return 'the baseline changed after the approval';
    if (baseline.before === null) await removeBaseline(place.path);
    else await writeBaseline(place.path, baseline.before, baseline.path);
    return null;
  } catch (cause) {
    return `the baseline cannot be restored (${messageOf(cause)})`;
  }
}

function withDecisions(run: RunRecord, undone: readonly Replaced[]): RunRecord {
  const decided = (shot: ShotRecord) => undone.find(({ id, project }) => id === shot.id && project === shot.project);
  return {
    ...run,
    shots: run.shots.map((shot) => {
      const found = decided(shot);
      return found ? { ...shot, decision: found.decision } : shot;
    }),
  };
}

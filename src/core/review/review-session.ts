import { randomUUID } from 'node:crypto';
import { readRun } from '../../baselines/read-run.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import { nameShot } from '../../model/plain-text.js';
import type { Decided, DecisionRequest, Undone, UndoRequest } from '../../model/review.js';
import type { RunRecord } from '../../model/run-record.js';
import type { ProjectFolders } from '../run/folders.js';
import { applyDecision } from './approve.js';
import type { ChosenShot } from './choose-shots.js';
import { type Replaced, undoDecision } from './undo-decision.js';

/** The result of a request. `undo` is the id to undo the decision while it is the last one; null if it cannot be undone. */
export type Reviewed = (Decided | Undone) & { readonly undo: string | null };

/** Applies the decisions of a reviewer to a finished run, and undoes the last one. */
export interface ReviewSession {
  /**
   * Decides, or undoes. Requests run in sequence: parallel ones would overwrite each other's report.
   *
   * @param isShown checks that the reviewer sees this run.
   * @throws ProofsheetError `command-invalid` if the reviewer sees another run or shot, or the decision is not the last one;
   *   `run-missing`, `record-invalid`
   */
  apply(request: DecisionRequest | UndoRequest, isShown: (run: RunRecord) => boolean): Promise<Reviewed>;
}

/** Maximum size of the old baselines in memory, in bytes. Enough for the last decision on about 1,000 pages. */
const MAX_UNDO_BYTES = 256 * 1024 * 1024;

const TOO_LARGE = 'it cannot be undone here: the old baselines have more than 256 MB';

/** Creates a review session. It remembers the last decision. */
export function createReviewSession(places: ProjectFolders): ReviewSession {
  let pending: Promise<unknown> = Promise.resolve();
  let last: { readonly id: string; readonly replaced: readonly Replaced[] } | null = null;
  const decide = async ({ decision, shots }: DecisionRequest, check: (run: RunRecord) => void): Promise<Reviewed> => {
    const replaced: Replaced[] = [];
    const choose = (run: RunRecord) => {
      check(run);
      return shots.map((key) => findShot(run, key));
    };
    const onReplaced = (one: Replaced) => void replaced.push(one);
    const decided = await applyDecision(places, { decision, choose, force: false, onReplaced });
    const isUndoable = replaced.length > 0 && sizeOf(replaced) <= MAX_UNDO_BYTES;
    last = isUndoable ? { id: randomUUID(), replaced } : null;
    const isTooLarge = replaced.length > 0 && !isUndoable;
    return { ...decided, warnings: [...decided.warnings, ...(isTooLarge ? [TOO_LARGE] : [])], undo: last?.id ?? null };
  };
  const undo = async (id: string, check: (run: RunRecord) => void): Promise<Reviewed> => {
    check(await readRun(places.folder));
    if (last?.id !== id) throw otherDecision();
    const { replaced } = last;
    last = null;
    return { ...(await undoDecision(places, replaced)), undo: null };
  };
  return {
    apply(request, isShown) {
      const check = (run: RunRecord) => {
        if (!isShown(run)) throw otherRun('it shows another run than the one that is there now');
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

/** Finds a shot by project and id. It counts as named, because the reviewer sees it. */
function findShot({ shots }: RunRecord, { project, id }: DecisionRequest['shots'][number]): ChosenShot {
  const shot = shots.find((other) => other.id === id && other.project === project);
  if (shot) return { shot, isNamed: true };
  throw otherRun(`the run has no shot ${nameShot({ project, id })}`);
}

function otherRun(found: string): ProofsheetError {
  const advice = 'Nothing was written. Reload the page, and look again.';
  return new ProofsheetError({ code: 'command-invalid', where: 'this page', found, advice });
}

function otherDecision(): ProofsheetError {
  return new ProofsheetError({
    code: 'command-invalid',
    where: 'this page',
    found: 'the decision is not the last one any more',
    advice: 'Nothing was written. Restore the baselines from version control.',
  });
}

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { baselinePathOf, lockReport, readRun, removeBaseline, sha256, writeBaseline } from '../baselines/index.js';
import {
  type Decided,
  type DecisionRequest,
  messageOf,
  nameShot,
  ProofsheetError,
  type RunRecord,
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
    const decided = await applyDecision(places, {
      decision,
      choose(run) {
        check(run);
        return findShots(run, shots);
      },
      force: false,
      onReplaced: (one) => replaced.push(one),
    });
    const bytes = replaced.reduce((sum, { baseline }) => sum + (baseline?.before?.length ?? 0), 0);
    last = replaced.length > 0 && bytes <= MAX_UNDO_BYTES ? { id: randomUUID(), replaced } : null;
    const warnings = bytes > MAX_UNDO_BYTES ? [...decided.warnings, TOO_LARGE] : decided.warnings;
    return { ...decided, warnings, undo: last?.id ?? null };
  };

  const undo = (id: string, check: (run: RunRecord) => void): Promise<Reviewed> =>
    lockReport(places.folder, async () => {
      const run = await readRun(places.folder);
      check(run);
      if (last?.id !== id) {
        throw invalid('only the last decision can be undone', 'Restore the baselines from version control.');
      }
      const { replaced } = last;
      last = null;
      return { ...(await undoDecision(places, run, replaced)), undo: null };
    });

  return {
    apply(request, isShown) {
      const check = (run: RunRecord) => {
        if (!isShown(run)) throw invalid('the page shows another run than the report folder', RELOAD);
      };
      const result = pending.then(() => ('undo' in request ? undo(request.undo, check) : decide(request, check)));
      // A failed request does not block the next one.
      pending = result.catch(messageOf);
      return result;
    },
  };
}

/** Finds shots by project and id, each once. They count as named, because the reviewer sees them. */
function findShots({ shots }: RunRecord, wanted: DecisionRequest['shots']): ChosenShot[] {
  const byKey = new Map(shots.map((shot) => [shotKey(shot), shot]));
  return [...new Map(wanted.map((name) => [shotKey(name), name]))].map(([key, name]) => {
    const shot = byKey.get(key);
    if (!shot) throw invalid(`the run has no shot ${nameShot(name)}`, RELOAD);
    return { shot, isNamed: true };
  });
}

const RELOAD = 'Reload the page, and review again.';

function invalid(found: string, advice: string): ProofsheetError {
  const problem = { where: 'the report page', found, advice: `Nothing was written. ${advice}` };
  return new ProofsheetError({ code: 'command-invalid', ...problem });
}

/**
 * Reverts a decision: restores the files that it replaced and removes those that it created. A file that changed since the
 * decision is not touched, and its shot is listed as refused.
 */
async function undoDecision(places: ProjectFolders, run: RunRecord, replaced: readonly Replaced[]): Promise<Undone> {
  const written: Undone['written'][number][] = [];
  const refused: Undone['refused'][number][] = [];
  const undone = new Map<string, Replaced>();
  for (const one of replaced) {
    const { id, project, baseline } = one;
    const reason = baseline && (await restore(places, baseline));
    if (reason !== null) {
      refused.push({ id, project, reason });
      continue;
    }
    undone.set(shotKey(one), one);
    if (baseline) written.push({ id, project, path: baseline.path });
  }
  const { record, failure } = await amendRun(places.folder, run, (now) => ({
    ...now,
    shots: now.shots.map((shot) => ({ ...shot, decision: (undone.get(shotKey(shot)) ?? shot).decision })),
  }));
  const warnings = failure === null ? [] : [`the report was not fully updated: ${failure}`];
  return { written, kept: [], refused, warnings, record };
}

/** Restores a baseline. @returns the reason why it was not restored, or null */
async function restore(places: ProjectFolders, baseline: ReplacedBaseline): Promise<string | null> {
  const place = await baselinePathOf(places, baseline.path);
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

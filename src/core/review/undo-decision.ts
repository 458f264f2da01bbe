import { readFile, rm } from 'node:fs/promises';
import { replaceFile } from '../../baselines/atomic-write.js';
import { sha256 } from '../../baselines/baseline.js';
import { readRun } from '../../baselines/read-run.js';
import { type BaselineFolders, findBaseline } from '../../baselines/recorded-path.js';
import { messageOf } from '../../model/errors.js';
import type { Decision, Undone } from '../../model/review.js';
import type { RunRecord, ShotRecord } from '../../model/run-record.js';
import { amendRun } from '../run/amend-run.js';

/** The state that a decision on one shot replaced. */
export interface Replaced {
  readonly id: string;
  readonly project: string;
  /** The previous decision. */
  readonly decision: Decision | null;
  /** The baseline that was written; null if none was. */
  readonly baseline: ReplacedBaseline | null;
}

/** A baseline that a decision wrote, and the file that it replaced. */
export interface ReplacedBaseline {
  /** The path in the run record. */
  readonly path: string;
  /** Hash of the written file. */
  readonly sha256: string;
  /** Content of the replaced file; null if there was none. */
  readonly before: Buffer | null;
}

/**
 * Reverts a decision: restores the files that it replaced and removes those that it created. A file that changed since the
 * decision is not touched, and its shot is listed as refused.
 *
 * @throws ProofsheetError `run-missing`, `record-invalid`
 */
export async function undoDecision(
  places: BaselineFolders & { readonly folder: string },
  replaced: readonly Replaced[],
): Promise<Undone> {
  const run = await readRun(places.folder);
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
  const warnings = failure === null ? [] : [`the decision is not in the whole report: ${failure}`];
  return { written, kept: [], refused, warnings, record };
}

/** Restores a baseline. @returns the reason why it was not restored, or null */
async function restore(folders: BaselineFolders, baseline: ReplacedBaseline): Promise<string | null> {
  const place = await findBaseline(folders, baseline.path);
  if (place.kind === 'outside') return place.why;
  try {
    if (sha256(await readFile(place.path)) !== baseline.sha256) return 'its baseline has changed since the approval';
    if (baseline.before === null) await rm(place.path);
    else await replaceFile(place.path, baseline.before);
    return null;
  } catch (cause) {
    return `its baseline cannot be restored (${messageOf(cause)})`;
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

import { readFile, rm } from 'node:fs/promises';
import { replaceFile } from '../../baselines/atomic-write.js';
import { sha256 } from '../../baselines/baseline.js';
import { type BaselineFolders, findBaseline } from '../../baselines/baseline-path.js';
import { readRun } from '../../baselines/read-run.js';
import { messageOf } from '../../model/errors.js';
import type { Decision, Undone } from '../../model/review.js';
import type { RunRecord, ShotRecord } from '../../model/run-record.js';
import { amendRun } from '../run/amend-run.js';

/** What a decision on one shot replaced. */
export interface Replaced {
  readonly id: string;
  readonly project: string;
  /** What was decided before. */
  readonly decision: Decision | null;
  /** The baseline that was written; null: none was. */
  readonly baseline: ReplacedBaseline | null;
}

/** A baseline that was written in the place of another, or where there was none. */
export interface ReplacedBaseline {
  /** As the run names it. */
  readonly path: string;
  /** Of the file that was written. */
  readonly sha256: string;
  /** The file that it replaced; null: there was none. */
  readonly before: Buffer | null;
}

/**
 * Takes a decision back: restores the files that it replaced, and removes those that it made. A file that is no longer
 * the one that was written stays, and its shot is among the refused.
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
  const { record, trouble } = await amendRun(places.folder, run, (now) => withDecisions(now, undone));
  const written = undone.flatMap(({ id, project, baseline }) =>
    baseline ? [{ id, project, path: baseline.path }] : [],
  );
  const warnings = trouble === null ? [] : [`the decision is not in the whole report: ${trouble}`];
  return { written, kept: [], refused, warnings, record };
}

/** @returns why the file stays as it is; null: it was restored. */
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

import type { Plan, PlannedShot, ProjectUse, Shot } from '../../model/shot.js';
import { renderFile } from '../../page-list/issue.js';
import { type ListContext, readPlan } from '../../page-list/read-list.js';
import { resolveSettings, resolveShot } from '../../page-list/resolve/resolve-shot.js';

/** A shot of a plan. */
export interface RunnableShot {
  readonly planned: PlannedShot;
  /** Time limit for capturing all sides, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Fills in what the shot takes from its project.
   *
   * @throws ProofsheetError `base-url-missing`, or `list-invalid` if both sides are the same page
   */
  resolve(use: ProjectUse): Shot;
}

/** A page list and its shots. */
export interface RunPlan {
  readonly plan: Plan;
  /** Path of the list for display. */
  readonly shownFile: string;
  readonly shots: readonly RunnableShot[];
}

/**
 * Reads a page list and returns its plan with the shots to run.
 *
 * @throws AggregateError with all errors of the list
 */
export function planRun(file: string, context: ListContext): RunPlan {
  const plan = readPlan(file, context);
  const shots = plan.shots.map((planned) => ({
    planned,
    timeoutMs: resolveSettings(planned.fields).timeoutMs,
    resolve: (use: ProjectUse) => resolveShot(planned, use),
  }));
  return { plan, shownFile: renderFile(plan.file), shots };
}

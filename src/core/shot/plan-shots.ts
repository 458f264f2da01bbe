import type { MatcherOptionsInput } from '../../model/list/page-list.js';
import type { Plan, PlannedShot, ProjectUse, Shot } from '../../model/shot.js';
import { renderFile } from '../../page-list/issue.js';
import { type ListEnvironment, readPlan } from '../../page-list/read-list.js';
import { NO_CREDENTIALS } from '../../page-list/resolve/resolve-credentials.js';
import { resolveSettings, resolveShot } from '../../page-list/resolve/resolve-shot.js';
import { checkOptions } from '../../page-list/validate/check-list.js';

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
export function planRun(file: string, environment: ListEnvironment): RunPlan {
  const plan = readPlan(file, environment);
  const shots = plan.shots.map((planned) => ({
    planned,
    timeoutMs: resolveSettings(planned.fields).timeoutMs,
    resolve: (use: ProjectUse) => resolveShot(planned, use),
  }));
  return { plan, shownFile: renderFile(plan.file), shots };
}

/** A page that a test has opened in a context that it configured. */
export interface OpenedPage {
  /** Name of the spec, without extension. The id of the shot starts with it. */
  readonly spec: string;
  readonly name: string;
  readonly url: string;
}

/**
 * Creates the shot of `toMatchBaseline`, with the id `<spec>/<name>`.
 *
 * @throws ProofsheetError `options-invalid` with the first problem of the options
 */
export function createOpenedShot({ spec, name, url }: OpenedPage, options: MatcherOptionsInput): Shot {
  checkOptions(options, `toMatchBaseline('${name}')`);
  return {
    ...{ id: `${spec}/${name}`, page: name, viewport: null, state: null },
    ...resolveSettings(options),
    after: { url, httpStatus: null, finalUrl: null, credentials: NO_CREDENTIALS },
    before: null,
    emulation: { device: null, size: null, language: null, colorScheme: null, timezone: null, userAgent: null },
  };
}

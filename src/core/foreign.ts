import { differingParts, type Environment, type EnvironmentRule } from '../model/environment.js';
import { ProofsheetError } from '../model/errors.js';
import { renderEnvironment } from '../report/environment.js';
import type { Outcome, Policy } from './outcome.js';

/** How a shot stands to the environment of its baseline. */
export interface Surroundings {
  readonly rule: EnvironmentRule;
  readonly url: string;
  /** What the capture itself does not know of the run's environment. */
  readonly run: Pick<Environment, 'headless' | 'engine'>;
}

/**
 * Refuses to judge by a baseline that was made in another environment, where the list says `environment: fail`: the
 * outcome is an error then, or the baseline is made anew where baselines are rewritten. What equals its baseline to the
 * byte is right in any environment, and which engine compares changes no image.
 */
export function refuseForeign(outcome: Outcome, { rule, url, run }: Surroundings, { mode }: Policy): Outcome {
  const madeIn = environmentOf(outcome);
  if (rule !== 'fail' || !madeIn || !('before' in outcome)) return outcome;
  const environment = { ...outcome.capture.environment, ...run };
  const parts = differingParts(madeIn, environment).filter((part) => part !== 'engine');
  if (parts.length === 0 || outcome.before.comparison.kind === 'equal') return outcome;
  if (mode === 'all' || mode === 'changed') return { ...outcome, write: true };
  const error = new ProofsheetError({
    code: 'baseline-foreign',
    where: url,
    found: `its baseline was made with ${renderEnvironment(madeIn, parts)}, this run with ${renderEnvironment(environment, parts)} (\`environment: fail\`)`,
    advice: 'Run it where the baselines were made, or make them anew here: npx playwright test --update-snapshots',
  });
  return { status: 'error', error, capture: outcome.capture };
}

/** Gives the environment that the baseline of an outcome was made in, where there is one that says so. */
export function environmentOf(outcome: Outcome): Environment | null {
  return 'before' in outcome && outcome.before.kind === 'baseline' ? outcome.before.environment : null;
}

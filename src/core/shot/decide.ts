import type { Capture, CaptureResult, Warning } from '../../model/capture.js';
import type { Comparison } from '../../model/comparison.js';
import { differingParts, type Environment, type EnvironmentRule } from '../../model/environment.js';
import { ProofsheetError } from '../../model/errors.js';
import type { EncodedImage } from '../../model/image.js';
import { renderEnvironment } from '../../report/format/environment.js';

/** Playwright's `--update-snapshots`; `default` (1.64) writes what is missing, but fails. */
export type UpdateMode = 'all' | 'changed' | 'missing' | 'none' | 'default';

/** What may be written in this run. */
export interface Policy {
  readonly mode: UpdateMode;
  /** On a build server the mode `default` writes nothing. */
  readonly ci: boolean;
}

/** What an after image is held against. */
export type Before =
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged'; readonly error: ProofsheetError }
  | {
      readonly kind: 'baseline';
      readonly image: EncodedImage;
      readonly sha256: string;
      /** What it was made in; null where it does not say. */
      readonly environment: Environment | null;
      readonly comparison: Comparison;
      /** Share of the pixels that were compared, 0..1. */
      readonly compared: number;
      /** What is unlike the baseline's own run. */
      readonly warnings: readonly Warning[];
    }
  /** The other side of a two-state run: nothing is ever written for it. */
  | {
      readonly kind: 'live';
      readonly capture: Capture;
      readonly comparison: Comparison;
      /** Share of the pixels that were compared, 0..1. */
      readonly compared: number;
    };

/** All that was found out about a shot. */
export type Evidence =
  | { readonly kind: 'ignored' }
  | { readonly kind: 'failed'; readonly error: ProofsheetError }
  | {
      readonly kind: 'unstable';
      readonly result: Extract<CaptureResult, { kind: 'unstable' }>;
      readonly motion: Comparison;
    }
  | { readonly kind: 'captured'; readonly capture: Capture; readonly before: Before };

/** What became of a shot, and what is to be done about it. `write`: the capture becomes its baseline. */
export type Outcome =
  | { readonly status: 'skipped' }
  | { readonly status: 'error'; readonly error: ProofsheetError; readonly capture: Capture | null }
  | (Omit<Extract<Evidence, { kind: 'unstable' }>, 'kind'> & { readonly status: 'unstable' })
  | { readonly status: 'new'; readonly capture: Capture; readonly write: boolean; readonly green: boolean }
  | (Compared & { readonly status: 'passed' | 'changed'; readonly write: boolean });

/** A capture with something to hold it against. */
export interface Compared {
  readonly capture: Capture;
  readonly before: Extract<Before, { kind: 'baseline' | 'live' }>;
}

/** Decides what became of a shot: the one place where that is decided. */
export function decideOutcome(evidence: Evidence, policy: Policy, strict: boolean): Outcome {
  switch (evidence.kind) {
    case 'ignored':
      return { status: 'skipped' };
    case 'failed':
      return { status: 'error', error: evidence.error, capture: null };
    case 'unstable':
      return { status: 'unstable', result: evidence.result, motion: evidence.motion };
    case 'captured': {
      const warning = strict ? warningOf(evidence) : null;
      if (warning) return { status: 'error', error: warning, capture: evidence.capture };
      return judge(evidence.capture, evidence.before, policy);
    }
    default:
      return evidence satisfies never;
  }
}

/** Checks whether the run stays green with this outcome. */
export function isGreen(outcome: Outcome): boolean {
  switch (outcome.status) {
    case 'skipped':
    case 'passed':
      return true;
    case 'changed':
      return outcome.write;
    case 'new':
      return outcome.green;
    case 'error':
    case 'unstable':
      return false;
    default:
      return outcome satisfies never;
  }
}

function judge(capture: Capture, before: Before, { mode, ci }: Policy): Outcome {
  const rewrites = mode === 'all' || mode === 'changed';
  switch (before.kind) {
    case 'missing':
      return judgeNew(capture, mode, ci);
    case 'damaged':
      if (rewrites) return { status: 'new', capture, write: true, green: true };
      return { status: 'error', error: before.error, capture };
    case 'live':
      return { status: statusOf(before.comparison), capture, before, write: false };
    case 'baseline': {
      const status = statusOf(before.comparison);
      const write = status === 'changed' ? rewrites : mode === 'all' && before.comparison.kind !== 'equal';
      return { status, capture, before, write };
    }
    default:
      return before satisfies never;
  }
}

function judgeNew(capture: Capture, mode: UpdateMode, ci: boolean): Outcome {
  switch (mode) {
    case 'all':
    case 'changed':
    case 'missing':
      return { status: 'new', capture, write: true, green: true };
    case 'default':
      return { status: 'new', capture, write: !ci, green: false };
    case 'none':
      return { status: 'new', capture, write: false, green: false };
    default:
      return mode satisfies never;
  }
}

function statusOf(comparison: Comparison): 'passed' | 'changed' {
  return comparison.kind === 'different' ? 'changed' : 'passed';
}

function warningOf({ capture, before }: Extract<Evidence, { kind: 'captured' }>): ProofsheetError | null {
  const sides = before.kind === 'live' ? [before.capture, capture] : [capture];
  for (const { url, warnings } of sides) {
    const [first] = warnings;
    if (!first) continue;
    return new ProofsheetError({
      code: 'page-warning',
      where: url,
      found: `${first.message} (\`strict\` makes it an error)`,
      advice: 'Mend the page, or take `strict` away.',
    });
  }
  return null;
}

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
export function refuseMismatch(outcome: Outcome, { rule, url, run }: Surroundings, { mode }: Policy): Outcome {
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

/** Returns the environment that the baseline of an outcome was made in, where there is one that says so. */
export function environmentOf(outcome: Outcome): Environment | null {
  return 'before' in outcome && outcome.before.kind === 'baseline' ? outcome.before.environment : null;
}

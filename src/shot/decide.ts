import {
  type Capture,
  type CapturedStructure,
  type CaptureResult,
  type Comparison,
  differingParts,
  type EncodedImage,
  type Environment,
  type EnvironmentRule,
  ProofsheetError,
  type Warning,
} from '../model/index.js';
import { renderEnvironment } from '../report/index.js';

/** Playwright's `--update-snapshots`; `default` writes what is missing, but fails. */
export type UpdateMode = 'all' | 'changed' | 'missing' | 'none' | 'default';

/** Determines which baselines this run writes. */
export interface Policy {
  readonly mode: UpdateMode;
  /** Whether the run is on a build server, where the mode `default` writes nothing. */
  readonly ci: boolean;
}

/** The image that an after image is compared with. */
export type Before =
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged'; readonly error: ProofsheetError }
  | {
      readonly kind: 'baseline';
      readonly image: EncodedImage;
      readonly sha256: string;
      /** The packed structure of the page; null if the baseline has none. */
      readonly structure: Buffer | null;
      /** The environment in which the baseline was captured; null if the baseline does not record it. */
      readonly environment: Environment | null;
      readonly comparison: Comparison;
      /** Share of the pixels that were compared, 0..1. */
      readonly compared: number;
      /** Differences from the run that captured the baseline. */
      readonly warnings: readonly Warning[];
      /** What the record of the baseline lacks. A run that rewrites baselines writes it again. */
      readonly outdated: readonly Warning[];
    }
  /** The other side of a two-state run. It is never written as a baseline. */
  | {
      readonly kind: 'live';
      readonly capture: Capture;
      readonly comparison: Comparison;
      /** Share of the pixels that were compared, 0..1. */
      readonly compared: number;
    };

/** The data that the outcome of a shot depends on. */
export type Evidence =
  | { readonly kind: 'ignored' }
  | { readonly kind: 'failed'; readonly error: ProofsheetError }
  | Unstable
  | Captured;

/** A page that kept changing, or whose loads differ. */
export interface Unstable {
  readonly kind: 'unstable';
  /** `responses`: its loads differ, and they miss different responses. */
  readonly by: 'time' | 'loads' | 'responses';
  readonly result: Extract<CaptureResult, { kind: 'unstable' }>;
  /** The structure of the load before the last one; null: not known, or the screenshots are of one load. */
  readonly previous: CapturedStructure | null;
  /** The comparison of the last two images. */
  readonly motion: Comparison;
}

/** A capture, and the image that it is compared with. */
export interface Captured {
  readonly kind: 'captured';
  readonly capture: Capture;
  readonly before: Before;
  /** Earlier loads of the page that differ from this one. */
  readonly earlier: readonly Captured[];
}

/** The outcome of a shot. If `write` is true, the capture becomes the baseline. */
export type Outcome =
  | { readonly status: 'skipped' }
  | { readonly status: 'error'; readonly error: ProofsheetError; readonly capture: Capture | null }
  | (Omit<Unstable, 'kind'> & { readonly status: 'unstable' })
  | { readonly status: 'new'; readonly capture: Capture; readonly write: boolean; readonly green: boolean }
  | (Compared & { readonly status: 'passed' | 'changed'; readonly write: boolean });

/** A capture, and the image that it was compared with. */
export interface Compared {
  readonly capture: Capture;
  readonly before: Extract<Before, { kind: 'baseline' | 'live' }>;
}

/** Decides the outcome of a shot from the evidence. Writes nothing. */
export function decideOutcome(evidence: Evidence, policy: Policy, strict: boolean): Outcome {
  switch (evidence.kind) {
    case 'ignored':
      return { status: 'skipped' };
    case 'failed':
      return { status: 'error', error: evidence.error, capture: null };
    case 'unstable': {
      const { kind: _, ...unstable } = evidence;
      return { status: 'unstable', ...unstable };
    }
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

/** Checks whether a run writes the baselines of changed shots. */
export function isRewriting({ mode }: Pick<Policy, 'mode'>): boolean {
  return mode === 'all' || mode === 'changed';
}

function judge(capture: Capture, before: Before, { mode, ci }: Policy): Outcome {
  const rewrites = isRewriting({ mode });
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
      const isOther = status === 'changed' || before.outdated.length > 0;
      const write = isOther ? rewrites : mode === 'all' && before.comparison.kind !== 'equal';
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

function warningOf({ capture, before }: Captured): ProofsheetError | null {
  const sides = before.kind === 'live' ? [before.capture, capture] : [capture];
  for (const { url, warnings } of sides) {
    const [first] = warnings;
    if (first) return strictError(url, first);
  }
  return null;
}

function strictError(where: string, { message }: Warning): ProofsheetError {
  return new ProofsheetError({
    code: 'page-warning',
    where,
    found: `${message} (\`strict\` makes this warning an error)`,
    advice: 'Fix the page, or remove `strict`.',
  });
}

/**
 * Adds the warnings about an image that becomes a baseline, now or by approval, and about a baseline that lacks something. With `strict`,
 * the outcome becomes an error.
 */
export function warnAboutBaseline(outcome: Outcome, strict: boolean): Outcome {
  if (outcome.status !== 'new' && outcome.status !== 'passed' && outcome.status !== 'changed') return outcome;
  const { capture } = outcome;
  const more = [
    ...(becomesBaseline(outcome) ? (capture.baselineWarnings ?? []) : []),
    ...('before' in outcome && outcome.before.kind === 'baseline' && !outcome.write ? outcome.before.outdated : []),
  ];
  const [first] = more;
  if (!first) return outcome;
  if (strict) return { status: 'error', error: strictError(capture.url, first), capture };
  return { ...outcome, capture: { ...capture, warnings: [...capture.warnings, ...more] } };
}

type Judged = Extract<Outcome, { status: 'new' | 'passed' | 'changed' }>;

function becomesBaseline(outcome: Judged): boolean {
  if (outcome.status === 'new') return true;
  return outcome.before.kind === 'baseline' && (outcome.status === 'changed' || outcome.write);
}

/** The input of the check that a baseline was captured in the same environment. */
export interface EnvironmentCheck {
  readonly rule: EnvironmentRule;
  readonly url: string;
}

/**
 * Applies `environment: fail`: refuses a baseline that was captured in another environment.
 *
 * The outcome becomes an error. In a run that rewrites baselines, the baseline is written again instead. A capture that equals
 * its baseline byte for byte passes in any environment. The engine is ignored, because it does not change the images.
 */
export function enforceEnvironmentRule(outcome: Outcome, { rule, url }: EnvironmentCheck, { mode }: Policy): Outcome {
  const baselineEnvironment = environmentOf(outcome);
  if (rule !== 'fail' || !baselineEnvironment || !('before' in outcome)) return outcome;
  const environment = { ...outcome.capture.environment, engine: baselineEnvironment.engine };
  const parts = differingParts(baselineEnvironment, environment);
  if (parts.length === 0 || outcome.before.comparison.kind === 'equal') return outcome;
  if (isRewriting({ mode })) return { ...outcome, write: true };
  const error = new ProofsheetError({
    code: 'baseline-environment',
    where: url,
    found: `the baseline was captured with ${renderEnvironment(baselineEnvironment, parts)}, but this run uses ${renderEnvironment(environment, parts)} (\`environment: fail\`)`,
    advice:
      'Run in the environment of the baselines, or update them in this environment: npx playwright test --update-snapshots',
  });
  return { status: 'error', error, capture: outcome.capture };
}

/** Returns the environment in which the baseline of an outcome was captured; null if there is none or it is not recorded. */
export function environmentOf(outcome: Outcome): Environment | null {
  return 'before' in outcome && outcome.before.kind === 'baseline' ? outcome.before.environment : null;
}

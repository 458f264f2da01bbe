import {
  type Capture,
  differingParts,
  type Environment,
  type ProofsheetError,
  type VerdictSettings,
  type Warning,
  withWarnings,
} from '../model/index.js';
import { ownShare } from './excluded-areas.js';
import {
  type BaselineImage,
  type Before,
  type ComparedLoad,
  type Observation,
  type Reused,
  type Skipped,
  sidesOf,
  type Unstable,
} from './observation.js';

/** Playwright's `--update-snapshots`; `default` writes what is missing, but fails. */
export type UpdateMode = 'all' | 'changed' | 'missing' | 'none' | 'default';

/** Determines which baselines this run writes. */
export interface Policy {
  readonly mode: UpdateMode;
  /** Whether the run is on a build server, where the mode `default` writes nothing. */
  readonly ci: boolean;
}

/** The outcome of a shot. If `write` is true, the capture becomes the baseline. */
export type Outcome =
  | Skipped
  | Reused
  | Unstable
  | { readonly status: 'error'; readonly problem: ShotProblem; readonly capture: Capture | null }
  | Judged;

type Judged =
  | { readonly status: 'new'; readonly capture: Capture; readonly write: boolean; readonly green: boolean }
  | {
      readonly status: 'passed' | 'changed';
      readonly capture: Capture;
      readonly before: Extract<Before, { kind: 'baseline' | 'live' }>;
      readonly write: boolean;
    };

/** Why a shot is an error. */
export type ShotProblem =
  | { readonly kind: 'failed'; readonly error: ProofsheetError }
  /** A warning of a `strict` shot. */
  | { readonly kind: 'warning'; readonly url: string; readonly message: string }
  | {
      readonly kind: 'environment';
      readonly baseline: Environment;
      readonly current: Environment;
      readonly parts: readonly (keyof Environment)[];
    }
  /** `mask` and `ignore` leave too few pixels. `masked-baseline`: only because of the areas that the baseline has. */
  | { readonly kind: 'masked' | 'masked-baseline'; readonly compared: number };

/** Decides the outcome of a shot. Writes nothing, and formats no text. */
export function decide(verdict: VerdictSettings, observation: Observation, policy: Policy): Outcome {
  switch (observation.status) {
    case 'skipped':
    case 'reused':
    case 'unstable':
      return observation;
    case 'failed':
      return { status: 'error', problem: { kind: 'failed', error: observation.error }, capture: null };
    case 'captured':
      return decideCaptured(verdict, observation, policy);
    default:
      return observation satisfies never;
  }
}

export function isGreenOutcome(outcome: Outcome): boolean {
  if (outcome.status === 'new') return outcome.green;
  if (outcome.status === 'changed') return outcome.write;
  return outcome.status !== 'error' && outcome.status !== 'unstable';
}

export function isRewriting({ mode }: Pick<Policy, 'mode'>): boolean {
  return mode === 'all' || mode === 'changed';
}

/** Returns the capture that becomes the baseline with this outcome, now or by approval; null if there is none. */
export function nextBaseline(outcome: Outcome): Capture | null {
  if (outcome.status === 'new') return outcome.capture;
  if (!isCompared(outcome) || outcome.before.kind === 'live') return null;
  return outcome.status === 'changed' || outcome.write ? outcome.capture : null;
}

export function captureOf(outcome: Outcome): Capture | null {
  return 'capture' in outcome ? outcome.capture : null;
}

export function isCompared(outcome: Outcome): outcome is Extract<Outcome, { status: 'passed' | 'changed' }> {
  return outcome.status === 'passed' || outcome.status === 'changed';
}

function decideCaptured(verdict: VerdictSettings, captured: ComparedLoad, policy: Policy): Outcome {
  const { capture, before } = captured;
  const refuse = (problem: ShotProblem): Outcome => ({ status: 'error', problem, capture });
  const sides = sidesOf(captured).toReversed();
  const [warned] = sides.flatMap(({ url, warnings }) => warnings.map(({ message }) => ({ url, message })));
  if (verdict.strict && warned) return refuse({ kind: 'warning', ...warned });
  if (before.kind === 'damaged' && !isRewriting(policy)) return refuse({ kind: 'failed', error: before.error });
  let judged = judge(capture, before, policy);
  for (const problem of [...environmentProblems(verdict, judged), ...maskProblems(verdict, judged)]) {
    if (problem.kind === 'masked' || !isRewriting(policy)) return refuse(problem);
    // A new baseline does not have the problem.
    judged = { ...judged, write: true };
  }
  const warnings = baselineWarnings(judged);
  const [first] = warnings;
  if (first && verdict.strict) return refuse({ kind: 'warning', url: capture.url, message: first.message });
  return first ? { ...judged, capture: withWarnings(capture, warnings) } : judged;
}

function judge(capture: Capture, before: Before, policy: Policy): Judged {
  const { mode, ci } = policy;
  if (before.kind === 'missing' && (mode === 'none' || mode === 'default'))
    return { status: 'new', capture, write: mode === 'default' && !ci, green: false };
  if (!('comparison' in before)) return { status: 'new', capture, write: true, green: true };
  const status = isChanged(capture, before) ? 'changed' : 'passed';
  return { status, capture, before, write: isReplaced(before, policy) };
}

/** Checks whether a run writes the baseline again. A capture that equals its baseline is the same file. */
export function isReplaced(before: Before, policy: Policy): boolean {
  if (before.kind !== 'baseline') return false;
  if (isDifferent(before) || before.outdated.length > 0) return isRewriting(policy);
  return policy.mode === 'all' && before.comparison.kind !== 'equal';
}

/**
 * Checks whether a shot is changed. Two things are a change whatever the image shows: a text that its pattern does not allow, and another text
 * to which a visitor can scroll.
 */
export function isChanged(capture: Capture, before: Before): boolean {
  return isDifferent(before) || hasWrongTexts(capture);
}

export function hasWrongTexts({ wrongTexts = [] }: Capture): boolean {
  return wrongTexts.length > 0;
}

function isDifferent(before: Before): boolean {
  if (!('comparison' in before)) return false;
  const isRedrawn = before.kind === 'baseline' && before.redraw?.kind === 'redrawn';
  return (before.comparison.kind === 'different' && !isRedrawn) || before.textChange?.isBeyond === true;
}

/** Applies `environment: fail`. Equal bytes pass in any environment. The engine does not change the images. */
function environmentProblems({ environment: rule }: VerdictSettings, judged: Judged): ShotProblem[] {
  const baseline = baselineOf(judged)?.record?.environment;
  if (rule !== 'fail' || !baseline || !isCompared(judged) || judged.before.comparison.kind === 'equal') return [];
  const current = { ...judged.capture.environment, engine: baseline.engine };
  const parts = differingParts(baseline, current);
  return parts.length === 0 ? [] : [{ kind: 'environment', baseline, current, parts }];
}

function maskProblems({ minCompared }: VerdictSettings, judged: Judged): ShotProblem[] {
  const own = ownShare(judged.capture);
  const compared = isCompared(judged) ? judged.before.compared : own;
  if (compared >= minCompared) return [];
  const isByBaseline = baselineOf(judged) !== null && own >= minCompared;
  return [{ kind: isByBaseline ? 'masked-baseline' : 'masked', compared }];
}

/** Lists the warnings about an image that becomes a baseline, and about a baseline that lacks something. */
function baselineWarnings(judged: Judged): readonly Warning[] {
  const outdated =
    isCompared(judged) && judged.before.kind === 'baseline' && !judged.write ? judged.before.outdated : [];
  return [...(nextBaseline(judged)?.baselineWarnings ?? []), ...outdated];
}

/** Returns the baseline that an outcome depends on; null if there is none. */
export function baselineOf(outcome: Outcome): BaselineImage | null {
  if (outcome.status === 'reused') return outcome.baseline;
  return isCompared(outcome) && outcome.before.kind === 'baseline' ? outcome.before.baseline : null;
}

import { createHash } from 'node:crypto';
import type { PassedTime } from '../in-page/page-clock.js';
import { LONG_TIMER_MS, type TimerRange } from '../in-page/timers.js';
import type { Patience } from './pending-requests.js';

/** Pauses between screenshots, in milliseconds. `others` repeats. They are irregular: a page that repeats is seen in each state. */
const PAUSES_MS = { first: [100, 250], others: [500, 330, 170, 390, 290] };

/** Pause while all screenshots match, in milliseconds: if the browser may draw in several ways, a longer one does not help. */
const SHORT_PAUSE_MS = 100;

/**
 * Time limit for two consecutive screenshots to match, in milliseconds. It grows with the required number of matches. A page whose
 * screenshots all differ is still making progress: it has until half of the time that its deadline leaves.
 */
const BUDGET_MS = 5_000;

/**
 * Timers due within this time must run before a screenshot that differs from the baseline is accepted, in milliseconds. Before the
 * first screenshot, single timers of up to {@link LONG_TIMER_MS} run too: whether they run does not depend on the speed of the machine.
 */
export const HORIZON_MS = 2_500;

/** How long after the horizon overdue timers are still awaited, in milliseconds: on a busy machine, timers run late. */
const OVERDUE_MS = 600;

/** Time without a change, in milliseconds, and number of equal screenshots, that a page must reach once it changed between two. */
const AFTER_CHANGE = { ms: 2_000, images: 6 };

/** The final screenshot of a page. `shots` is the number of screenshots taken. */
export type FinalShot =
  | { readonly kind: 'settled'; readonly bytes: Buffer; readonly shots: number }
  /** `previous` is the last screenshot that differs from `bytes`. */
  | { readonly kind: 'unstable'; readonly bytes: Buffer; readonly previous: Buffer; readonly shots: number };

/** The next step of the driver. Each one but `end` is answered with the event of the same kind. */
export type Effect =
  /** Wait until no pending response can change the page, up to a cap. */
  | { readonly kind: 'responses'; readonly patience: Patience }
  /** Force the browser to render the page again, then let time pass. With `skips`, the time of the page is skipped where possible. */
  | { readonly kind: 'redraw'; readonly until: number; readonly skips: boolean }
  /** Read the timers that are due within this time. 0 ms includes overdue timers. */
  | { readonly kind: 'timers'; readonly within: TimerRange }
  /** Skip this time of the page, in milliseconds, as far as nothing but timers is pending. */
  | { readonly kind: 'skip'; readonly ms: number }
  /** Take a screenshot. */
  | { readonly kind: 'shot' }
  /** Check whether a response was pending at `since` or later. */
  | { readonly kind: 'pending'; readonly since: number; readonly patience: Patience }
  /** Determine how many consecutive screenshots must match. */
  | { readonly kind: 'required' }
  | { readonly kind: 'end'; readonly result: FinalShot };

/** The result of an effect. */
export type StabilityEvent =
  | { readonly kind: 'responses'; readonly waitedMs: number }
  | { readonly kind: 'redraw' }
  /** Milliseconds until the last timer; 0 if none is due. */
  | { readonly kind: 'timers'; readonly aheadMs: number }
  /** Less time passed than asked for if something else is pending. */
  | ({ readonly kind: 'skip' } & PassedTime)
  | Shot
  | { readonly kind: 'pending'; readonly isPending: boolean }
  /** At least 2. */
  | { readonly kind: 'required'; readonly matches: number };

interface Shot {
  readonly kind: 'shot';
  readonly bytes: Buffer;
  /** The screenshot equals the baseline byte for byte. */
  readonly isExpected: boolean;
  readonly startedAt: number;
}

/**
 * The screenshots of a page so far, and the values that decide its stability. All times are in milliseconds of one clock.
 */
export interface StabilityState {
  /** The start of the capture, or the end of the first skip, plus the time that responses were waited for. */
  readonly startedAt: number;
  /** Milliseconds until the deadline of the capture, at the start. */
  readonly remainingMs: number;
  /** The value of `settle: { late }`, in milliseconds. It replaces the horizon if it is longer. */
  readonly lateMs: number;
  /** How long responses are waited for while the page equals what is expected. For any other image, the wait is long. */
  readonly patience: Patience;
  /** Number of consecutive screenshots that must match if they differ from the baseline; null until it is known. */
  readonly required: number | null;
  /** Number of screenshots taken. */
  readonly shots: number;
  /** The last screenshot; null before the first. */
  readonly last: Shot | null;
  /** The last screenshot that was assessed; null before the first. */
  readonly assessed: Buffer | null;
  /** The last assessed screenshot that differs from `assessed`. */
  readonly different: Buffer | null;
  /** Number of equal screenshots at the end of the sequence. */
  readonly matches: number;
  /** Digests of all assessed screenshots. */
  readonly seen: ReadonlySet<string>;
  /** Time at which a screenshot last differed from the previous one; null if none did. */
  readonly changedAt: number | null;
  /** An earlier state of the page came back. */
  readonly alternates: boolean;
  /** Milliseconds until the last timer that was still ahead just before the last screenshot was taken; 0 for none. */
  readonly aheadMs: number;
  readonly hadTimers: boolean;
  /** The timers that were due before the first screenshot were skipped, or could not be. From the start if they must not run. */
  readonly hasRunTimers: boolean;
}

/** A state, and the step that follows from it. */
export interface Step {
  readonly state: StabilityState;
  readonly effect: Effect;
}

/** Returns the first step. */
export function begin({
  startedAt,
  remainingMs,
  lateMs,
  patience,
  hasRunTimers,
}: Pick<StabilityState, 'startedAt' | 'remainingMs' | 'lateMs' | 'patience' | 'hasRunTimers'>): Step {
  const state: StabilityState = {
    ...{
      startedAt,
      remainingMs,
      lateMs,
      patience,
      required: null,
      shots: 0,
      last: null,
      assessed: null,
      different: null,
    },
    ...{ matches: 0, seen: new Set<string>(), changedAt: null, alternates: false, aheadMs: 0, hadTimers: false },
    hasRunTimers,
  };
  return { state, effect: { kind: 'responses', patience } };
}

/**
 * Returns the step that follows an event. Pure: it reads no clock.
 *
 * The timers that are due are skipped before the first screenshot, where possible. One screenshot is enough if it equals the baseline
 * and no response was pending. Otherwise, a page is stable once enough consecutive screenshots match and no response or timer is
 * pending that could change it. A page that had such timers and changed must be stable for longer. At the time limit, two equal
 * screenshots are enough if the page never changed, or has not for long; otherwise the page is unstable.
 *
 * @param at the time of the event.
 */
export function next(state: StabilityState, event: StabilityEvent, at: number): Step {
  switch (event.kind) {
    case 'responses':
      return continueAfterResponses(state, event.waitedMs, at);
    case 'redraw':
      return readTimers(state, at);
    case 'timers':
      return skipTimers({ ...state, aheadMs: event.aheadMs });
    case 'skip':
      return event.passedMs < state.aheadMs
        ? { state, effect: { kind: 'shot' } }
        : readTimers({ ...state, startedAt: at }, at);
    case 'shot': {
      const taken = { ...state, last: event, shots: state.shots + 1 };
      if (!event.isExpected) return assess(taken, event, at);
      return { state: taken, effect: { kind: 'pending', since: event.startedAt, patience: state.patience } };
    }
    case 'pending': {
      const { last, shots } = state;
      if (!last) throw new Error('no screenshot was taken yet');
      if (!event.isPending) return settled(state, last.bytes, shots);
      return last.isExpected ? assess(state, last, at) : rest(state);
    }
    case 'required':
      return rest({ ...state, required: event.matches });
    default:
      return event satisfies never;
  }
}

/** Time that passes while responses are waited for counts against no time limit but the deadline. */
function continueAfterResponses(before: StabilityState, waitedMs: number, at: number): Step {
  const { startedAt, remainingMs } = before;
  const state = { ...before, startedAt: startedAt + waitedMs, remainingMs: remainingMs - waitedMs };
  if (state.shots === 0 || state.last?.isExpected) return readTimers(state, at);
  return { state, effect: { kind: 'redraw', until: at + pauseAfter(state), skips: state.aheadMs > 0 } };
}

/** Does not ask for timers long after the horizon: those that are due then are not awaited. */
function readTimers(state: StabilityState, at: number): Step {
  const { startedAt, lateMs, remainingMs, hasRunTimers } = state;
  const leftUntil = (horizonMs: number) => startedAt + Math.min(Math.max(horizonMs, lateMs), remainingMs / 2) - at;
  const leftMs = leftUntil(HORIZON_MS);
  if (leftMs <= -OVERDUE_MS) return { state: { ...state, aheadMs: 0 }, effect: { kind: 'shot' } };
  const repeatingMs = Math.max(0, leftMs);
  const singleMs = hasRunTimers ? repeatingMs : leftUntil(LONG_TIMER_MS);
  return { state, effect: { kind: 'timers', within: { singleMs, repeatingMs } } };
}

/** Skips the timers that are due before the first screenshot, once. */
function skipTimers(state: StabilityState): Step {
  const { aheadMs, hasRunTimers } = state;
  const effect: Effect = aheadMs > 0 && !hasRunTimers ? { kind: 'skip', ms: aheadMs } : { kind: 'shot' };
  return { state: { ...state, hasRunTimers: true }, effect };
}

/** Decides whether a screenshot is accepted that does not equal the baseline, or equals it too early. */
function assess(before: StabilityState, { bytes, isExpected, startedAt }: Shot, at: number): Step {
  const isFirst = before.assessed === null;
  const isSame = before.assessed?.equals(bytes) ?? false;
  const state = addToHistory(before, bytes, isSame, at);
  if (isFirst || state.required === null) return { state, effect: { kind: 'required' } };
  const isQuiet = isQuietAfterChange(state, at);
  const isStable = state.matches >= state.required && state.aheadMs <= 0 && (isQuiet || !state.hadTimers);
  // A baseline match with a pending response may match the next screenshot by chance.
  if (!isExpected && isStable) return { state, effect: { kind: 'pending', since: startedAt, patience: 'long' } };
  if (at <= endOf(state, state.required)) return rest(state);
  return isSame && isQuiet ? settled(state, bytes, state.shots) : unstable(state, bytes);
}

function addToHistory(state: StabilityState, bytes: Buffer, isSame: boolean, at: number): StabilityState {
  const { assessed, aheadMs } = state;
  const matches = isSame ? state.matches + 1 : 1;
  const added = { ...state, assessed: bytes, matches, hadTimers: state.hadTimers || aheadMs > 0 };
  if (isSame) return added;
  const digest = createHash('sha1').update(bytes).digest('hex');
  const seen = new Set([...state.seen, digest]);
  if (assessed === null) return { ...added, seen, different: bytes };
  const alternates = state.alternates || state.seen.has(digest);
  return { ...added, seen, alternates, different: assessed, changedAt: at };
}

/** Checks that a page never changed, or that it was seen unchanged often and for long enough to rule out that it repeats. */
function isQuietAfterChange({ changedAt, matches }: StabilityState, at: number): boolean {
  return changedAt === null || (at - changedAt >= AFTER_CHANGE.ms && matches >= AFTER_CHANGE.images);
}

/** The time after which no further screenshot is planned: at most half of the time until the deadline. */
function endOf({ startedAt, remainingMs, lateMs, changedAt, alternates }: StabilityState, required: number): number {
  const isProgressing = changedAt !== null && !alternates;
  const budgetMs = ((BUDGET_MS + Math.max(0, lateMs - HORIZON_MS)) * required) / 2;
  return startedAt + (isProgressing ? remainingMs / 2 : Math.min(budgetMs, remainingMs / 2));
}

/** Waits for responses before the next screenshot. */
function rest(state: StabilityState): Step {
  return { state, effect: { kind: 'responses', patience: state.last?.isExpected ? state.patience : 'long' } };
}

/** Returns the pause after a screenshot, in milliseconds. It ends when a timer is due, because that may complete the page. */
function pauseAfter({ aheadMs, required, matches, shots, changedAt }: StabilityState): number {
  const isSteady = required !== null && required > matches && changedAt === null;
  return Math.min(aheadMs || Number.POSITIVE_INFINITY, isSteady ? SHORT_PAUSE_MS : regularPause(shots));
}

/** @param shots the number of screenshots before the pause. */
function regularPause(shots: number): number {
  const { first, others } = PAUSES_MS;
  const index = shots - 1;
  return first[index] ?? others[(index - first.length) % others.length] ?? 0;
}

function settled(state: StabilityState, bytes: Buffer, shots: number): Step {
  return { state, effect: { kind: 'end', result: { kind: 'settled', bytes, shots } } };
}

function unstable(state: StabilityState, bytes: Buffer): Step {
  const previous = state.different ?? bytes;
  return { state, effect: { kind: 'end', result: { kind: 'unstable', bytes, previous, shots: state.shots } } };
}

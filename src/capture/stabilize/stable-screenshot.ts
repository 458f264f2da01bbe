import { createHash } from 'node:crypto';
import type { Deadline } from '../deadline.js';
import type { PlannedTimers } from './planned-timers.js';

/**
 * Pauses between screenshots, in milliseconds. `others` repeats. The values are irregular so that no page period
 * matches them.
 */
const PAUSES_MS = { first: [100, 250], others: [500, 330, 170, 390, 290] };

/**
 * Time limit for two consecutive screenshots to match, in milliseconds. It grows with the required number of matches.
 */
const BUDGET_MS = 5_000;

/**
 * Timers due within this time must run before a screenshot that differs from the baseline is accepted, in milliseconds.
 */
export const HORIZON_MS = 2_500;

/** Tolerance for late timers after the horizon, in milliseconds: on a busy machine timers run late. */
const LATE_MS = 600;

/** The result of {@link takeStableShot}. `shots` is the number of screenshots taken. */
export type StableShot =
  | { readonly kind: 'settled'; readonly bytes: Buffer; readonly shots: number }
  /** `previous` is the last screenshot that differs from `bytes`. */
  | { readonly kind: 'unstable'; readonly bytes: Buffer; readonly previous: Buffer; readonly shots: number };

/** Captures the screenshots. */
export interface Shooting {
  shoot(): Promise<Buffer>;
  /** Forces the browser to render the page again, so that the next screenshot does not reuse rendered layers. */
  redraw(): Promise<void>;
}

/** The conditions under which a screenshot is accepted. */
export interface Judge {
  /** Checks whether a screenshot equals the baseline byte for byte. One such screenshot is enough. */
  readonly isExpected: (bytes: Buffer) => boolean;
  /** Waits until no pending response can change the page, up to its own cap. */
  readonly settled: () => Promise<void>;
  /** Checks whether a response was pending at `since` (`performance.now()`) or later. */
  readonly isPendingSince: (since: number) => Promise<boolean>;
  /** Returns the timers that are due within this time. 0 ms includes overdue timers. */
  readonly plans: (withinMs: number) => Promise<PlannedTimers>;
  /** Returns the number of consecutive screenshots that must match if they differ from the baseline; at least 2. */
  readonly enough: () => Promise<number>;
  /** The value of `settle: { late }`, in milliseconds. It replaces the horizon if it is longer. */
  readonly lateMs: number;
}

/**
 * Takes screenshots until one equals the baseline or the page is stable.
 *
 * A page is stable once enough consecutive screenshots match and no timer is due that could change it. A page that had
 * such timers and changed must be stable for longer. Screenshots match if they are equal byte for byte, regardless of
 * the comparison threshold.
 */
export async function takeStableShot(
  shooting: Shooting,
  { isExpected, settled, isPendingSince, plans, enough, lateMs }: Judge,
  deadline: Deadline,
): Promise<StableShot> {
  const shoot = () => deadline.race('taking the image', shooting.shoot());
  const awaitPending = () => deadline.race('waiting for responses', settled());
  const isPending = (since: number) => deadline.race('waiting for responses', isPendingSince(since));
  const start = performance.now();
  const horizon = start + Math.min(Math.max(HORIZON_MS, lateMs), deadline.remainingMs(1 / 2));
  const budgetMs = BUDGET_MS + Math.max(0, lateMs - HORIZON_MS);
  await awaitPending();
  let startedAt = performance.now();
  let previous = await shoot();
  let wasExpected = isExpected(previous);
  if (wasExpected && !(await isPending(startedAt))) return { kind: 'settled', bytes: previous, shots: 1 };
  const required = await deadline.race('looking at the page', enough());
  const end = start + Math.min((budgetMs * required) / 2, (deadline.remainingMs() + performance.now() - start) / 2);
  const history = createChangeHistory(previous);
  let different = previous;
  let hadTimers = false;
  let hadPeriod = false;
  let { aheadMs, periodMs } = NO_TIMERS;
  for (let shots = 2; ; shots++) {
    // A timer may bring the page to the baseline state early, so screenshots are also taken before it is due. To detect
    // a change that repeats, the interval between two screenshots must be an odd multiple of its period.
    const endedAt = performance.now();
    const tookMs = endedAt - startedAt;
    const periodPauseMs = periodMs === null ? null : MIN_PAUSE_MS + untilOddMultiple(periodMs, tookMs + MIN_PAUSE_MS);
    // If the browser may render the page in several ways, a longer pause does not help.
    const regularPauseMs =
      required > history.matches() && history.matches() === shots - 1 ? MIN_PAUSE_MS : pauseBefore(shots);
    const pauseMs = periodPauseMs ?? Math.min(aheadMs || Number.POSITIVE_INFINITY, regularPauseMs);
    if (wasExpected) await awaitPending();
    else {
      // Not done before the first screenshot, which usually equals the baseline.
      await deadline.race('redrawing the page', shooting.redraw());
      await pause(endedAt + pauseMs - performance.now());
    }
    const leftMs = horizon - performance.now();
    // Read before the screenshot: a change between the screenshot and a later read would be missed.
    const plannedTimers =
      leftMs > -LATE_MS ? await deadline.race('asking for plans', plans(Math.max(0, leftMs))) : NO_TIMERS;
    aheadMs = plannedTimers.aheadMs;
    periodMs = plannedTimers.periodMs;
    startedAt = performance.now();
    const bytes = await shoot();
    wasExpected = isExpected(bytes);
    if (wasExpected && !(await isPending(startedAt))) return { kind: 'settled', bytes, shots };
    const same = bytes.equals(previous);
    history.add(bytes, same);
    if (!same) different = previous;
    hadTimers ||= aheadMs > 0;
    hadPeriod ||= periodMs !== null;
    // A baseline match with a pending response may match the next screenshot by chance.
    if (!wasExpected && history.matches() >= required && aheadMs <= 0 && !(hadTimers && history.isMoving(false)))
      return { kind: 'settled', bytes, shots };
    if (performance.now() > end) {
      // On a busy machine, too few screenshots were taken to conclude that a repeating change has ended.
      if (same && !history.isMoving(true) && !(hadPeriod && history.hasTooFewMatches()))
        return { kind: 'settled', bytes, shots };
      return { kind: 'unstable', bytes, previous: different, shots };
    }
    previous = bytes;
  }
}

/** Minimum pause between two screenshots, in milliseconds. */
const MIN_PAUSE_MS = 100;

const NO_TIMERS: PlannedTimers = { aheadMs: 0, periodMs: null };

/**
 * Returns the milliseconds until the next odd multiple of `periodMs`. At an even multiple, a toggle is back in its
 * first state.
 */
function untilOddMultiple(periodMs: number, passedMs: number): number {
  const multiple = Math.max(1, Math.ceil(passedMs / Math.max(1, periodMs)));
  return (multiple % 2 === 1 ? multiple : multiple + 1) * periodMs - passedMs;
}

function pauseBefore(shots: number): number {
  const { first, others } = PAUSES_MS;
  const index = shots - 2;
  return first[index] ?? others[(index - first.length) % others.length] ?? 0;
}

/** The changes between the screenshots of a page. */
interface ChangeHistory {
  /** Records a screenshot, and whether it equals the previous one. */
  add(bytes: Buffer, same: boolean): void;
  /**
   * Checks whether another change is likely, based on the times of the recorded changes.
   *
   * @param isLast there is no time for more screenshots.
   */
  isMoving(isLast: boolean): boolean;
  /** Returns the number of equal screenshots at the end of the sequence. */
  matches(): number;
  /** Checks whether the page changed and too few equal screenshots were taken since. */
  hasTooFewMatches(): boolean;
}

/** Stable time in milliseconds, and number of equal screenshots, that a page with due timers must reach. */
const REQUIRED = { changedMs: 600, alternatingMs: 2_000, images: 6 };

function createChangeHistory(first: Buffer): ChangeHistory {
  const seen = new Set([digestOf(first)]);
  const changes: number[] = [];
  let alternates = false;
  let images = 1;
  return {
    add(bytes, same) {
      images = same ? images + 1 : 1;
      if (same) return;
      const digest = digestOf(bytes);
      // Two equal screenshots of a toggling page prove nothing: they may show the same state of two cycles.
      alternates ||= seen.has(digest);
      seen.add(digest);
      changes.push(performance.now());
    },
    isMoving(isLast) {
      const last = changes.at(-1);
      if (last === undefined) return false;
      const longest = Math.max(0, ...changes.slice(1).map((time, index) => time - (changes[index] ?? time)));
      const requiredMs = alternates ? REQUIRED.alternatingMs : Math.max(REQUIRED.changedMs, 2 * longest);
      if (performance.now() - last < requiredMs) return true;
      return isLast ? alternates : images < REQUIRED.images;
    },
    matches: () => images,
    hasTooFewMatches: () => changes.length > 0 && images < REQUIRED.images,
  };
}

function digestOf(bytes: Buffer): string {
  return createHash('sha1').update(bytes).digest('hex');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

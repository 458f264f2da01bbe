import type { Frame, Page } from '@playwright/test';
import type { Network } from '../network.js';
import { framesOf, openRoots } from './frames.js';
import { createVirtualTime, type VirtualTime } from './virtual-time.js';

/** The timers of a document, stored in `window.__proofsheet`. */
export interface Timers {
  /** The active timers of the page, by timer id; null if they are not recorded. */
  readonly active: Map<number, ActiveTimer> | null;
  /** Slow repeating timers and long ones do not run. */
  isHolding: boolean;
  /** Time is paused unless it is skipped. */
  readonly isControlled: boolean;
  /** Advances the page; null if it cannot. */
  readonly skip: VirtualTime['skip'] | null;
}

interface ActiveTimer {
  /** Time of the first call, in milliseconds of `performance.now()`. */
  readonly dueAt: number;
  /** Milliseconds between two calls; null for a single call. */
  readonly everyMs: number | null;
  /** It repeats slowly or is long. It does not run while timers are held. */
  readonly isHoldable: boolean;
  /** A timer set it, directly or after an `await`: a chain of timeouts polls as an interval does. */
  readonly isChained: boolean;
}

/**
 * How time passes in a page: `real`; `skipping`, real time of which parts can be skipped; or controlled, in which case it is paused at
 * this moment, in milliseconds since 1970, unless it is advanced.
 */
export type TimeMode = 'real' | 'skipping' | number;

/**
 * Timers with this period or a longer one are slow, in milliseconds: a capture can hold them. Less than 1,000 ms, because
 * timeout chains shorten their delay to compensate for lateness.
 */
export const SLOW_TIMER_MS = 800;

/**
 * A single timer with a longer delay is long, in milliseconds. A capture can hold it, because it does not wait for it: only on a slow
 * machine, the timer would run. A slider that moved on after 5.5 s had a baseline with its second slide, and an alarm in each run. All
 * shorter ones run before the first screenshot.
 */
export const LONG_TIMER_MS = 5_000;

/** How far ahead timers are read, in milliseconds. Timers that repeat may never end, and are awaited for a shorter time. */
export interface TimerRange {
  readonly singleMs: number;
  readonly repeatingMs: number;
}

/** What the timer registry of a page does. */
export interface TimerOptions {
  /** Records the active timers, which determine how long a capture waits for changes. */
  readonly records: boolean;
  /** Can hold slow repeating timers, and long ones. */
  readonly holds: boolean;
  /** Holds them from the start. */
  readonly isHolding: boolean;
  readonly time: TimeMode;
  /** The value of `settle: { late }`, in milliseconds. A timer with this delay or a shorter one is not long. */
  readonly lateMs: number;
}

/**
 * Returns the source of the init script that installs the timer registry; empty if nothing is switched on. While time is controlled,
 * nothing is recorded or held: no timer runs by itself.
 */
export function timersSource({ time, records, holds, isHolding, lateMs }: TimerOptions): string {
  if (!records && !holds && time === 'real') return '';
  const isControlled = typeof time === 'number';
  const options = {
    records: records && !isControlled,
    holds: holds && !isControlled,
    isHolding,
    isControlled,
    slowMs: SLOW_TIMER_MS,
    longMs: Math.max(LONG_TIMER_MS, lateMs),
  };
  const startsAt = isControlled ? time : null;
  const virtual = time === 'real' ? 'null' : `(${String(createVirtualTime)})(${startsAt}, ${String(openRoots)})`;
  return `(${String(installTimers)})(${JSON.stringify(options)}, ${virtual});`;
}

/**
 * Wraps the timer functions. This is the only wrapper: all data about timers comes from its registry. Proxies
 * keep the names and the source text of the functions.
 *
 * Runs in the page, before its own scripts.
 */
function installTimers(
  {
    records,
    holds,
    isHolding,
    isControlled,
    slowMs,
    longMs,
  }: Omit<TimerOptions, 'time' | 'lateMs'> & Pick<Timers, 'isControlled'> & { slowMs: number; longMs: number },
  virtualTime: VirtualTime | null,
): void {
  const active = records ? new Map<number, ActiveTimer>() : null;
  const timers: Timers = { active, isHolding, isControlled, skip: virtualTime?.skip ?? null };
  window.__proofsheet ??= {};
  window.__proofsheet.timers = timers;
  let inSlowTimer = false;
  let inTimer = false;
  const { queueMicrotask } = window;
  const add = (repeats: boolean): ProxyHandler<typeof setTimeout> => ({
    apply(target, receiver, [callback, delay, ...values]: unknown[]) {
      const schedule = (handler: unknown) =>
        virtualTime
          ? virtualTime.add(repeats, handler, delay, values)
          : Number(Reflect.apply(target, receiver, [handler, delay, ...values]));
      // The execution of a string callback cannot be detected, so it is not recorded.
      if (typeof callback !== 'function') return schedule(callback);
      const ms = Number(delay) || 0;
      const isSlow = ms >= slowMs;
      // A slow timeout that a slow timer sets is an interval in effect.
      const isHoldable = holds && isSlow && (repeats || inSlowTimer || ms > longMs);
      const run = function (this: unknown, ...callArguments: unknown[]) {
        if (isHoldable && timers.isHolding) return;
        if (!repeats) active?.delete(id);
        const wasInSlowTimer = inSlowTimer;
        inSlowTimer ||= isSlow;
        inTimer = true;
        try {
          Reflect.apply(callback, this, callArguments);
        } finally {
          inSlowTimer = wasInSlowTimer;
          queueMicrotask(() => {
            inTimer = false;
          });
        }
      };
      const isChained = inTimer;
      const id = schedule(run);
      active?.set(id, { dueAt: performance.now() + ms, everyMs: repeats ? ms : null, isHoldable, isChained });
      return id;
    },
  });
  // Both clear functions accept ids of timeouts and of intervals.
  const remove: ProxyHandler<typeof clearTimeout> = {
    apply(target, receiver, args: unknown[]) {
      active?.delete(Number(args[0]));
      return virtualTime ? virtualTime.remove(Number(args[0])) : Reflect.apply(target, receiver, args);
    },
  };
  window.setTimeout = new Proxy(window.setTimeout, add(false));
  window.setInterval = new Proxy(window.setInterval, add(true));
  window.clearTimeout = new Proxy(window.clearTimeout, remove);
  window.clearInterval = new Proxy(window.clearInterval, remove);
}

/** Assumed pending time of a page that the test opened, in milliseconds: its timers are unknown. */
const UNKNOWN_TIMERS_MS = 1_000;

/** Assumed pending time while a request is open, in milliseconds. */
const OPEN_REQUEST_MS = 100;

/**
 * Creates a function that returns the milliseconds until the last timer of a page that is due within a range; 0 if there is none. An open
 * request counts as a timer.
 */
export function createTimerReader(page: Page, network: Network): (within: TimerRange) => Promise<number> {
  const start = performance.now();
  return async (within) => {
    // A detached frame has no timers.
    const readFrame = (frame: Frame) => frame.evaluate(readTimers, within).catch(() => 0);
    const frames = await Promise.all(framesOf(page).map(readFrame));
    // A frame without the init script has unknown timers, for example in a page that the test opened.
    const unknown = () => Math.max(0, Math.min(within.repeatingMs, start + UNKNOWN_TIMERS_MS - performance.now()));
    const openRequests = network.pending(['fetch', 'xhr', 'image', 'script', 'stylesheet', 'font', 'document']).length;
    const forRequests = openRequests > 0 ? Math.min(OPEN_REQUEST_MS, within.repeatingMs) : 0;
    return Math.max(forRequests, ...frames.map((aheadMs) => aheadMs ?? unknown()));
  };
}

/** Runs in the page. Returns null if the timers were not recorded. */
function readTimers({ singleMs, repeatingMs }: TimerRange): number | null {
  const timers = window.__proofsheet?.timers;
  if (!timers?.active) return null;
  const running = Array.from(timers.active.values()).filter(({ isHoldable }) => !(isHoldable && timers.isHolding));
  const now = performance.now();
  // A repeating timer is due until the end of its range.
  const repeats = running.some(({ everyMs }) => everyMs !== null && everyMs < repeatingMs);
  // The next call of a repeating timer is never overdue: there is another one after it.
  const nextCall = ({ dueAt, everyMs }: ActiveTimer) =>
    everyMs === null ? dueAt : dueAt + Math.max(0, Math.ceil((now - dueAt) / Math.max(1, everyMs))) * everyMs;
  const dueMs = running
    .map((timer) => ({ aheadMs: nextCall(timer) - now, withinMs: timer.everyMs === null ? singleMs : repeatingMs }))
    .filter(({ aheadMs, withinMs }) => aheadMs < withinMs)
    // Timers run slightly late, so 20 ms are added.
    .map(({ aheadMs }) => Math.max(0, aheadMs) + 20);
  return Math.max(repeats ? repeatingMs : 0, ...dueMs);
}

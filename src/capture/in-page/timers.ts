import type { Frame, Page } from '@playwright/test';
import type { Network } from '../network.js';
import { framesOf, openRoots, type Root } from './frames.js';
import { createVirtualTime, type VirtualTime } from './page-clock.js';

/** The timers of a document, stored in `window.__proofsheet`. */
export interface Timers {
  /** The active timers of the page, by timer id; null if they are not recorded. */
  readonly active: Map<number, ActiveTimer> | null;
  /** Slow repeating timers do not run. */
  isHolding: boolean;
  /** The native `setTimeout`, for waits that do not count as timers of the page. */
  readonly start: (callback: () => void, ms: number) => number;
  /** Advances the page; null if it cannot. */
  readonly skip: VirtualTime['skip'] | null;
}

interface ActiveTimer {
  /** Time of the next call, in milliseconds of `performance.now()`. */
  readonly dueAt: number;
  /** Milliseconds between two calls; null for a single call. */
  readonly everyMs: number | null;
  readonly call: () => void;
  /** It does not run while timers are held. */
  readonly isHoldable: boolean;
  /** The timer was called as often as it would run during the capture, and changed nothing. */
  isIdle: boolean;
  /** A timer set it, directly or after an `await`: a chain of timeouts polls as an interval does. */
  readonly isChained: boolean;
}

/** What the timer registry of a page does. */
export interface TimerOptions {
  /** Records the active timers, which determine how long a capture waits for changes. */
  readonly records: boolean;
  /** Can hold slow repeating timers. */
  readonly holds: boolean;
  /** Holds them from the start. */
  readonly isHolding: boolean;
  /** Can skip time. */
  readonly skips: boolean;
}

/** Returns the source of the init script that installs the timer registry; empty if nothing is switched on. */
export function timersSource({ skips, ...options }: TimerOptions): string {
  if (!options.records && !options.holds && !skips) return '';
  const time = skips ? `(${String(createVirtualTime)})()` : 'null';
  return `(${String(installTimers)})(${JSON.stringify(options)}, ${time});`;
}

/**
 * Wraps the timer functions. This is the only wrapper: all data about timers comes from its registry. Proxies
 * keep the names and the source text of the functions.
 *
 * Runs in the page, before its own scripts.
 */
function installTimers(
  { records, holds, isHolding }: Omit<TimerOptions, 'skips'>,
  virtualTime: VirtualTime | null,
): void {
  // Less than 1,000 ms, because timeout chains shorten their delay to compensate for lateness.
  const slowMs = 800;
  const active = records ? new Map<number, ActiveTimer>() : null;
  const start = window.setTimeout.bind(window);
  const timers: Timers = { active, isHolding, start, skip: virtualTime?.skip ?? null };
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
      const isSlow = Number(delay) >= slowMs;
      // A slow timeout that a slow timer sets is an interval in effect.
      const isHoldable = holds && isSlow && (repeats || inSlowTimer);
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
      const ms = Number(delay) || 0;
      const call = () => void Reflect.apply(callback, window, values);
      const dueAt = performance.now() + ms;
      active?.set(id, { dueAt, everyMs: repeats ? ms : null, call, isHoldable, isIdle: false, isChained });
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

/** The pending timers and responses of a page. */
export interface PlannedTimers {
  /** Milliseconds until the last of them; 0 if none is due within the requested time. */
  readonly aheadMs: number;
  /** The shortest period of a repeating timer, in milliseconds; null if there is none. */
  readonly periodMs: number | null;
}

/** Creates a function that returns the timers of a page that are due within a number of milliseconds. */
export function createPlannedTimers(page: Page, network: Network): (withinMs: number) => Promise<PlannedTimers> {
  const start = performance.now();
  let havePollsRun = false;
  const read = (withinMs: number) => inFrames(page, (frame) => frame.evaluate(readTimers, withinMs));
  return async (withinMs) => {
    let frames = await read(withinMs);
    if (!havePollsRun && withinMs > 0 && frames.some((timers) => timers !== null && timers.periodMs !== null)) {
      havePollsRun = true;
      const source = `(${String(runPolls)})(${withinMs}, (${String(openRoots)})())`;
      await inFrames(page, (frame) => frame.evaluate<void>(source));
      frames = await read(withinMs);
    }
    // A frame without the init script has unknown timers, for example in a page that the test opened.
    const unknown = () => Math.max(0, Math.min(withinMs, start + UNKNOWN_TIMERS_MS - performance.now()));
    const openRequests = network.pending(['fetch', 'xhr', 'image', 'script', 'stylesheet', 'font', 'document']).length;
    const periods = frames.flatMap((timers) => timers?.periodMs ?? []);
    return {
      aheadMs: Math.max(
        openRequests > 0 ? Math.min(OPEN_REQUEST_MS, withinMs) : 0,
        ...frames.map((timers) => timers?.lastMs ?? unknown()),
      ),
      periodMs: periods.length === 0 ? null : Math.min(...periods),
    };
  };
}

/** Evaluates a function in every frame. A detached frame has no timers. */
function inFrames<T>(page: Page, evaluate: (frame: Frame) => Promise<T>): Promise<(T | typeof NO_TIMERS)[]> {
  return Promise.all(framesOf(page).map((frame) => evaluate(frame).catch(() => NO_TIMERS)));
}

const NO_TIMERS = { lastMs: 0, periodMs: null };

/** Runs in the page. Returns null if the timers were not recorded. */
function readTimers(withinMs: number): { lastMs: number; periodMs: number | null } | null {
  const timers = window.__proofsheet?.timers;
  if (!timers?.active) return null;
  const planned = Array.from(timers.active.values()).filter(
    ({ isHoldable, isIdle }) => !isIdle && !(isHoldable && timers.isHolding),
  );
  const periods = planned.flatMap(({ everyMs }) => (everyMs !== null && everyMs < withinMs ? [everyMs] : []));
  // A repeating timer is due until the end of that time.
  if (periods.length > 0) return { lastMs: withinMs, periodMs: Math.min(...periods) };
  const now = performance.now();
  const dueMs = planned.map(({ dueAt }) => dueAt - now).filter((ms) => ms < withinMs);
  // Timers run slightly late, so 20 ms are added.
  return { lastMs: dueMs.length === 0 ? 0 : Math.max(0, ...dueMs) + 20, periodMs: null };
}

/**
 * Runs in the page. Many repeating timers only poll and change nothing. This function calls each timer as often as it
 * would run within that time. A timer that does not change the document is marked as idle and not awaited. Timers and
 * requests that it starts are tracked as usual.
 */
async function runPolls(withinMs: number, roots: readonly Root[]): Promise<void> {
  const budgetMs = 50;
  const timers = window.__proofsheet?.timers;
  if (!timers?.active) return;
  // Painting on a canvas does not change the document, so idle timers cannot be detected.
  if (roots.some((root) => root.querySelector('canvas'))) return;
  let hasChanged = false;
  const observer = new MutationObserver(() => {
    hasChanged = true;
  });
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  for (const root of roots) observer.observe(root, all);
  const end = performance.now() + budgetMs;
  try {
    for (const timer of timers.active.values()) {
      const { everyMs, call, isHoldable } = timer;
      if (everyMs === null || everyMs >= withinMs || (isHoldable && timers.isHolding)) continue;
      hasChanged = false;
      // An odd number of calls: after an even number, a toggle would be back in its initial state.
      const minCalls = Math.ceil(withinMs / Math.max(4, everyMs));
      const calls = minCalls % 2 === 1 ? minCalls : minCalls + 1;
      let made = 0;
      for (; made < calls && performance.now() < end; made++) call();
      // Changes in the next frame count too.
      await new Promise<void>((resolve) => {
        // The timeout covers iframes outside the viewport, which are not rendered.
        timers.start(resolve, 50);
        requestAnimationFrame(() => timers.start(resolve, 0));
      });
      timer.isIdle = made === calls && !hasChanged && observer.takeRecords().length === 0;
    }
  } catch {
    // If a timer throws, it and the remaining timers stay pending.
  } finally {
    observer.disconnect();
  }
}

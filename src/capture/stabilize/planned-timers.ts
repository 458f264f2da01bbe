import type { Frame, Page } from '@playwright/test';
import { framesOf, openRoots, type Root } from '../in-page/frames.js';
import type { Network } from '../network.js';

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
  const memory = window.__proofsheet;
  if (!memory?.planned) return null;
  const isHeld = (id: number) => memory.holdsTimers === true && memory.heldTimers?.has(id) === true;
  const planned = Array.from(memory.planned)
    .filter(([id, { isIdle }]) => !isHeld(id) && !isIdle)
    .map(([, timer]) => timer);
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
  const memory = window.__proofsheet;
  const startTimer = memory?.setTimer ?? setTimeout;
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
    for (const [id, timer] of memory?.planned ?? []) {
      const { everyMs, call } = timer;
      if (everyMs === null || everyMs >= withinMs || (memory?.holdsTimers && memory.heldTimers?.has(id))) continue;
      hasChanged = false;
      // An odd number of calls: after an even number, a toggle would be back in its initial state.
      const minCalls = Math.ceil(withinMs / Math.max(4, everyMs));
      const calls = minCalls % 2 === 1 ? minCalls : minCalls + 1;
      let made = 0;
      for (; made < calls && performance.now() < end; made++) call();
      // Changes in the next frame count too.
      await new Promise<void>((resolve) => {
        // The timeout covers iframes outside the viewport, which are not rendered.
        startTimer(resolve, 50);
        requestAnimationFrame(() => startTimer(resolve, 0));
      });
      timer.isIdle = made === calls && !hasChanged && observer.takeRecords().length === 0;
    }
  } catch {
    // If a timer throws, it and the remaining timers stay pending.
  } finally {
    observer.disconnect();
  }
}

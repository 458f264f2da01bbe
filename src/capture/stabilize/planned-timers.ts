import type { Frame, Page } from '@playwright/test';
import { framesOf } from '../in-page/frames.js';
import type { Network } from '../network.js';

/** How long we look at a page that somebody else opened: of what it has planned nothing is known. */
const UNKNOWN_MS = 1_000;

/** While an answer is on its way, another look is taken after this time. */
const ANSWER_MS = 100;

/** What a page has still ahead of it: timers that are due, and answers that are on their way. */
export interface PlannedTimers {
  /** Milliseconds until the last of them; 0: there is nothing within the time that was asked for. */
  readonly aheadMs: number;
  /** The shortest time after which a timer comes again and again; null: none does. */
  readonly periodMs: number | null;
}

/** Creates what tells the plans of a page within the milliseconds that it is given. */
export function createPlannedTimers(page: Page, network: Network): (withinMs: number) => Promise<PlannedTimers> {
  const start = performance.now();
  let haveRun = false;
  const read = (withinMs: number) => inFrames(page, (frame) => frame.evaluate(readTimers, withinMs));
  return async (withinMs) => {
    let frames = await read(withinMs);
    if (!haveRun && withinMs > 0 && frames.some((timers) => timers !== null && timers.periodMs !== null)) {
      haveRun = true;
      await inFrames(page, (frame) => frame.evaluate(runPolls, withinMs));
      frames = await read(withinMs);
    }
    // A frame without our script tells nothing: it may be that of a page that was open before.
    const unknown = () => Math.max(0, Math.min(withinMs, start + UNKNOWN_MS - performance.now()));
    const answers = network.pending(['fetch', 'xhr', 'image', 'script', 'stylesheet', 'font', 'document']).length;
    const periods = frames.flatMap((timers) => timers?.periodMs ?? []);
    return {
      aheadMs: Math.max(
        answers > 0 ? Math.min(ANSWER_MS, withinMs) : 0,
        ...frames.map((timers) => timers?.lastMs ?? unknown()),
      ),
      periodMs: periods.length === 0 ? null : Math.min(...periods),
    };
  };
}

/** A frame that has gone has no plans. */
function inFrames<T>(page: Page, look: (frame: Frame) => Promise<T>): Promise<(T | typeof NONE)[]> {
  return Promise.all(framesOf(page).map((frame) => look(frame).catch(() => NONE)));
}

const NONE = { lastMs: 0, periodMs: null };

/** Runs in the page. Null: nobody has kept account. */
function readTimers(withinMs: number): { lastMs: number; periodMs: number | null } | null {
  const memory = window.__proofsheet;
  if (!memory?.planned) return null;
  const isHeld = (id: number) => memory.holdsTimers === true && memory.heldTimers?.has(id) === true;
  const planned = Array.from(memory.planned)
    .filter(([id, { isIdle }]) => !isHeld(id) && !isIdle)
    .map(([, timer]) => timer);
  const periods = planned.flatMap(({ everyMs }) => (everyMs !== null && everyMs < withinMs ? [everyMs] : []));
  // What comes again and again within that time comes up to its end.
  if (periods.length > 0) return { lastMs: withinMs, periodMs: Math.min(...periods) };
  const now = performance.now();
  const ahead = planned.map(({ dueAt }) => dueAt - now).filter((ms) => ms < withinMs);
  // A timer is late rather than early: a little after it is due.
  return { lastMs: ahead.length === 0 ? 0 : Math.max(0, ...ahead) + 20, periodMs: null };
}

/**
 * Runs in the page. Many a timer that repeats only looks whether there is something to do, and there is not. Each is called
 * as often as it would be within that time: one that leaves the document as it is, is not waited for. What it then plans, asks
 * of the network, or paints, is seen as that of any other.
 */
async function runPolls(withinMs: number): Promise<void> {
  const mostMs = 50;
  const memory = window.__proofsheet;
  const startTimer = memory?.setTimer ?? setTimeout;
  const roots: Node[] = [document];
  for (const root of roots) {
    if (!(root instanceof Document || root instanceof ShadowRoot)) continue;
    // What is painted by a script changes no document.
    if (root.querySelector('canvas')) return;
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
  }
  let hasChanged = false;
  const observer = new MutationObserver(() => {
    hasChanged = true;
  });
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  for (const root of roots) observer.observe(root, all);
  const end = performance.now() + mostMs;
  try {
    for (const [id, timer] of memory?.planned ?? []) {
      const { everyMs, call } = timer;
      if (everyMs === null || everyMs >= withinMs || (memory?.holdsTimers && memory.heldTimers?.has(id))) continue;
      hasChanged = false;
      // An odd number: what comes and goes would be as it was.
      const least = Math.ceil(withinMs / Math.max(4, everyMs));
      const calls = least % 2 === 1 ? least : least + 1;
      let made = 0;
      for (; made < calls && performance.now() < end; made++) call();
      // What it does in the next frame is its doing too.
      await new Promise<void>((resolve) => {
        // A frame that is out of sight is not drawn.
        startTimer(resolve, 50);
        requestAnimationFrame(() => startTimer(resolve, 0));
      });
      timer.isIdle = made === calls && !hasChanged && observer.takeRecords().length === 0;
    }
  } catch {
    // One that fails has changed nothing that could be told.
  } finally {
    observer.disconnect();
  }
}

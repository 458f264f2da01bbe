import type { Page } from '@playwright/test';
import { framesOf } from './frames.js';
import type { Traffic } from './traffic.js';

/** How long we look at a page that somebody else opened: of what it has planned nothing is known. */
const UNKNOWN_MS = 1_000;

/** While an answer is on its way, another look is taken after this time. */
const ANSWER_MS = 100;

/**
 * Tells what a page has still ahead of it: timers that are due, and answers that are on their way.
 *
 * @returns the milliseconds until the last of them; 0 when there is nothing within `withinMs`.
 */
export function createOutlook(page: Page, traffic: Traffic): (withinMs: number) => Promise<number> {
  const start = performance.now();
  return async (withinMs) => {
    const due = await Promise.all(framesOf(page).map((frame) => frame.evaluate(lastTimer, withinMs).catch(() => 0)));
    // A frame without our script tells nothing: it may be that of a page that was open before.
    const known = due.map((ms) => ms ?? Math.max(0, Math.min(withinMs, start + UNKNOWN_MS - performance.now())));
    const answers = traffic.pending(['fetch', 'xhr', 'image', 'script', 'stylesheet', 'font', 'document']).length;
    return Math.max(answers > 0 ? Math.min(ANSWER_MS, withinMs) : 0, ...known);
  };
}

/** Runs in the page. Null: nobody has kept account. */
function lastTimer(withinMs: number): number | null {
  const memory = window.__proofsheet;
  if (!memory?.planned) return null;
  const isHeld = (id: number) => memory.holdsTimers === true && memory.heldTimers?.has(id) === true;
  const planned = Array.from(memory.planned)
    .filter(([id]) => !isHeld(id))
    .map(([, timer]) => timer);
  // What comes again and again within that time comes up to its end.
  if (planned.some(({ everyMs }) => everyMs !== null && everyMs < withinMs)) return withinMs;
  const now = performance.now();
  const ahead = planned.map(({ dueAt }) => dueAt - now).filter((ms) => ms < withinMs);
  // A timer is late rather than early: a little after it is due.
  return ahead.length === 0 ? 0 : Math.max(0, ...ahead) + 20;
}

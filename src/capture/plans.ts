import type { Page } from '@playwright/test';
import { framesOf } from './frames.js';
import type { Traffic } from './traffic.js';

/** How long we look at a page that somebody else opened: of what it has planned nothing is known. */
const UNKNOWN_MS = 1_000;

/** While an answer is on its way, another look is taken after this time. */
const ANSWER_MS = 100;

/** What a page has still ahead of it: timers that are due, and answers that are on their way. */
export interface Outlook {
  /** Milliseconds until the last of them; 0: there is nothing within the time that was asked for. */
  readonly aheadMs: number;
  /** The shortest time after which a timer comes again and again; null: none does. */
  readonly periodMs: number | null;
}

/** Creates what tells the plans of a page within the milliseconds that it is given. */
export function createOutlook(page: Page, traffic: Traffic): (withinMs: number) => Promise<Outlook> {
  const start = performance.now();
  return async (withinMs) => {
    const frames = await Promise.all(
      framesOf(page).map((frame) => frame.evaluate(readTimers, withinMs).catch(() => ({ lastMs: 0, periodMs: null }))),
    );
    // A frame without our script tells nothing: it may be that of a page that was open before.
    const unknown = () => Math.max(0, Math.min(withinMs, start + UNKNOWN_MS - performance.now()));
    const answers = traffic.pending(['fetch', 'xhr', 'image', 'script', 'stylesheet', 'font', 'document']).length;
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

/** Runs in the page. Null: nobody has kept account. */
function readTimers(withinMs: number): { lastMs: number; periodMs: number | null } | null {
  const memory = window.__proofsheet;
  if (!memory?.planned) return null;
  const isHeld = (id: number) => memory.holdsTimers === true && memory.heldTimers?.has(id) === true;
  const planned = Array.from(memory.planned)
    .filter(([id]) => !isHeld(id))
    .map(([, timer]) => timer);
  const periods = planned.flatMap(({ everyMs }) => (everyMs !== null && everyMs < withinMs ? [everyMs] : []));
  // What comes again and again within that time comes up to its end.
  if (periods.length > 0) return { lastMs: withinMs, periodMs: Math.min(...periods) };
  const now = performance.now();
  const ahead = planned.map(({ dueAt }) => dueAt - now).filter((ms) => ms < withinMs);
  // A timer is late rather than early: a little after it is due.
  return { lastMs: ahead.length === 0 ? 0 : Math.max(0, ...ahead) + 20, periodMs: null };
}

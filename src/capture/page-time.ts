import type { Frame, Page } from '@playwright/test';
import { framesOf } from './frames.js';
import { installTime } from './skip-time.js';
import type { Traffic } from './traffic.js';

/** The time of one page, which can be made to pass faster than it does. */
export interface PageTime {
  /**
   * Lets time pass in the page: skips it while nothing but timers and animations are on their way, waits for it really
   * while the network or a worker is. Never takes longer than really waiting would.
   */
  pass(ms: number): Promise<PassedTime>;
}

/** How much time passed in a page, and how much of it was skipped. */
export interface PassedTime {
  readonly passedMs: number;
  readonly skippedMs: number;
}

/** How much is skipped at once: what timers ask of the network meanwhile is waited for afterwards. */
const STEP_MS = 100;

/** How often the page is drawn meanwhile, for what observes its layout. */
const STEPS_PER_FRAME = 5;

/**
 * Creates the time of a page that is yet to be opened: its timers, animation frames and clocks are wrapped as it loads.
 *
 * Not Chromium's own virtual time: it is never real again in that renderer, and leaves frames and animations behind.
 * Nor Playwright's clock, under which `performance` loses its entries, and pages that read them fail.
 */
export async function createPageTime(page: Page, traffic: Traffic): Promise<PageTime> {
  await page.addInitScript(`(${String(installTime)})()`);
  return { pass: (ms) => pass(page, traffic, ms) };
}

/** The time of a page that somebody else opened: it passes as it does. */
export const REAL_TIME: PageTime = {
  async pass(ms) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { passedMs: ms, skippedMs: 0 };
  },
};

async function pass(page: Page, traffic: Traffic, ms: number): Promise<PassedTime> {
  const start = performance.now();
  let skippedMs = 0;
  for (let step = 1; ; step++) {
    const passedMs = performance.now() - start + skippedMs;
    const leftMs = Math.ceil(ms - passedMs);
    if (leftMs <= 0 || traffic.isStopped()) return { passedMs, skippedMs };
    const stepMs = Math.min(leftMs, STEP_MS);
    // The last step is drawn too, so that an image is of the page as it is after it.
    const drawn = step % STEPS_PER_FRAME === 0 || stepMs === leftMs;
    const skipped = traffic.isBusy() || page.workers().length > 0 ? 0 : await skip(page, stepMs, drawn);
    if (skipped === 0) await wait(stepMs, traffic);
    skippedMs += skipped;
  }
}

/** Skips time in every frame, and gives how much it was in the page itself: a frame that is not ready only misses it. */
async function skip(page: Page, ms: number, drawn: boolean): Promise<number> {
  // A frame that hangs must not hold up the others.
  const [main = 0] = await Promise.all(
    framesOf(page).map((frame) => atMost(STALLED_MS, skipInFrame(frame, ms, drawn))),
  );
  return main;
}

const STALLED_MS = 1_000;

/** A frame that is navigating, was detached, or opened before its time could be wrapped skips nothing. */
function skipInFrame(frame: Frame, ms: number, drawn: boolean): Promise<number> {
  return frame.evaluate<number>(`globalThis.__proofsheetSkip?.(${ms}, ${drawn}) ?? 0`).catch(() => 0);
}

function wait(ms: number, traffic: Traffic): Promise<unknown> {
  return atMost(ms, traffic.change());
}

async function atMost<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    clearTimeout(timer);
  }
}

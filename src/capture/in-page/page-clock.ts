import type { Frame, Page } from '@playwright/test';
import { pause, withTimeLimit } from '../../browser/timing.js';
import type { Network } from '../network.js';
import { framesOf } from './frames.js';
import type { Skipped } from './virtual-time.js';

/** The clock of one page. */
export interface PageTime {
  /** Time is paused unless {@link pass} advances it. */
  readonly isControlled: boolean;
  /**
   * Advances the page by `ms` milliseconds. Skips time while only timers and animations are pending. Waits in real time
   * while a request is open or a worker exists. Never takes longer than `ms` milliseconds of real time.
   *
   * Controlled time advances in fixed steps, and each of them waits for the open requests.
   */
  pass(ms: number): Promise<PassedTime>;
  /**
   * Like {@link pass}, but ends where time cannot be skipped. Waits only for what the skipped time has started, at most 0.5 s. Skips
   * nothing if time is controlled.
   */
  skip(ms: number): Promise<PassedTime>;
  /**
   * Advances controlled time to the next multiple of `ms` milliseconds since the page was opened: interactions take a different time in each
   * run. Real time is left as it is.
   */
  align(ms: number): Promise<void>;
}

/** The time that passed in a page, and the skipped part of it, in milliseconds. */
export interface PassedTime {
  readonly passedMs: number;
  readonly skippedMs: number;
  /** The page rendered a frame after the last of its timers was skipped. */
  readonly isDrawn: boolean;
}

/** Milliseconds from the first timer that runs in a skip to its end. Requests that timers start within a skip are awaited after it. */
const STEP_MS = 100;

/** How long a skip waits for what its timers started, in milliseconds: a request that gets no response must not hold up a capture. */
const STARTED_MS = 500;

/** Number of skips per rendered frame. Layout observers need rendered frames. */
const STEPS_PER_FRAME = 5;

/**
 * Creates the clock of a page whose timer registry can skip time.
 *
 * Chromium's virtual time is not used: the renderer cannot return to real time, and animation frames and animations do
 * not follow it. Playwright's clock is not used: `performance` loses its entries, and pages that read them fail.
 */
export function createPageTime(page: Page, network: Network): PageTime {
  return {
    isControlled: false,
    pass: (ms) => advance(page, network, ms, { first: ms, later: ms }),
    skip: (ms) => advance(page, network, ms, { first: 0, later: STARTED_MS }),
    align: async () => {},
  };
}

const NO_TIME: PassedTime = { passedMs: 0, skippedMs: 0, isDrawn: false };

/** The moment at which controlled time starts, in milliseconds since 1970, unless the list sets `clock`. */
export const CONTROLLED_START = Date.UTC(2025, 0, 1, 12);

/** Limits of controlled time, in milliseconds of real time: how long requests are awaited, and how long all steps may take. */
const CONTROLLED_LIMITS_MS = { requests: 3_000, steps: 10_000 };

/**
 * Creates the clock of a page whose time is controlled: timers, animation frames, `Date` and `performance` follow it. A page is then a
 * function of what it loads, unless it moves by other means.
 */
export function createControlledTime(page: Page, network: Network): PageTime {
  let totalMs = 0;
  const pass = async (ms: number): Promise<PassedTime> => {
    const start = performance.now();
    const isLeft = watchDocument(network);
    const left = (limitMs: number) => start + limitMs - performance.now();
    let passedMs = 0;
    let isDrawn = false;
    for (let step = 1; passedMs < ms && !isLeft() && left(CONTROLLED_LIMITS_MS.steps) > 0; step++) {
      // A request that a step started is answered before the next one.
      while (network.isBusy() && left(CONTROLLED_LIMITS_MS.requests) > 0) await network.change(STEP_MS);
      const stepMs = Math.min(ms - passedMs, STEP_MS);
      const isFrameDue = step % STEPS_PER_FRAME === 0 || passedMs + stepMs === ms;
      ({ isDrawn } = await skip(page, stepMs, isFrameDue ? 0 : Number.POSITIVE_INFINITY));
      passedMs += stepMs;
    }
    totalMs += passedMs;
    return { passedMs, skippedMs: passedMs, isDrawn };
  };
  return {
    isControlled: true,
    pass,
    skip: async () => NO_TIME,
    align: async (ms) => void (await pass((Math.floor(totalMs / ms) + 1) * ms - totalMs)),
  };
}

/** The clock of a page whose time is not skipped: one that the test opened, or one without `delay` and without the stabilizer `scroll`. */
export const REAL_TIME: PageTime = {
  isControlled: false,
  async pass(ms) {
    await pause(ms);
    return { passedMs: ms, skippedMs: 0, isDrawn: false };
  },
  skip: async () => NO_TIME,
  align: async () => {},
};

/**
 * Advances a page.
 *
 * @param waitMs how long to wait where time cannot be skipped, in milliseconds: before and after the first part that was skipped.
 */
async function advance(
  page: Page,
  network: Network,
  ms: number,
  waitMs: { readonly first: number; readonly later: number },
): Promise<PassedTime> {
  const start = performance.now();
  const isLeft = watchDocument(network);
  let skippedMs = 0;
  let waitedMs = 0;
  let isDrawn = false;
  for (let step = 1; ; step++) {
    const now = performance.now();
    const passedMs = now - start + skippedMs;
    const leftMs = Math.ceil(ms - passedMs);
    if (leftMs <= 0 || isLeft()) return { passedMs, skippedMs, isDrawn };
    // The last step always renders a frame, so that a screenshot shows the page after it.
    const drawnFromMs = step % STEPS_PER_FRAME === 0 ? 0 : leftMs;
    const isBlocked = network.isBusy() || page.workers().length > 0;
    const skipped = isBlocked ? NOTHING : await skip(page, leftMs, drawnFromMs);
    if (skipped.ms === 0) {
      if (waitedMs >= (skippedMs > 0 ? waitMs.later : waitMs.first)) return { passedMs, skippedMs, isDrawn };
      await network.change(Math.min(leftMs, STEP_MS));
      waitedMs += performance.now() - now;
    }
    skippedMs += skipped.ms;
    isDrawn = skipped.isDrawn;
  }
}

/**
 * Returns a function that checks whether the page has navigated since, or its capture has ended. Time must not be skipped any further then:
 * a page that a timer has left, and that is opened again, would be left again.
 */
function watchDocument(network: Network): () => boolean {
  const document = network.documents();
  return () => network.isStopped() || network.documents() !== document;
}

/**
 * Skips time in every frame, as {@link VirtualTime} does. Returns what the main frame skipped; a frame that is not ready skips nothing.
 */
async function skip(page: Page, ms: number, drawnFromMs: number): Promise<Skipped> {
  const frames = framesOf(page);
  // Each frame knows only its own timers. All must skip the same time.
  const frameMs = frames.length === 1 ? ms : Math.min(ms, STEP_MS);
  const source = `globalThis.__proofsheet?.timers?.skip?.(${frameMs}, ${STEP_MS}, ${drawnFromMs})`;
  // A frame that does not respond must not block the others.
  const [main = NOTHING] = await Promise.all(
    frames.map((frame) => withTimeLimit(STALLED_MS, skipInFrame(frame, source), () => NOTHING)),
  );
  return main;
}

/** Maximum wait for one frame, in milliseconds. */
const STALLED_MS = 1_000;

/** Returns {@link NOTHING} for a frame that navigates, is detached, or loaded before the init script was added. */
async function skipInFrame(frame: Frame, source: string): Promise<Skipped> {
  const skipped = await frame.evaluate<Skipped | undefined>(source).catch(() => NOTHING);
  return skipped ?? NOTHING;
}

const NOTHING: Skipped = { ms: 0, isDrawn: false };

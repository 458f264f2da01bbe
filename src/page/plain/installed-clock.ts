import type { Page } from '@playwright/test';
import { pause, withTimeLimit } from '../browser/timing.js';
import type { Network } from '../network.js';
import type { PageClock } from '../page-clock.js';

/** Milliseconds of the page's time that pass at once. Then, the page waits for what it requested. */
const STEP_MS = 100;

/** Milliseconds of the page's time that pass at once while work runs that needs it, such as a click: they take as long as in real time. */
const WORK_STEP_MS = 50;

/** Real milliseconds for each millisecond of the page: CSS transitions have a clock of their own, and so do workers and sockets. */
const PACE = { usual: 0.1, ownClocks: 0.5 };

/** How long a document without an open request may take until it has loaded, in milliseconds. Then, it waits for a timer. */
const LOAD_MS = 1_000;

/** How long work takes at most that needs no time of the page, in milliseconds. */
const ANSWER_MS = 100;

/**
 * Creates the clock of a page in Firefox and WebKit: that of Playwright's `page.clock`. Scripts have its time: `Date`, timers and animation
 * frames. They run only when the page is granted time, and not while it loads anything. CSS animations, videos and workers have real time.
 */
export function createInstalledClock(page: Page, network: Network): PageClock {
  let usedMs = 0;
  let isNoted = false;
  let attempt = 0;
  /** The document loads without an open request. */
  let isLate = false;
  const hasOwnClocks = () => isNoted || page.workers().length > 0 || network.hasSockets();
  const loaded = async () => {
    await network.answered();
    if (isLate) return;
    await withTimeLimit(LOAD_MS, page.waitForLoadState('load', { timeout: 0 }), () => {
      isLate = true;
    });
    // What the page requested when it had loaded.
    await network.answered();
  };
  const run = async (ms: number) => {
    await page.clock.runFor(ms);
    usedMs += ms;
  };
  const pass = async (ms: number) => {
    const own = attempt;
    const pace = hasOwnClocks() ? PACE.ownClocks : PACE.usual;
    for (let leftMs = ms; leftMs > 0; leftMs -= STEP_MS) {
      const startedAt = performance.now();
      await loaded();
      await run(Math.min(leftMs, STEP_MS));
      await pause(STEP_MS * pace - (performance.now() - startedAt));
      // Whoever still waits would go on with the next document.
      if (own !== attempt) throw new Error('the capture of this document was abandoned');
    }
    await network.answered();
  };
  const during = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    const ended = work.then(end, end);
    while (!isDone) {
      await run(WORK_STEP_MS);
      await withTimeLimit(WORK_STEP_MS, ended, () => {});
    }
    return work;
  };
  const awaiting = async <T>(work: Promise<T>): Promise<T> => {
    const settled = work.then(
      () => true,
      () => true,
    );
    return (await withTimeLimit(ANSWER_MS, settled, () => false)) ? work : during(work);
  };
  return {
    isControlled: true,
    drawsFrames: false,
    // `install` would let the time run until it is paused: by some milliseconds, and others in each run.
    prepare: () => page.clock.pauseAt(Date.now()),
    pass,
    during,
    standing: (work) => work,
    awaiting,
    until: async (event) => void (await awaiting(event)),
    align: (ms) => pass(ms - (usedMs % ms)),
    shoot() {
      throw new Error('the clock of Playwright draws no frames');
    },
    abandon() {
      attempt++;
      isLate = false;
    },
    hasOwnClocks,
    noteOwnClock() {
      isNoted = true;
    },
  };
}

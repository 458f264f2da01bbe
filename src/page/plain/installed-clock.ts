import type { Page } from '@playwright/test';
import { pause, watchEnd, withTimeLimit } from '../browser/timing.js';
import { callInFrames } from '../in-page/frames.js';
import type { Tools } from '../in-page/tools.js';
import type { Network } from '../network.js';
import { OWN_CLOCK_PACE, type PageClock } from '../page-clock.js';

/** Milliseconds of the page's time that pass at once, with animations that end and without. Then, the page waits for what it requested. */
const STEP_MS = { moving: 100, still: 250 };

/** Milliseconds of the page's time that pass at once while work runs that needs it, such as a click: they take as long as in real time. */
const WORK_STEP_MS = 50;

const CHECK_MS = 20;

/** How long a frame is waited for at most, in milliseconds. A covered window draws none: after one that did not come, the wait is short. */
const FRAME_LIMITS_MS = { usual: 1_000, covered: 100 };

/** How many frames of an idle page pass until it gets time for what it waits for: its document to load, and work that usually needs no time. */
const IDLE_FRAMES = { load: 60, work: 6 };

/**
 * Creates the clock of a page in Firefox and WebKit: that of Playwright's `page.clock`. Scripts, transitions and animations have its time, which
 * passes only when the page is granted some, and not while it loads anything. Videos and workers have real time.
 */
export function createInstalledClock(page: Page, network: Network): PageClock {
  let usedMs = 0;
  let frameLimitMs = FRAME_LIMITS_MS.usual;
  let isMoving = false;
  let attempt = 0;
  /** The document loads without an open request. */
  let isLate = false;
  const draw = async (ms: number) => {
    const moves = await withTimeLimit(frameLimitMs, callInFrames(page, drawFrame, ms), () => null);
    isMoving = moves?.includes(true) ?? isMoving;
    frameLimitMs = moves ? FRAME_LIMITS_MS.usual : FRAME_LIMITS_MS.covered;
  };
  /** Waits for an event, as long as the page loads something, and then for some frames. Returns false if it did not come. */
  const comes = async (event: Promise<unknown>, frames: number) => {
    const ended = watchEnd(event).end.then(() => true);
    const drawn = async () => {
      await network.awaitAnswers();
      await draw(0);
      return false;
    };
    // What has come needs no frame.
    if (await Promise.race([ended, pause(0).then(() => false)])) return true;
    for (let count = 0; count < frames; count++) if (await Promise.race([ended, drawn()])) return true;
    return false;
  };
  const loaded = async () => {
    await network.awaitAnswers();
    while (await network.isWorking()) await pause(CHECK_MS);
    if (isLate) return;
    isLate = !(await comes(page.waitForLoadState('load', { timeout: 0 }), IDLE_FRAMES.load));
    // What the page requested when it had loaded.
    await network.awaitAnswers();
  };
  const run = async (ms: number) => {
    await page.clock.runFor(ms);
    usedMs += ms;
    await draw(ms);
  };
  const pass = async (ms: number) => {
    const own = attempt;
    // What happened before, such as scrolling, is seen before the time goes on.
    if (ms > 0) await draw(0);
    const endMs = usedMs + ms;
    while (usedMs < endMs) {
      const startedAt = performance.now();
      await loaded();
      const stepMs = Math.min(endMs - usedMs, isMoving ? STEP_MS.moving : STEP_MS.still);
      await run(stepMs);
      if (network.hasOwnClocks()) await pause(stepMs * OWN_CLOCK_PACE - (performance.now() - startedAt));
      // Whoever still waits would go on with the next document.
      if (own !== attempt) throw new Error('the capture of this document was abandoned');
    }
    await network.awaitAnswers();
  };
  const during = async <T>(work: Promise<T>): Promise<T> => {
    const { isEnded, end } = watchEnd(work);
    while (!isEnded()) {
      const endsAt = performance.now() + WORK_STEP_MS;
      await run(WORK_STEP_MS);
      await withTimeLimit(Math.max(0, endsAt - performance.now()), end, () => {});
    }
    return work;
  };
  const awaiting = async <T>(work: Promise<T>): Promise<T> =>
    (await comes(work, IDLE_FRAMES.work)) ? work : during(work);
  return {
    isControlled: true,
    drawsFrames: false,
    // `install` would let the time run until it is paused: by some milliseconds, and others in each run.
    prepare: () => page.clock.pauseAt(Date.now()),
    pass,
    during,
    standing: (work) => work(),
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
  };
}

/**
 * Runs in the page. Lets animations run for `ms` milliseconds, and draws a frame: the events of animations, of scrolling and of
 * observers come with it. Returns true if an animation runs that ends.
 */
async function drawFrame({ memory: { playbackRates: rates }, listAnimations }: Tools, ms: number): Promise<boolean> {
  const endTimeOf = ({ effect }: Animation) => Number(effect?.getComputedTiming().endTime);
  const move = (animation: Animation, byMs: number) => {
    const { playState, playbackRate, timeline } = animation;
    const endTime = endTimeOf(animation);
    if (playState !== 'running' || timeline !== document.timeline || Number.isNaN(endTime)) return;
    const rate = rates.get(animation);
    if (rate === undefined && playbackRate !== 0) {
      // Not `pause()`: `animation-play-state` would have no effect any more.
      rates.set(animation, playbackRate);
      animation.playbackRate = 0;
      animation.currentTime = playbackRate > 0 || endTime === Number.POSITIVE_INFINITY ? 0 : endTime;
    } else if (rate !== undefined && playbackRate === 0) {
      const time = Number(animation.currentTime) + rate * byMs;
      const isRunning = rate > 0 ? time < endTime : time > 0 || endTime === Number.POSITIVE_INFINITY;
      if (isRunning) animation.currentTime = time;
      else {
        animation.playbackRate = rate;
        animation.finish();
      }
    }
  };
  const moveAll = (byMs: number) => {
    const animations = listAnimations();
    for (const animation of animations) move(animation, byMs);
    const ends = (animation: Animation) => endTimeOf(animation) < Number.POSITIVE_INFINITY;
    return animations.some((animation) => animation.playState === 'running' && rates.has(animation) && ends(animation));
  };
  const isMoving = moveAll(ms);
  if (window !== top) return isMoving;
  // `requestAnimationFrame` is that of Playwright's clock. An animation is ready with the next frame of the browser.
  const frame = document.documentElement?.animate(null, 1);
  await frame?.ready;
  frame?.cancel();
  const { port1, port2 } = new MessageChannel();
  const ended = new Promise((resolve) => {
    port1.onmessage = resolve;
  });
  port2.postMessage(null);
  await ended;
  // What the handlers of these events started begins here.
  return moveAll(0);
}

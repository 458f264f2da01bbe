import type { Frame, Page } from '@playwright/test';
import type { Network } from '../network.js';
import { framesOf } from './frames.js';

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
export async function createPageTime(page: Page, network: Network): Promise<PageTime> {
  await page.addInitScript(`(${String(installTime)})()`);
  return { pass: (ms) => pass(page, network, ms) };
}

/** The time of a page that somebody else opened: it passes as it does. */
export const REAL_TIME: PageTime = {
  async pass(ms) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { passedMs: ms, skippedMs: 0 };
  },
};

async function pass(page: Page, network: Network, ms: number): Promise<PassedTime> {
  const start = performance.now();
  let skippedMs = 0;
  for (let step = 1; ; step++) {
    const passedMs = performance.now() - start + skippedMs;
    const leftMs = Math.ceil(ms - passedMs);
    if (leftMs <= 0 || network.isStopped()) return { passedMs, skippedMs };
    const stepMs = Math.min(leftMs, STEP_MS);
    // The last step is drawn too, so that an image is of the page as it is after it.
    const drawn = step % STEPS_PER_FRAME === 0 || stepMs === leftMs;
    const skipped = network.isBusy() || page.workers().length > 0 ? 0 : await skip(page, stepMs, drawn);
    if (skipped === 0) await wait(stepMs, network);
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

function wait(ms: number, network: Network): Promise<unknown> {
  return atMost(ms, network.change());
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

/**
 * Wraps timers and clocks, which go on as before until time is skipped. Runs in the page, in every frame, before its own
 * scripts; it travels there as source text, so all of it stands in one body.
 */
export function installTime(): void {
  // A clock that was put in force by Playwright is not ours to wrap: both would ask each other for the time.
  if (!(performance instanceof Performance)) return;
  interface Entry {
    id: number;
    native: number;
    due: number;
    /** Milliseconds from one call to the next; null: called once. */
    readonly period: number | null;
    readonly call: (now: number) => void;
    readonly isFrame: boolean;
  }
  const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
  const { requestAnimationFrame: startFrame, cancelAnimationFrame: stopFrame } = globalThis;
  const NativeDate = Date;
  const readDate = Date.now.bind(Date);
  const readClock = performance.now.bind(performance);
  const entries = new Map<number, Entry>();
  let offset = 0;
  let skipping = false;
  let lastFrame = 0;
  const now = () => readClock() + offset;
  /** Browsers give all callbacks of one frame its beginning, which lies before that of a frame made up by a skip. */
  const toFrameTime = (time: number) => {
    lastFrame = Math.max(lastFrame, time);
    return lastFrame;
  };

  const fire = (entry: Entry, at: number) => {
    if (entry.period === null) entries.delete(entry.id);
    // Calls that a busy page missed are left out, as browsers do.
    else entry.due = Math.max(entry.due + entry.period, at);
    try {
      entry.call(at);
    } finally {
      if (entries.has(entry.id) && !skipping) entry.native = arm(entry);
    }
  };
  const arm = (entry: Entry): number =>
    entry.isFrame
      ? startFrame((time) => fire(entry, toFrameTime(time + offset)))
      : Number(startTimer(() => fire(entry, now()), Math.max(0, entry.due - now())));
  const disarm = ({ isFrame, native }: Entry) => (isFrame ? stopFrame(native) : stopTimer(native));
  const add = (ms: number, period: number | null, call: Entry['call'], isFrame: boolean): number => {
    const entry: Entry = { id: 0, native: 0, due: now() + ms, period, call, isFrame };
    entry.native = arm(entry);
    // The browser's own number, and a name of its own for each of the two kinds that it counts apart.
    entry.id = isFrame ? -entry.native : entry.native;
    entries.set(entry.id, entry);
    return entry.native;
  };
  const remove = (id: number) => {
    const entry = entries.get(id);
    if (!entry) return;
    disarm(entry);
    entries.delete(id);
  };
  const addTimer = (repeats: boolean, callback: unknown, delay: unknown, values: unknown[]) => {
    // No less than 4 ms, as browsers hold it for timers that start each other: a chain of them would not end a skip.
    const ms = Math.max(Number(delay) || 0, repeats || skipping ? 4 : 0);
    const call = () => {
      if (typeof callback === 'function') Reflect.apply(callback, globalThis, values);
      else startTimer(String(callback));
    };
    return add(ms, repeats ? ms : null, call, false);
  };
  Object.assign(globalThis, {
    setTimeout: (callback: unknown, ms?: unknown, ...values: unknown[]) => addTimer(false, callback, ms, values),
    setInterval: (callback: unknown, ms?: unknown, ...values: unknown[]) => addTimer(true, callback, ms, values),
    clearTimeout: (id: unknown) => remove(Number(id)),
    clearInterval: (id: unknown) => remove(Number(id)),
    requestAnimationFrame: (callback: FrameRequestCallback) => add(1000 / 60, null, callback, true),
    cancelAnimationFrame: (id: unknown) => remove(-Number(id)),
    Date: new Proxy(NativeDate, {
      // Without `new` it gives text.
      apply: () => new NativeDate(readDate() + offset).toString(),
      construct: (date, values, target) =>
        Reflect.construct(date, values.length === 0 ? [readDate() + offset] : values, target),
    }),
  });
  NativeDate.prototype.constructor = Date;
  NativeDate.now = () => Math.round(readDate() + offset);
  Performance.prototype.now = now;

  const turn = () =>
    new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(0);
    });
  const moveAnimations = (ms: number) => {
    const running = document.getAnimations().filter(({ playState }) => playState === 'running');
    for (const animation of running) {
      if (typeof animation.currentTime !== 'number') continue;
      animation.currentTime += ms * animation.playbackRate;
    }
    return running.length > 0;
  };
  const nextOf = (end: number) => {
    let next: Entry | undefined;
    for (const entry of entries.values()) if (entry.due <= end && entry.due < (next?.due ?? Infinity)) next = entry;
    return next;
  };
  const skip = async (ms: number, drawn: boolean) => {
    const began = readClock();
    const first = offset;
    const end = now() + ms;
    skipping = true;
    try {
      // What takes longer to run than it is to skip is slower than real waiting: it goes on in real time then.
      for (let next = nextOf(end); next && readClock() - began < ms; next = nextOf(end)) {
        offset = Math.min(first + ms, Math.max(offset, next.due - readClock()));
        disarm(next);
        try {
          fire(next, next.isFrame ? toFrameTime(now()) : now());
        } catch (cause) {
          reportError(cause);
        }
        await turn();
      }
      if (!nextOf(end)) offset = first + ms;
    } finally {
      skipping = false;
      for (const entry of entries.values()) {
        if (entry.isFrame) continue;
        disarm(entry);
        entry.native = arm(entry);
      }
    }
    const animated = moveAnimations(offset - first);
    if (drawn || animated) {
      await Promise.race([new Promise(startFrame), new Promise((resolve) => startTimer(resolve, 100))]);
    }
    return offset - first;
  };
  Object.defineProperty(globalThis, '__proofsheetSkip', { value: skip });
}

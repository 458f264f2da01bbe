import type { Frame, Page } from '@playwright/test';
import { pause, withTimeLimit } from '../../browser/timing.js';
import type { Network } from '../network.js';
import { framesOf, type Root } from './frames.js';

/** The native clock and timers of a document, for waits that neither count as timers of the page nor follow its virtual time. */
export interface NativeTime {
  now(): number;
  readonly setTimeout: (callback: () => void, ms: number) => number;
  readonly requestAnimationFrame: (callback: FrameRequestCallback) => number;
}

/** Stores the native functions. Runs in the page, before its own scripts. */
export function keepNativeTime(): void {
  window.__proofsheet ??= {};
  window.__proofsheet.native = {
    now: performance.now.bind(performance),
    setTimeout: setTimeout.bind(window),
    requestAnimationFrame: requestAnimationFrame.bind(window),
  };
}

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
 * Returns a function that checks whether the page navigated since, or its capture ended. The time of the next document is not that of this one:
 * a document that was left by a timer, and opened again, would be left again.
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
  const source = skipSource(frames.length === 1 ? ms : Math.min(ms, STEP_MS), drawnFromMs);
  // A frame that does not respond must not block the others.
  const [main = NOTHING] = await Promise.all(
    frames.map((frame) => withTimeLimit(STALLED_MS, skipInFrame(frame, source), () => NOTHING)),
  );
  return main;
}

function skipSource(ms: number, drawnFromMs: number): string {
  return `globalThis.__proofsheet?.timers?.skip?.(${ms}, ${STEP_MS}, ${drawnFromMs})`;
}

/** Maximum wait for one frame, in milliseconds. */
const STALLED_MS = 1_000;

/** Returns {@link NOTHING} for a frame that navigates, is detached, or loaded before the init script was added. */
async function skipInFrame(frame: Frame, source: string): Promise<Skipped> {
  const skipped = await frame.evaluate<Skipped | undefined>(source).catch(() => NOTHING);
  return skipped ?? NOTHING;
}

/** What a document skipped. */
export interface Skipped {
  /** Milliseconds of its time. */
  readonly ms: number;
  /** A frame was rendered afterwards. */
  readonly isDrawn: boolean;
}

const NOTHING: Skipped = { ms: 0, isDrawn: false };

/** Timers that behave normally until time is skipped, or that run only then. */
export interface VirtualTime {
  /** Adds a timer and returns its id. `callback` is a function or the text of a script. */
  add(repeats: boolean, callback: unknown, delay: unknown, values: unknown[]): number;
  remove(id: number): void;
  /**
   * Advances the document by at most `ms` milliseconds: to the first timer that is due, and then by at most `stepMs`. While an animation
   * runs, by at most `stepMs` in all.
   *
   * @param drawnFromMs waits for a frame, at most 100 ms, if that much time was skipped, or if an animation runs.
   */
  skip(ms: number, stepMs: number, drawnFromMs: number): Promise<Skipped>;
}

/**
 * Creates the timers of a document, and wraps its animation frames and clocks. Returns null if Playwright installed a
 * clock: the two clocks would call each other.
 *
 * Runs in the page, in every frame, before its own scripts.
 *
 * @param startsAt time is paused at this moment unless it is skipped, in milliseconds since 1970; null: it passes.
 * @param listRoots returns the document and its open shadow roots.
 */
export function createVirtualTime(startsAt: number | null, listRoots: () => Root[]): VirtualTime | null {
  if (!(performance instanceof Performance)) return null;
  interface Entry {
    id: number;
    native: number;
    due: number;
    /** Milliseconds between two calls; null for a single call. */
    readonly period: number | null;
    readonly call: (now: number) => void;
    readonly isFrame: boolean;
  }
  const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
  const { requestAnimationFrame: startFrame, cancelAnimationFrame: stopFrame } = globalThis;
  const NativeDate = Date;
  const isPaused = startsAt !== null;
  const readRealClock = performance.now.bind(performance);
  const readDate = isPaused ? () => startsAt : Date.now.bind(Date);
  const readClock = isPaused ? () => 0 : readRealClock;
  const entries = new Map<number, Entry>();
  let offset = 0;
  let skipping = false;
  let lastFrame = 0;
  let lastId = 0;
  const now = () => readClock() + offset;
  /**
   * Frame timestamps must not decrease. Browsers pass the start of the frame, which is earlier than the last skipped
   * frame.
   */
  const toFrameTime = (time: number) => {
    lastFrame = Math.max(lastFrame, time);
    return lastFrame;
  };

  const fire = (entry: Entry, at: number) => {
    if (entry.period === null) entries.delete(entry.id);
    // Missed calls are dropped, as in browsers.
    else entry.due = Math.max(entry.due + entry.period, at);
    try {
      entry.call(at);
    } finally {
      if (entries.has(entry.id) && !skipping) entry.native = arm(entry);
    }
  };
  const arm = (entry: Entry): number => {
    if (isPaused) return entry.native || ++lastId;
    if (entry.isFrame) return startFrame((time) => fire(entry, toFrameTime(time + offset)));
    return Number(startTimer(() => fire(entry, now()), Math.max(0, entry.due - now())));
  };
  const disarm = ({ isFrame, native }: Entry) => {
    if (!isPaused) (isFrame ? stopFrame : stopTimer)(native);
  };
  const addEntry = (ms: number, period: number | null, call: Entry['call'], isFrame: boolean): number => {
    const entry: Entry = { id: 0, native: 0, due: now() + ms, period, call, isFrame };
    entry.native = arm(entry);
    // Browsers number timers and animation frames separately. Frames get negative ids to avoid collisions.
    entry.id = isFrame ? -entry.native : entry.native;
    entries.set(entry.id, entry);
    return entry.native;
  };
  const removeEntry = (id: number) => {
    const entry = entries.get(id);
    if (!entry) return;
    disarm(entry);
    entries.delete(id);
  };
  const add = (repeats: boolean, callback: unknown, delay: unknown, values: unknown[]) => {
    // At least 4 ms, as browsers clamp nested timers: otherwise a chain of timers would never end within a skip.
    const ms = Math.max(Number(delay) || 0, repeats || skipping ? 4 : 0);
    const call = () => {
      if (typeof callback === 'function') Reflect.apply(callback, globalThis, values);
      else startTimer(String(callback));
    };
    return addEntry(ms, repeats ? ms : null, call, false);
  };
  window.requestAnimationFrame = new Proxy(startFrame, {
    apply: (_target, _receiver, [callback]: [FrameRequestCallback]) => addEntry(1000 / 60, null, callback, true),
  });
  window.cancelAnimationFrame = new Proxy(stopFrame, {
    apply: (_target, _receiver, [id]: unknown[]) => removeEntry(-Number(id)),
  });
  if (isPaused) {
    const deadline = { didTimeout: false, timeRemaining: () => 10 };
    const addIdle = (callback: IdleRequestCallback) => addEntry(1, null, () => callback(deadline), false);
    window.requestIdleCallback = new Proxy(window.requestIdleCallback, {
      apply: (_target, _receiver, [callback]: [IdleRequestCallback]) => addIdle(callback),
    });
    window.cancelIdleCallback = new Proxy(window.cancelIdleCallback, {
      apply: (_target, _receiver, [id]: unknown[]) => removeEntry(Number(id)),
    });
  }
  globalThis.Date = new Proxy(NativeDate, {
    // `Date()` without `new` returns a string.
    apply: () => new NativeDate(readDate() + offset).toString(),
    construct: (date, values, target) =>
      Reflect.construct(date, values.length === 0 ? [readDate() + offset] : values, target),
  });
  NativeDate.prototype.constructor = Date;
  NativeDate.now = () => Math.round(readDate() + offset);
  Performance.prototype.now = now;

  const nextTask = () =>
    new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(0);
    });
  const runningAnimations = () =>
    listRoots()
      .flatMap((root) => root.getAnimations())
      .filter(({ playState }) => playState === 'running');
  const nextDue = (end: number) => {
    let next: Entry | undefined;
    for (const entry of entries.values()) if (entry.due <= end && entry.due < (next?.due ?? Infinity)) next = entry;
    return next;
  };
  const skip = async (ms: number, stepMs: number, drawnFromMs: number) => {
    const startedAt = readRealClock();
    const startOffset = offset;
    const start = now();
    // An animation may call the page when it ends. Otherwise, nothing happens before the first timer.
    const first = runningAnimations().length > 0 ? start : (nextDue(start + ms)?.due ?? start + ms);
    const wholeMs = Math.min(ms, Math.max(0, first - start) + stepMs);
    const end = start + wholeMs;
    // Stop when the callbacks take longer than the time that is skipped for them: waiting in real time is faster then.
    const limitMs = isPaused ? Number.POSITIVE_INFINITY : stepMs;
    skipping = true;
    try {
      for (let next = nextDue(end); next && readRealClock() - startedAt < limitMs; next = nextDue(end)) {
        offset = Math.min(startOffset + wholeMs, Math.max(offset, next.due - readClock()));
        disarm(next);
        try {
          fire(next, next.isFrame ? toFrameTime(now()) : now());
        } catch (cause) {
          reportError(cause);
        }
        await nextTask();
      }
      // A skip that took long may overlap with the next one, and time does not go back.
      if (!nextDue(end)) offset = Math.max(offset, startOffset + wholeMs);
    } finally {
      skipping = false;
      for (const entry of entries.values()) {
        if (entry.isFrame) continue;
        disarm(entry);
        entry.native = arm(entry);
      }
    }
    const skipped = offset - startOffset;
    const running = runningAnimations();
    for (const animation of running)
      if (typeof animation.currentTime === 'number') animation.currentTime += skipped * animation.playbackRate;
    if (skipped < drawnFromMs && running.length === 0) return { ms: skipped, isDrawn: false };
    const frame = new Promise<boolean>((resolve) => void startFrame(() => resolve(true)));
    const late = new Promise<boolean>((resolve) => void startTimer(() => resolve(false), 100));
    return { ms: skipped, isDrawn: await Promise.race([frame, late]) };
  };
  return { add, remove: removeEntry, skip };
}

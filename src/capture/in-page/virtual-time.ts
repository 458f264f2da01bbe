import type { Root } from './frames.js';

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

/** What a document skipped. */
export interface Skipped {
  /** Milliseconds of its time. */
  readonly ms: number;
  /** A frame was rendered afterwards. */
  readonly isDrawn: boolean;
}

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

import type { Stabilizer } from '../stabilizer.js';

declare module '../stabilizer.js' {
  interface PageMemory {
    /** The active timers of the page, by timer id. */
    planned?: Map<number, PlannedTimer>;
  }
}

interface PlannedTimer {
  /** Time of the next call, in milliseconds of `performance.now()`. */
  readonly dueAt: number;
  /** Milliseconds between two calls; null for a single call. */
  readonly everyMs: number | null;
  readonly call: () => void;
  /** The timer was called as often as it would run during the capture, and changed nothing. */
  isIdle?: boolean;
}

/** Waits until the DOM has not changed for 100 ms: hydration, late widgets, lists that are being filled. */
export const layout = {
  name: 'layout',
  capMs: 2_000,
  explanation: 'the page was still changing itself',
  init() {
    window.__proofsheet ??= {};
    const memory = window.__proofsheet;
    // Only changes after the load event count.
    addEventListener('load', () => {
      const observer = new MutationObserver(() => {
        memory.lastMutation = performance.now();
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true });
    });
    // The active timers determine how long a capture has to wait for changes.
    const planned: NonNullable<typeof memory.planned> = new Map();
    memory.planned = planned;
    memory.setTimer = window.setTimeout.bind(window);
    const record = (repeats: boolean): ProxyHandler<typeof setTimeout> => ({
      apply(target, receiver, [callback, delay, ...values]: unknown[]) {
        const ms = Number(delay) || 0;
        const call = function (this: unknown, ...callArguments: unknown[]) {
          if (!repeats) planned.delete(id);
          return typeof callback === 'function' ? Reflect.apply(callback, this, callArguments) : undefined;
        };
        const id = Number(
          Reflect.apply(target, receiver, [typeof callback === 'function' ? call : callback, delay, ...values]),
        );
        // The execution of a string callback cannot be detected, so it is not recorded.
        if (typeof callback === 'function') {
          const again = () => void Reflect.apply(callback, window, values);
          planned.set(id, { dueAt: performance.now() + ms, everyMs: repeats ? ms : null, call: again });
        }
        return id;
      },
    });
    // Both clear functions accept ids of timeouts and of intervals.
    const removeTimer: ProxyHandler<typeof clearTimeout> = {
      apply(target, receiver, args: unknown[]) {
        planned.delete(Number(args[0]));
        return Reflect.apply(target, receiver, args);
      },
    };
    window.setTimeout = new Proxy(window.setTimeout, record(false));
    window.setInterval = new Proxy(window.setInterval, record(true));
    window.clearTimeout = new Proxy(window.clearTimeout, removeTimer);
    window.clearInterval = new Proxy(window.clearInterval, removeTimer);
  },
  async wait(capMs, pause) {
    const quietMs = 100;
    const end = performance.now() + capMs;
    for (;;) {
      const quiet = performance.now() - (window.__proofsheet?.lastMutation ?? Number.NEGATIVE_INFINITY);
      if (quiet >= quietMs) return [];
      if (performance.now() > end) return [location.href];
      await pause(quietMs - quiet);
    }
  },
} satisfies Stabilizer;

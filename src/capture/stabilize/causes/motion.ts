import type { Stabilizer } from '../stabilizer.js';

declare module '../stabilizer.js' {
  interface PageMemory {
    /** Repeating timers with a period of 800 ms or more do not run. */
    holdsTimers?: boolean;
    /** The ids of those timers. */
    heldTimers?: Set<number>;
  }
}

/**
 * Emulates `prefers-reduced-motion`, and holds slow repeating timers of carousels, tickers and clocks, which may ignore
 * it. `prepare-page.ts` sets the media feature.
 */
export const motion = {
  name: 'motion',
  init() {
    window.__proofsheet ??= {};
    const memory = window.__proofsheet;
    const held = new Set<number>();
    memory.heldTimers = held;
    // Less than 1,000 ms, because timeout chains shorten their delay to compensate for lateness.
    const slowMs = 800;
    let inSlowTimer = false;
    const hold = (repeats: boolean): ProxyHandler<typeof setTimeout> => ({
      apply(target, receiver, [callback, delay, ...values]: unknown[]) {
        if (typeof callback !== 'function' || !(Number(delay) >= slowMs))
          return Reflect.apply(target, receiver, [callback, delay, ...values]);
        // A slow timeout that a slow timer sets is an interval in effect.
        const isRepeating = repeats || inSlowTimer;
        const call = function (this: unknown, ...callArguments: unknown[]) {
          if (isRepeating && memory.holdsTimers) return;
          const wasInSlowTimer = inSlowTimer;
          inSlowTimer = true;
          try {
            Reflect.apply(callback, this, callArguments);
          } finally {
            inSlowTimer = wasInSlowTimer;
          }
        };
        const id = Number(Reflect.apply(target, receiver, [call, delay, ...values]));
        if (isRepeating) held.add(id);
        return id;
      },
    });
    window.setTimeout = new Proxy(window.setTimeout, hold(false));
    window.setInterval = new Proxy(window.setInterval, hold(true));
  },
  freeze() {
    if (window.__proofsheet?.heldTimers) window.__proofsheet.holdsTimers = true;
  },
  restore() {
    if (window.__proofsheet) delete window.__proofsheet.holdsTimers;
  },
} satisfies Stabilizer;

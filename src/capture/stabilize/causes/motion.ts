import type { Stabilizer } from '../stabilizer.js';

declare module '../stabilizer.js' {
  interface PageMemory {
    /** Timers of the page that come again after a second or more do nothing. */
    holdsTimers?: boolean;
    /** The numbers of those timers. */
    heldTimers?: Set<number>;
  }
}

/**
 * Asks the page for reduced motion (`prefers-reduced-motion`), which well-made scripts heed, and holds what moves all the
 * same by a slow timer: carousels, tickers, clocks. `prepare.ts` does the former.
 */
export const motion = {
  name: 'motion',
  init() {
    window.__proofsheet ??= {};
    const memory = window.__proofsheet;
    const held = new Set<number>();
    memory.heldTimers = held;
    // A little under the second, since chains of timeouts make up for what they were late.
    const slowMs = 800;
    let inSlowTimer = false;
    const hold = (repeats: boolean): ProxyHandler<typeof setTimeout> => ({
      apply(target, receiver, [callback, delay, ...values]: unknown[]) {
        if (typeof callback !== 'function' || !(Number(delay) >= slowMs))
          return Reflect.apply(target, receiver, [callback, delay, ...values]);
        // A timeout that is set when one of its like has ended is an interval by another name.
        const comesAgain = repeats || inSlowTimer;
        const call = function (this: unknown, ...given: unknown[]) {
          if (comesAgain && memory.holdsTimers) return;
          const outer = inSlowTimer;
          inSlowTimer = true;
          try {
            Reflect.apply(callback, this, given);
          } finally {
            inSlowTimer = outer;
          }
        };
        const id = Number(Reflect.apply(target, receiver, [call, delay, ...values]));
        if (comesAgain) held.add(id);
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

import type { Stabilizer } from '../stabilizer.js';

declare module '../stabilizer.js' {
  interface PageMemory {
    /** The timers that the page has set, by their numbers. */
    planned?: Map<number, PlannedTimer>;
  }
}

interface PlannedTimer {
  /** In milliseconds of `performance.now()`. */
  readonly dueAt: number;
  /** Milliseconds from one call to the next; null: it is called once. */
  readonly everyMs: number | null;
  readonly call: () => void;
  /** It was called as often as it will be while we look, and changed nothing. */
  isIdle?: boolean;
}

/** Waits until the page has not changed itself for a moment: hydration, late widgets, lists that fill. */
export const layout = {
  name: 'layout',
  capMs: 2_000,
  explanation: 'the page was still changing itself',
  init() {
    window.__proofsheet ??= {};
    const memory = window.__proofsheet;
    // What stands in the document when it is loaded needs no quiet: only what scripts change after that.
    addEventListener('load', () => {
      const observer = new MutationObserver(() => {
        memory.lastMutation = performance.now();
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true });
    });
    // What the page has planned tells how long a look into its future has to be.
    const planned: NonNullable<typeof memory.planned> = new Map();
    memory.planned = planned;
    memory.setTimer = window.setTimeout.bind(window);
    const note = (repeats: boolean): ProxyHandler<typeof setTimeout> => ({
      apply(target, receiver, [callback, delay, ...values]: unknown[]) {
        const ms = Number(delay) || 0;
        const call = function (this: unknown, ...given: unknown[]) {
          if (!repeats) planned.delete(id);
          return typeof callback === 'function' ? Reflect.apply(callback, this, given) : undefined;
        };
        const id = Number(
          Reflect.apply(target, receiver, [typeof callback === 'function' ? call : callback, delay, ...values]),
        );
        // When a text has run, nobody tells.
        if (typeof callback === 'function') {
          const again = () => void Reflect.apply(callback, window, values);
          planned.set(id, { dueAt: performance.now() + ms, everyMs: repeats ? ms : null, call: again });
        }
        return id;
      },
    });
    // Either function ends either kind of timer.
    const forget: ProxyHandler<typeof clearTimeout> = {
      apply(target, receiver, args: unknown[]) {
        planned.delete(Number(args[0]));
        return Reflect.apply(target, receiver, args);
      },
    };
    window.setTimeout = new Proxy(window.setTimeout, note(false));
    window.setInterval = new Proxy(window.setInterval, note(true));
    window.clearTimeout = new Proxy(window.clearTimeout, forget);
    window.clearInterval = new Proxy(window.clearInterval, forget);
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

import type { Stabiliser } from '../stabiliser.js';

declare module '../stabiliser.js' {
  interface PageMemory {
    /** The milliseconds between two calls of every interval that the page has set, by its number. */
    intervals?: Record<string, number>;
  }
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
    // What the page has planned tells how long a look into its future has to be. Calls go through as they were made.
    const planned: number[] = [];
    memory.timers = planned;
    memory.setTimer = window.setTimeout.bind(window);
    const note: ProxyHandler<typeof setTimeout> = {
      apply(target, receiver, args: unknown[]) {
        planned.push(performance.now() + (Number(args[1]) || 0));
        return Reflect.apply(target, receiver, args);
      },
    };
    const repeated: Record<string, number> = {};
    memory.intervals = repeated;
    const noteRepeated: ProxyHandler<typeof setInterval> = {
      apply(target, receiver, args: unknown[]) {
        const id = Reflect.apply(target, receiver, args);
        repeated[String(id)] = Number(args[1]) || 0;
        return id;
      },
    };
    // Either function ends either kind of timer.
    const forget: ProxyHandler<typeof clearTimeout> = {
      apply(target, receiver, args: unknown[]) {
        delete repeated[String(args[0])];
        return Reflect.apply(target, receiver, args);
      },
    };
    window.setTimeout = new Proxy(window.setTimeout, note);
    window.setInterval = new Proxy(window.setInterval, noteRepeated);
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
} satisfies Stabiliser;

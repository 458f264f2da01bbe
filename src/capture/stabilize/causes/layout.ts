import type { Stabilizer } from '../stabilizer.js';

/**
 * Waits until the DOM has not changed for 100 ms: hydration, late widgets, lists that are being filled. Its switch also
 * has the active timers recorded.
 */
export const layout = {
  name: 'layout',
  capMs: 2_000,
  explanation: 'the DOM did not stop changing',
  init() {
    window.__proofsheet ??= {};
    const memory = window.__proofsheet;
    // Only changes after the load event count.
    addEventListener('load', () => {
      const observer = new MutationObserver(() => {
        memory.lastMutation = (memory.native ?? performance).now();
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true });
    });
  },
  async wait(capMs, pause) {
    const quietMs = 100;
    const clock = window.__proofsheet?.native ?? performance;
    const end = clock.now() + capMs;
    for (;;) {
      const quiet = clock.now() - (window.__proofsheet?.lastMutation ?? Number.NEGATIVE_INFINITY);
      if (quiet >= quietMs) return [];
      if (clock.now() > end) return [location.href];
      await pause(quietMs - quiet);
    }
  },
} satisfies Stabilizer;

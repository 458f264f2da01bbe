import type { Stabilizer } from '../stabilizer.js';

/**
 * Waits for the load event, up to a cap: a request without a response delays it forever. Implemented in
 * `navigation.ts`.
 */
export const load = {
  name: 'load',
  capMs: 15_000,
  explanation: 'the load event did not fire in time',
} satisfies Stabilizer;

/** Waits until no visible element has `aria-busy="true"`. */
export const busy = {
  name: 'busy',
  capMs: 5_000,
  explanation: 'elements are still marked with aria-busy',
  async wait(capMs, pause) {
    const clock = window.__proofsheet?.native ?? performance;
    const end = clock.now() + capMs;
    const name = (element: Element) =>
      element.id
        ? `#${element.id}`
        : element.tagName.toLowerCase() + (element.classList[0] ? `.${element.classList[0]}` : '');
    for (;;) {
      const found = Array.from(document.querySelectorAll('[aria-busy="true" i]')).filter((element) =>
        element.checkVisibility(),
      );
      if (found.length === 0) return [];
      if (clock.now() > end) return found.map(name);
      await pause(50);
    }
  },
} satisfies Stabilizer;

import type { Stabilizer } from '../stabilizer.js';

declare module '../stabilizer.js' {
  interface PageMemory {
    /** Stopped clones and the marquees that they replace. */
    stoppedMarquees?: Map<Element, HTMLMarqueeElement>;
  }
}

/**
 * Stops animations. The clock of a controlled page stops them at a moment, and Playwright's screenshot ends those of any other page: both
 * leave out `marquee`, and the bar that the browser itself moves in an indeterminate `progress`.
 */
export const animations = {
  name: 'animations',
  css: 'progress:indeterminate { appearance: none !important; }',
  freeze(roots) {
    window.__proofsheet ??= {};
    const memory = window.__proofsheet;
    memory.stoppedMarquees ??= new Map();
    for (const root of roots) {
      for (const marquee of root.querySelectorAll('marquee')) {
        if (memory.stoppedMarquees.has(marquee)) continue;
        // A stopped marquee stays at its current position. A clone that never started shows its text at the start
        // position.
        const clone = document.importNode(marquee, true);
        marquee.replaceWith(clone);
        clone.stop();
        memory.stoppedMarquees.set(clone, marquee);
      }
    }
  },
  restore() {
    const memory = window.__proofsheet;
    for (const [clone, marquee] of memory?.stoppedMarquees ?? []) clone.replaceWith(marquee);
    memory?.stoppedMarquees?.clear();
  },
} satisfies Stabilizer;

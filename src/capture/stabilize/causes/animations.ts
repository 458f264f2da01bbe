import type { Stabilizer } from '../stabilizer.js';

declare module '../stabilizer.js' {
  interface PageMemory {
    /** Stopped clones and the marquees that they replace. */
    stoppedMarquees?: Map<Element, HTMLMarqueeElement>;
  }
}

/** Stops CSS and Web Animations. Finite animations jump to their end, infinite ones to their start. */
export const animations = {
  name: 'animations',
  // Chromium resizes the viewport for a moment during a full-page capture. Without this rule, the screenshot could show
  // a transition that this resize starts, at an arbitrary point.
  css: '*, *::before, *::after { transition: none !important; scroll-behavior: auto !important; }',
  freeze(roots) {
    window.__proofsheet ??= {};
    const memory = window.__proofsheet;
    memory.endlessAnimations ??= new Set();
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
      for (const animation of root.getAnimations()) {
        const endless = animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
        if (endless) {
          memory.endlessAnimations.add(animation);
          animation.cancel();
          // `finish()` throws if the playback rate is 0, and such an animation does not move.
        } else if (animation.playState !== 'finished' && animation.playbackRate !== 0) animation.finish();
      }
    }
  },
  restore() {
    const memory = window.__proofsheet;
    for (const [clone, marquee] of memory?.stoppedMarquees ?? []) clone.replaceWith(marquee);
    memory?.stoppedMarquees?.clear();
    for (const animation of memory?.endlessAnimations ?? []) animation.play();
  },
} satisfies Stabilizer;

/**
 * Emulates `prefers-reduced-motion`, and holds slow repeating timers of carousels, tickers and clocks, which may ignore
 * it. `prepare-page.ts` sets the media feature, and the timer registry of the page holds the timers.
 */
export const motion = {
  name: 'motion',
  freeze() {
    const timers = window.__proofsheet?.timers;
    if (timers) timers.isHolding = true;
  },
  restore() {
    const timers = window.__proofsheet?.timers;
    if (timers) timers.isHolding = false;
  },
} satisfies Stabilizer;

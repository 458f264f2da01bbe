import type { Stabilizer } from '../stabilizer.js';

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

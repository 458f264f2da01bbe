import type { Stabiliser } from '../stabiliser.js';

/** Asks the page for reduced motion (`prefers-reduced-motion`), which well-made scripts heed. `situation.ts` does it. */
export const motion = {
  name: 'motion',
} satisfies Stabiliser;

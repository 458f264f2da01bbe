import type { Stabilizer } from '../stabilizer.js';

/** Waits for the load event, which a request that is never answered would hold up for ever. `open.ts` does it. */
export const load = {
  name: 'load',
  capMs: 15_000,
  explanation: 'the load event did not come, since something on the page is not answered',
} satisfies Stabilizer;

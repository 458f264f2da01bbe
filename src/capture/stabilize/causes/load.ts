import type { Stabilizer } from '../stabilizer.js';

/**
 * Waits for the load event, up to a cap: a request without a response delays it forever. Implemented in
 * `navigation.ts`.
 */
export const load = {
  name: 'load',
  capMs: 15_000,
  explanation: 'the load event did not come, since something on the page is not answered',
} satisfies Stabilizer;

import type { Stabiliser } from '../stabiliser.js';

/** Hides the marks under words that a dictionary of the machine does not know. */
export const spelling = {
  name: 'spelling',
  startCss: '*::spelling-error, *::grammar-error { text-decoration: none !important; }',
} satisfies Stabiliser;

import type { Stabiliser } from '../stabiliser.js';

/** Hides the text cursor, which blinks. */
export const caret = {
  name: 'caret',
  startCss: '*, *::before, *::after { caret-color: transparent !important; }',
} satisfies Stabiliser;

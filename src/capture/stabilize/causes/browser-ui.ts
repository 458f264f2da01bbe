import type { Stabilizer } from '../stabilizer.js';

/** Hides the text cursor, which blinks. */
export const caret = {
  name: 'caret',
  startCss: '*, *::before, *::after { caret-color: transparent !important; }',
} satisfies Stabilizer;

/** Hides scrollbars: whether they take room, and how they look, depends on the machine. */
export const scrollbars = {
  name: 'scrollbars',
  startCss: '* { scrollbar-width: none !important; }',
} satisfies Stabilizer;

/** Hides the marks under words that a dictionary of the machine does not know. */
export const spelling = {
  name: 'spelling',
  startCss: '*::spelling-error, *::grammar-error { text-decoration: none !important; }',
} satisfies Stabilizer;

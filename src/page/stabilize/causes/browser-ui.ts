import type { Stabilizer } from '../stabilizer.js';

/** Hides the blinking text cursor. */
export const caret = {
  name: 'caret',
  css: '*, *::before, *::after { caret-color: transparent !important; }',
} satisfies Stabilizer;

/** Hides scrollbars: their width and appearance depend on the machine. */
export const scrollbars = {
  name: 'scrollbars',
  css: '* { scrollbar-width: none !important; }',
} satisfies Stabilizer;

/** Hides spelling and grammar underlines: they depend on the dictionaries of the machine. */
export const spelling = {
  name: 'spelling',
  css: '*::spelling-error, *::grammar-error { text-decoration: none !important; }',
} satisfies Stabilizer;

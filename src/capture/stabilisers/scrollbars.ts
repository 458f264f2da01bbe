import type { Stabiliser } from '../stabiliser.js';

/** Hides scrollbars: whether they take room, and how they look, depends on the machine. */
export const scrollbars = {
  name: 'scrollbars',
  startCss: '* { scrollbar-width: none !important; }',
} satisfies Stabiliser;

import { BELOW } from './below.mjs';
import { LATER } from './late.mjs';
import { LAYOUTS } from './layouts.mjs';
import { PARTS } from './parts.mjs';
import { STILL } from './still.mjs';
import { UNSEEN } from './unseen.mjs';
import { UNSEEN_2 } from './unseen-2.mjs';
import { UNSEEN_3 } from './unseen-3.mjs';
import { UNSEEN_4 } from './unseen-4.mjs';
import { UNSEEN_5 } from './unseen-5.mjs';
import { UNSEEN_6 } from './unseen-6.mjs';

/**
 * Lists the specimens: pages with a change that a visitor sees, and that a capture can miss. Those of the files `unseen` were written by
 * somebody who had not seen the tool.
 *
 * Each has a `name`, a `kind`, a `body`, and where needed: `load` (files of libraries), further `files`, and `fields` of the page in the
 * list. A text instead of an object is the `body`. `visitor` says what a visitor does, see `verify.mjs`:
 *
 * - `see` is a selector of what the visitor sees changing.
 * - `over` is the place of the mouse wheel, and `turn` how far one turn of it goes, to the right and down.
 * - `waitMs`: the visitor waits before that. `toEnd`: the visitor turns it as often as possible, `turns`: at least so often.
 * - `back` is a last turn. `moves` is the place of the mouse after the actions.
 */
export const SPECIMENS = Object.entries({
  ...BELOW,
  ...LATER,
  ...STILL,
  ...PARTS,
  ...UNSEEN,
  ...UNSEEN_2,
  ...UNSEEN_3,
  ...UNSEEN_4,
  ...UNSEEN_5,
  ...UNSEEN_6,
  ...LAYOUTS,
}).flatMap(([kind, pages]) =>
  Object.entries(pages).map(([name, page]) => {
    const { visitor, ...own } = typeof page === 'string' ? { body: page } : page;
    return { name, kind, ...own, visitor: { see: '#change', over: [640, 360], turn: [0, 200], ...visitor } };
  }),
);

/** Whether a specimen uses a library. */
export function usesLibrary({ load = [], body, files = {} }) {
  return load.length > 0 || [body, ...Object.values(files)].some((text) => text.includes('/lib/'));
}

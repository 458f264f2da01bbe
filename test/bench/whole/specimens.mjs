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
 * Lists the specimens: pages with a change that a visitor sees, and that a capture can miss. Those of `unseen.mjs`,
 * `unseen-2.mjs`, `unseen-3.mjs`, `unseen-4.mjs`, `unseen-5.mjs` and `unseen-6.mjs` were written by somebody who had not seen the tool.
 *
 * Each has a `name`, a `kind`, a `body`, and where needed: `load` (files of libraries), further `files`, and `fields` of the page in the
 * list. `see` is a selector of what a visitor sees changing (`#change` unless it says otherwise), `over` the place of the visitor's mouse wheel,
 * and `turn` how far one turn of it goes, to the right and down. `waitMs`: the visitor waits before that. `toEnd`: the visitor turns it as often as possible.
 * `turns`: at least so often. `back` is a last turn. `moves` is the place of the mouse after the actions.
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
}).flatMap(([kind, specimens]) =>
  specimens.map((specimen) => ({ see: '#change', over: [640, 360], turn: [0, 200], ...specimen, kind })),
);

/** Whether a specimen uses a library. */
export function usesLibrary({ load = [], body, files = {} }) {
  return load.length > 0 || [body, ...Object.values(files)].some((text) => text.includes('/lib/'));
}

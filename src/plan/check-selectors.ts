import { describeValue } from './describe.js';
import { type Finding, invalid, type Path, valueAt } from './finding.js';
import { ownersOf } from './owners.js';
import { valueNameOf } from './place.js';
import type { ReadableList } from './readable-list.js';
import { splitSelectors } from './selectors.js';

/** Finds selectors that are empty: mostly what is left where YAML took the `#` of an id for a comment. */
export function checkSelectors(list: ReadableList, written: unknown): Finding[] {
  return ownersOf(list).flatMap(({ path, own }) =>
    (['element', 'hide', 'remove', 'mask', 'ignore'] as const).flatMap((field) =>
      checkSelector([...path, field], own[field], written),
    ),
  );
}

/** Finds selectors that are empty in a text with one or several, or in a list of such texts. */
export function checkSelector(path: Path, selectors: unknown, written: unknown): Finding[] {
  if (Array.isArray(selectors))
    return selectors.flatMap((text, index) => checkSelector([...path, index], text, written));
  if (typeof selectors !== 'string' || selectors === '' || !splitSelectors(selectors).includes('')) return [];
  return [
    invalid(
      path,
      `${valueNameOf(path)} has an empty selector in ${describeValue(valueAt(written, path))}`,
      'Remove the comma; or, if an #id follows it, put all in quotes: a # begins a comment in YAML.',
    ),
  ];
}

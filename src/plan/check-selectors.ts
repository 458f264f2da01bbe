import { selectorFault } from './css-syntax.js';
import { describeValue } from './describe.js';
import { type Finding, invalid, type Path, valueAt } from './finding.js';
import { ownersOf } from './owners.js';
import { valueNameOf } from './place.js';
import type { ReadableList } from './readable-list.js';
import { splitSelectors } from './selectors.js';

/**
 * Finds selectors that are empty: mostly what is left where YAML took the `#` of an id for a comment. Finds selectors that
 * are not CSS, in fields that take nothing else; `element` is a Playwright locator.
 */
export function checkSelectors(list: ReadableList, written: unknown): Finding[] {
  return ownersOf(list).flatMap(({ path, own }) => [
    ...(['element', 'hide', 'remove', 'mask', 'ignore'] as const).flatMap((field) =>
      checkSelector([...path, field], own[field], written),
    ),
    ...(['hide', 'remove', 'mask', 'ignore'] as const).flatMap((field) =>
      checkSyntax([...path, field], own[field], written),
    ),
  ]);
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

function checkSyntax(path: Path, selectors: unknown, written: unknown): Finding[] {
  if (Array.isArray(selectors)) return selectors.flatMap((text, index) => checkSyntax([...path, index], text, written));
  if (typeof selectors !== 'string') return [];
  // As it is written: a variable may hold a secret.
  const shown = describeValue(valueAt(written, path));
  return splitSelectors(selectors).flatMap((selector) => {
    const fault = selector === '' ? null : selectorFault(selector);
    const found = `${valueNameOf(path)} is not a CSS selector: ${shown} (${fault})`;
    return fault === null ? [] : [invalid(path, found, 'Write it as document.querySelector takes it.')];
  });
}

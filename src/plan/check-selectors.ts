import { describeValue } from './describe.js';
import { type Finding, invalid, type Path, valueAt } from './finding.js';
import { valueNameOf } from './place.js';
import type { ReadableList } from './readable-list.js';
import { splitSelectors } from './selectors.js';

type Hide = string | readonly string[] | undefined;

/** Finds selectors that are empty: mostly what is left where YAML took the `#` of an id for a comment. */
export function checkSelectors({ defaults, pages }: ReadableList, written: unknown): Finding[] {
  return [
    ...emptyPaths(['defaults', 'hide'], defaults.hide),
    ...pages.flatMap(({ index, page }) => emptyPaths(['pages', index, 'hide'], page.hide)),
  ].map((path) =>
    invalid(
      path,
      `${valueNameOf(path)} has an empty selector in ${describeValue(valueAt(written, path))}`,
      'Remove the comma; or, if an #id follows it, put all in quotes: a # begins a comment in YAML.',
    ),
  );
}

function emptyPaths(path: Path, hide: Hide): Path[] {
  if (typeof hide === 'string') return splitSelectors(hide).includes('') ? [path] : [];
  return (hide ?? []).flatMap((text, index) => emptyPaths([...path, index], text));
}

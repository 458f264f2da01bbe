import type { Path } from './finding.js';

/** Names the mapping at a path: `a page`, `a viewport`, `state "open"`, `item 2 of "actions"`. */
export function placeOf(path: Path): string {
  const [last, field] = [path.at(-1), path.at(-2)];
  if (path.length === 0) return 'the page list';
  if (path.length === 2 && field === 'pages') return 'a page';
  if (path.length === 2 && field === 'viewports') return 'a viewport';
  if (isState(path)) return `state "${last}"`;
  return typeof last === 'number' ? `item ${last + 1} of "${field}"` : `"${last}"`;
}

/** Names the value at a path: `"width"`, `item 2 of "hide"`, `viewport "phone"`. */
export function valueNameOf(path: Path): string {
  return path.length === 2 && path[0] === 'viewports' ? `viewport "${path[1]}"` : placeOf(path);
}

/** Is it where fields of a page stand: in a page, in the defaults, or in a state of either? */
export function isPageLike(path: Path): boolean {
  const isTop = path.length === 1 ? path[0] === 'defaults' : path.length === 2 && path[0] === 'pages';
  return isTop || isState(path);
}

function isState(path: Path): boolean {
  return path.at(-2) === 'states' && isPageLike(path.slice(0, -2));
}

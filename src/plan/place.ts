import type { Path } from './finding.js';

/** Names the mapping at a path: `a page`, `a viewport`. */
export function placeOf(path: Path): string {
  if (path.length === 0) return 'the page list';
  if (path[0] === 'pages' && path.length === 2) return 'a page';
  if (path[0] === 'viewports' && path.length === 2) return 'a viewport';
  return `"${path.at(-1)}"`;
}

/** Names the value at a path: `"width"`, `item 2 of "hide"`, `viewport "phone"`. */
export function valueNameOf(path: Path): string {
  const [last, field] = [path.at(-1), path.at(-2)];
  if (path.length === 2 && field === 'viewports') return `viewport "${last}"`;
  if (typeof last === 'number' && path.length > 2) return `item ${last + 1} of "${field}"`;
  return placeOf(path);
}

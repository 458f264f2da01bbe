import { dirname, join, relative } from 'node:path';
import { listBaselines, shotNameOf } from '../baselines/index.js';
import { ProofsheetError, type Shot } from '../model/index.js';
import type { Match } from '../page/index.js';

/** Returns the shot of one element of a page with `each`: `cards/pro-plan` of `cards`. */
export function shotOfMatch(set: Shot, { name, index }: Match): Shot {
  const { page, viewport, mode, state, capture } = set;
  return {
    ...set,
    ...shotNameOf({ page: `${page}/${name}`, viewport, mode, state }),
    capture: { ...capture, element: `${capture.element} >> nth=${index}` },
  };
}

/**
 * Finds the elements that a page with `each` had and has no longer: those with a baseline where this run would look for it.
 *
 * @param pathOf - returns the absolute path of a baseline
 * @param isListed - whether an id is that of another shot of the list
 */
export async function findVanished(
  set: Shot,
  matches: readonly Match[],
  pathOf: (shot: Shot) => Promise<string>,
  isListed: (id: string) => boolean,
): Promise<string[]> {
  const pathOfName = (name: string) => pathOf(shotOfMatch(set, { name, index: 0 }));
  const root = sharedFolder(await pathOfName('a'), await pathOfName('b'));
  const known = new Set(matches.map(({ name }) => name));
  const found = await listBaselines({ root, folders: ['.'], outputs: [], isKnown: () => false });
  const vanished: string[] = [];
  for (const { path, record } of found) {
    const name = nameIn(set, record.id);
    if (name === null || known.has(name) || isListed(record.id)) continue;
    if (join(root, path) === (await pathOfName(name))) vanished.push(name);
  }
  return vanished.sort();
}

/** Returns the error of a page on which elements are missing. */
export function vanishedError({ after, capture }: Shot, names: readonly string[], advice: string): ProofsheetError {
  return new ProofsheetError({
    code: 'page-selector',
    where: after.url,
    found: `\`element\` "${capture.element}" no longer matches: ${names.join(', ')}`,
    advice,
  });
}

/** Returns the name of the element in an id; null if it is not the id of an element of this page. */
function nameIn({ id, page }: Shot, other: string): string | null {
  const end = id.slice(page.length);
  if (!other.startsWith(`${page}/`) || !other.endsWith(end)) return null;
  const name = other.slice(page.length + 1, other.length - end.length);
  return name === '' || name.includes('/') ? null : name;
}

function sharedFolder(path: string, other: string): string {
  let folder = dirname(path);
  while (relative(folder, other).startsWith('..')) folder = dirname(folder);
  return folder;
}

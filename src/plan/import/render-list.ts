import { Document, isNode, isSeq } from 'yaml';
import { foldName, pageNameOf, safePathParts } from '../names.js';
import type { ImportedList, ImportedPage } from './imported.js';

/** Renders an imported list as the YAML of a page list, each note as a comment where it belongs. */
export function renderList({ baseURL, viewports, defaults, pages, notes }: ImportedList): string {
  const named = withOwnNames(pages);
  const document = new Document(
    literal({
      ...(baseURL !== null && { baseURL }),
      ...(Object.keys(viewports).length > 0 && { viewports }),
      ...(Object.keys(defaults).length > 0 && { defaults }),
      pages: named.map(({ page }) => (Object.keys(page).length === 1 ? page.url : page)),
    }),
    { aliasDuplicateObjects: false },
  );
  const list = document.get('pages', true);
  for (const [index, page] of named.entries()) {
    const item = isSeq(list) ? list.items[index] : undefined;
    if (isNode(item) && page.notes.length > 0) item.commentBefore = page.notes.map(commentOf).join('\n');
  }
  const head = [SCHEMA, ...notes.map((note) => `#${commentOf(note)}`)].join('\n');
  return `${head}\n${document.toString({ lineWidth: 120 })}`;
}

const SCHEMA = '# yaml-language-server: $schema=./node_modules/proofsheet/pages.schema.json';

/** A note may quote what stood in the other file. */
function commentOf(note: string): string {
  return ` ${note.replace(/\s+/g, ' ')}`;
}

/** Two pages of one name are none here: the later ones get a number. */
function withOwnNames(pages: readonly ImportedPage[]): ImportedPage[] {
  const taken = new Set<string>();
  return pages.map(({ page, notes }) => {
    const wanted = (page.name ?? pageNameOf(page.url)).trim().slice(0, 190);
    let name = wanted;
    for (let count = 2; taken.has(keyOf(name)); count++) name = `${wanted}-${count}`;
    taken.add(keyOf(name));
    if (page.name === undefined && name === wanted) return { page, notes };
    const told = name === wanted ? notes : [...notes, `another page has the name ${wanted}`];
    return { page: { ...page, name }, notes: told };
  });
}

function keyOf(name: string): string {
  return foldName(safePathParts({ page: name, viewport: null, state: null }).join('/'));
}

/** What looks like a variable of the environment is text in another tool's list. */
function literal(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\$\{/g, '$$$&');
  if (Array.isArray(value)) return value.map(literal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, literal(item)]));
}

import { Document, isNode, isSeq } from 'yaml';
import { foldName, pageNameOf, safePathParts } from '../names.js';
import { createNames, type ImportedList, type ImportedPage } from './imported.js';

/**
 * Renders an imported list as the YAML of a page list, each note as a comment where it belongs.
 *
 * @param schema the path of `pages.schema.json`, as editors find it from the list
 */
export function renderList({ baseURL, viewports, defaults, pages, notes }: ImportedList, schema: string): string {
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
  const head = [schemaComment(schema), ...notes.map((note) => `#${commentOf(note)}`)].join('\n');
  return `${head}\n${document.toString({ lineWidth: 120 })}`;
}

/** Gives the comment by which editors find the schema of a page list. */
export function schemaComment(schema: string): string {
  return `# yaml-language-server: $schema=${schema}`;
}

/** A note may quote what stood in the other file. */
function commentOf(note: string): string {
  return ` ${note.replace(/\s+/g, ' ')}`;
}

/** Two pages cannot have one name: the later ones get a number. */
function withOwnNames(pages: readonly ImportedPage[]): ImportedPage[] {
  const names = createNames(keyOf);
  return pages.map(({ page, notes }) => {
    const wanted = (oneLine(page.name ?? '') || pageNameOf(page.url)).slice(0, 190);
    const name = names.add(wanted);
    if (page.name === undefined && name === wanted) return { page, notes };
    const told = name === wanted ? notes : [...notes, `another page has the name ${wanted}`];
    return { page: { ...page, name }, notes: told };
  });
}

function oneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
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

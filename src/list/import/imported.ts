import { Document, isNode, isSeq } from 'yaml';
import { foldName, pageNameOf, safePart, safePathParts } from '../../baselines/index.js';
import { type PageFieldsInput, type PageInput, renderPlain, type ViewportInput } from '../../model/index.js';
import { mapLeaves } from '../issue.js';

/** A page list converted from the list of another tool. */
export interface ImportedList {
  readonly baseURL: string | null;
  readonly viewports: Readonly<Record<string, ViewportInput>>;
  readonly defaults: PageFieldsInput;
  readonly pages: readonly ImportedPage[];
  /** Notes about the whole list: fields without an equivalent, or with a different meaning. */
  readonly notes: readonly string[];
}

/** A converted page, with notes about it. */
export interface ImportedPage {
  readonly page: PageInput;
  readonly notes: readonly string[];
}

/** What a field of another tool becomes. The name of the field precedes the note. */
export interface Converted {
  readonly fields?: Partial<PageInput>;
  readonly note?: string;
}

/**
 * What happens to a field of another tool: a function converts its value, or returns undefined if it has no equivalent; a string is
 * the note that it becomes; null stands for a field that is converted together with others.
 */
export type Rule = ((value: unknown) => Converted | undefined) | string | null;

/** The fields of another tool, in the order in which it applies them. */
export type Rules = Readonly<Record<string, Rule>>;

/** The key of the object that stands for a function of a config. */
export const FUNCTION_KEY = '(function)';

const NO_EQUIVALENT = 'no equivalent in proofsheet';

/** Converts the fields of another tool. Actions and code of several fields are concatenated. A field without a rule becomes a note. */
export function convertFields(
  source: Readonly<Record<string, unknown>>,
  rules: Rules,
): { fields: Partial<PageInput>; notes: string[] } {
  const notes: string[] = [];
  let fields: Partial<PageInput> = {};
  for (const name of new Set([...Object.keys(rules), ...Object.keys(source)])) {
    const rule = (Object.hasOwn(rules, name) ? rules[name] : undefined) ?? NO_EQUIVALENT;
    const value = source[name];
    if (isNothing(value) || rules[name] === null) continue;
    const converted = typeof rule === 'function' ? rule(value) : { note: rule };
    const { fields: more = {}, note }: Converted = converted ?? { note: NO_EQUIVALENT };
    fields = join(fields, more);
    if (note !== undefined) notes.push(`${name}: ${note}`);
  }
  return { fields, notes };
}

/** Converts a page of another tool. */
export function convertPage(item: Readonly<Record<string, unknown>>, rules: Rules): ImportedPage {
  const { fields, notes } = convertFields(item, rules);
  return { page: { ...fields, url: fields.url ?? '/' }, notes };
}

function join(fields: Partial<PageInput>, more: Partial<PageInput>): Partial<PageInput> {
  const code = [fields.javascriptCode, more.javascriptCode].filter((part) => part !== undefined);
  const actions = [...(fields.actions ?? []), ...(more.actions ?? [])];
  return {
    ...fields,
    ...more,
    ...(actions.length > 0 && { actions }),
    ...(code.length > 0 && { javascriptCode: code.join('\n') }),
  };
}

export function text(field: 'name' | 'url' | 'element' | 'javascriptCode' | 'userAgent'): Rule {
  return (value) => ({ fields: { [field]: String(value) } });
}

export function texts(field: 'waitFor' | 'hide' | 'remove'): Rule {
  return (value) => ({ fields: { [field]: textsOf(value) } });
}

export function actions(name: 'click' | 'hover' | 'scrollTo' | 'wait'): Rule {
  return (value) => ({ fields: { actions: textsOf(value).map((selector) => ({ [name]: selector })) } });
}

/** Converts a delay from milliseconds to at most 10 seconds. */
export const delay: Rule = (value) => {
  if (typeof value !== 'number') return undefined;
  const note = `${value} ms is above the maximum delay of 10 s; use waitFor instead`;
  return { fields: { delay: Math.min(10, value / 1000) }, ...(value > 10_000 && { note }) };
};

export function size(side: 'width' | 'height'): Rule {
  return (value) => (typeof value === 'number' ? { fields: { [side]: value } } : undefined);
}

/** Converts a URL. A local file gets a note, because proofsheet needs a server for it. */
export function urlRule(value: unknown): Converted {
  const url = String(value);
  if (/^(\/|https?:)/.test(url)) return { fields: { url } };
  const path = `/${url.replace(/^file:\/+|^\.?\//, '')}`;
  return { fields: { url: path }, note: `${url} is a file; serve its folder, and set baseURL` };
}

export function textsOf(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.filter((item) => typeof item === 'string').filter((item) => item !== '');
}

/** Returns a copy of a mapping; an empty mapping for any other value. */
export function mappingOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

/** Returns the items of a list; an empty list for any other value. */
export function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Checks whether a value is undefined, null, an empty string or an empty list. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Checks whether a value of a config is a function. */
export function isFunction(value: unknown): boolean {
  return Object.hasOwn(mappingOf(value), FUNCTION_KEY);
}

/** Returns a function that makes names distinct: a name that clashes with an earlier one gets a number. */
export function createNames(keyOf = (name: string) => foldName(safePart(name))): (wanted: string) => string {
  const taken = new Set<string>();
  /** The last number used per key. Without it, a thousand equal names take a million attempts. */
  const counts = new Map<string, number>();
  return (wanted) => {
    const key = keyOf(wanted);
    let name = wanted;
    let count = counts.get(key) ?? 1;
    while (taken.has(keyOf(name))) name = `${wanted}-${++count}`;
    counts.set(key, count);
    taken.add(keyOf(name));
    return name;
  };
}

/** The named viewports of an import. Each name has one size; a different size for the same name gets a different name. */
export type NamedViewports = ReturnType<typeof createViewports>;

export function createViewports() {
  const sizes = new Map<string, { name: string; width: number; height: number }>();
  return {
    /** Returns the name of a size. Adds the size if it is new. */
    add(wanted: string, width: number, height: number): string {
      for (const name of [wanted, `${wanted}-${width}x${height}`]) {
        const key = foldName(safePart(name));
        const known = sizes.get(key) ?? { name, width, height };
        sizes.set(key, known);
        if (known.width === width && known.height === height) return known.name;
      }
      return wanted;
    },
    /** Returns a page with its `viewports`. A page in all viewports of the list, or in none, is returned unchanged. */
    select({ page, notes }: ImportedPage, names: readonly string[]): ImportedPage {
      const viewports = [...new Set(names)];
      const isInAll = viewports.length === 0 || viewports.length === sizes.size;
      return { page: isInAll ? page : { ...page, viewports }, notes };
    },
    /** Returns all added sizes, by name. */
    all: (): Readonly<Record<string, ViewportInput>> =>
      Object.fromEntries([...sizes.values()].map(({ name, ...size }) => [name, size])),
  };
}

/**
 * Renders an imported list as YAML. The notes become comments: those of a page above the page, others at the top.
 *
 * @param schema the path of `pages.schema.json`, relative to the list
 */
export function renderList({ baseURL, viewports, defaults, pages, notes }: ImportedList, schema: string): string {
  const named = withUniqueNames(pages);
  const document = new Document(
    escapeVariables({
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

/** Renders a page list of all stories of a Storybook. @param folder - relative to the list */
export function renderStoriesList(folder: string, schema: string): string {
  const document = new Document(escapeVariables({ stories: folder }));
  return `${schemaComment(schema)}\n${document.toString({ lineWidth: 120 })}`;
}

/** Returns the comment from which editors take the schema of a page list. */
export function schemaComment(schema: string): string {
  return `# yaml-language-server: $schema=${schema}`;
}

function commentOf(note: string): string {
  return ` ${note.replace(/\s+/g, ' ')}`;
}

function withUniqueNames(pages: readonly ImportedPage[]): ImportedPage[] {
  const distinct = createNames((name) => foldName(safePathParts({ page: name }).join('/')));
  return pages.map(({ page, notes }) => {
    const wanted = (renderPlain(page.name ?? '') || pageNameOf(page.url)).slice(0, 190);
    const name = distinct(wanted);
    if (page.name === undefined && name === wanted) return { page, notes };
    const allNotes = name === wanted ? notes : [...notes, `renamed, because another page has the name ${wanted}`];
    return { page: { ...page, name }, notes: allNotes };
  });
}

/** Escapes `${` in all strings. In the list of another tool it is text, not an environment variable. */
function escapeVariables(value: unknown): unknown {
  return mapLeaves(value, (leaf) => (typeof leaf === 'string' ? leaf.replace(/\$\{/g, '$$$&') : leaf));
}

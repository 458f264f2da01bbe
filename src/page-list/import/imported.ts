import { Document, isNode, isSeq } from 'yaml';
import { VIEWPORT_BOUNDS } from '../../model/list/fields.js';
import type { PageFieldsInput, PageInput, ViewportInput } from '../../model/list/page-list.js';
import { foldName, pageNameOf, safePart, safePathParts } from '../resolve/names.js';

/** A page list as it is made out of another tool's. */
export interface ImportedList {
  readonly baseURL: string | null;
  readonly viewports: Readonly<Record<string, ViewportInput>>;
  readonly defaults: PageFieldsInput;
  readonly pages: readonly ImportedPage[];
  /** What is to be known of the list as a whole: what has no equivalent, or means something else here. */
  readonly notes: readonly string[];
}

/** A page of it, and what is to be known of it. */
export interface ImportedPage {
  readonly page: PageInput;
  readonly notes: readonly string[];
}

/** What one field of another tool becomes. */
export interface Converted {
  readonly fields?: Partial<PageInput>;
  readonly note?: string;
}

/** What is made of a field's value; undefined: it has no equivalent. */
export type Rule = (value: unknown) => Converted | undefined;

/**
 * Converts the fields of another tool by rules, in the order of the rules. Actions add up, and so does code. A field
 * that has no rule, or a value that its rule cannot use, becomes a note.
 */
export function convertFields(
  source: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, Rule>>,
): { fields: Partial<PageInput>; notes: string[] } {
  const notes: string[] = [];
  let fields: Partial<PageInput> = {};
  for (const [name, rule] of Object.entries(rules)) {
    const value = source[name];
    if (isNothing(value)) continue;
    const converted = rule(value) ?? { note: `${name} has no equivalent here` };
    fields = join(fields, converted.fields ?? {});
    if (converted.note !== undefined) notes.push(converted.note);
  }
  for (const [name, value] of Object.entries(source)) {
    if (!Object.hasOwn(rules, name) && !isNothing(value)) notes.push(`${name} has no equivalent here`);
  }
  return { fields, notes };
}

/** Returns what a tool of many words writes as one text or a list of them. */
export function textsOf(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.filter((item) => typeof item === 'string').filter((item) => item !== '');
}

/** Returns a mapping; that of anything else is empty. */
export function mappingOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

/** Returns the items of a list; those of anything else are none. */
export function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What is not set, or set to nothing. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A rule for what is waited, in milliseconds there and in seconds here. */
export function delayRule(name: string): Rule {
  return (value) => {
    if (typeof value !== 'number' || value < 0) return undefined;
    const delay = Math.min(10, value / 1000);
    const note = `${name}: ${value} ms; more than 10 s is not waited here, name what is waited for under waitFor`;
    return value > 10_000 ? { fields: { delay }, note } : { fields: { delay } };
  };
}

/** A rule for what is true of a page, and needs nothing to be said here. */
export const silent: Rule = () => ({});

/** A rule for what is to be done otherwise. */
export function told(note: string): Rule {
  return () => ({ note });
}

/** Names that are distinct in files: a second one that is alike gets a number. */
export interface Names {
  /** Returns the name itself, or with a number where it is in use. */
  add(wanted: string): string;
}

/** Creates an empty set of names. `keyOf` gives what two names that are alike have in common. */
export function createNames(keyOf = (name: string) => foldName(safePart(name))): Names {
  const taken = new Set<string>();
  /** The last number in use after names that are alike: without it, a thousand equal names take a million tries. */
  const counts = new Map<string, number>();
  return {
    add(wanted) {
      const key = keyOf(wanted);
      let name = wanted;
      let count = counts.get(key) ?? 1;
      while (taken.has(keyOf(name))) name = `${wanted}-${++count}`;
      counts.set(key, count);
      taken.add(keyOf(name));
      return name;
    },
  };
}

/** What stands for a function of a config that is code. */
export const FUNCTION_KEY = '(function)';

/** Is this a function of a config that is code? */
export function isFunction(value: unknown): boolean {
  return Object.hasOwn(mappingOf(value), FUNCTION_KEY);
}

/** The named viewports of an import. One name has one size: a second size under a name in use gets a name of its own. */
export interface NamedViewports {
  /** Returns the name for a size, and adds the size where it is new. */
  add(wanted: string, size: { width: number; height: number }): string;
  /** All sizes so far, by name. */
  all(): Readonly<Record<string, ViewportInput>>;
}

/** Creates an empty set of named viewports. */
export function createViewports(): NamedViewports {
  const sizes = new Map<string, { name: string; size: ViewportInput }>();
  return {
    add(wanted, size) {
      const { width, height } = size;
      for (let count = 0; ; count++) {
        const name = [wanted, ...(count > 0 ? [`${width}x${height}`] : []), ...(count > 1 ? [count] : [])].join('-');
        const key = foldName(safePart(name));
        const known = sizes.get(key);
        if (known === undefined) sizes.set(key, { name, size });
        else if (JSON.stringify(known.size) !== JSON.stringify(size)) continue;
        return known?.name ?? name;
      }
    },
    all: () => Object.fromEntries([...sizes.values()].map(({ name, size }) => [name, size])),
  };
}

/** Returns a page its viewports. A page that is captured in every viewport of the list needs no field for that. */
export function withViewports(page: PageInput, names: readonly string[], all: NamedViewports): PageInput {
  const own = [...new Set(names)];
  return own.length === 0 || own.length === Object.keys(all.all()).length ? page : { ...page, viewports: own };
}

/** Brings a size into the bounds that the list has. */
export function viewportOf(width: number, height: number): { width: number; height: number } {
  return { width: boundedSize('width', width), height: boundedSize('height', height) };
}

/** Brings a width or a height into the bounds that the list has. */
export function boundedSize(side: keyof typeof VIEWPORT_BOUNDS, value: number): number {
  const { min, max } = VIEWPORT_BOUNDS[side];
  return Math.min(max, Math.max(min, Math.round(value)));
}

/** A rule for a width or a height. A value out of bounds is changed, and that is said. */
export function sizeRule(side: keyof typeof VIEWPORT_BOUNDS): Rule {
  return (value) => {
    if (typeof value !== 'number') return undefined;
    const size = boundedSize(side, value);
    const note = `${side}: ${value} is out of bounds, ${size} is used`;
    return { fields: { [side]: size }, ...(size !== value && { note }) };
  };
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

/** Returns the comment by which editors find the schema of a page list. */
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

import { Document, isNode, isSeq } from 'yaml';
import { VIEWPORT_BOUNDS } from '../../model/list/fields.js';
import type { PageFieldsInput, PageInput, ViewportInput } from '../../model/list/page-list.js';
import { renderPlain } from '../../model/plain-text.js';
import { foldName, pageNameOf, safePart, safePathParts } from '../resolve/names.js';

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

/** The result of converting one field of another tool. */
export interface Converted {
  readonly fields?: Partial<PageInput>;
  readonly note?: string;
}

/** Converts the value of a field. Returns undefined if it has no equivalent. */
export type Rule = (value: unknown) => Converted | undefined;

/**
 * Converts the fields of another tool by rules, in the order of the rules. Actions and code of several rules are
 * concatenated. A field without a rule, or a value that its rule cannot convert, becomes a note.
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
    const converted = rule(value) ?? { note: noEquivalent(name) };
    fields = join(fields, converted.fields ?? {});
    if (converted.note !== undefined) notes.push(converted.note);
  }
  for (const [name, value] of Object.entries(source)) {
    if (!Object.hasOwn(rules, name) && !isNothing(value)) notes.push(noEquivalent(name));
  }
  return { fields, notes };
}

function noEquivalent(name: string): string {
  return `${name}: no equivalent in proofsheet`;
}

/** Returns the non-empty strings of a value that is a string or a list. */
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

/** Returns a rule for a delay in milliseconds. The field `delay` is in seconds, at most 10. */
export function delayRule(name: string): Rule {
  return (value) => {
    if (typeof value !== 'number' || value < 0) return undefined;
    const delay = Math.min(10, value / 1000);
    const note = `${name}: ${value} ms is above the maximum delay of 10 s; use waitFor instead`;
    return value > 10_000 ? { fields: { delay }, note } : { fields: { delay } };
  };
}

/** A rule for a field that needs neither a field nor a note. */
export const ignored: Rule = () => ({});

/** Returns a rule that only adds a note. */
export function unsupported(note: string): Rule {
  return () => ({ note });
}

/** A set of names that are distinct in files. A name that clashes with an earlier one gets a number. */
export interface Names {
  /** Adds a name and returns it, with a number if it is already in use. */
  add(wanted: string): string;
}

/** Creates an empty set of names. Two names clash if `keyOf` returns the same key for both. */
export function createNames(keyOf = (name: string) => foldName(safePart(name))): Names {
  const taken = new Set<string>();
  /** The last number used per key. Without it, a thousand equal names take a million attempts. */
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

/** The key of the marker object that replaces a function of a code config. */
export const FUNCTION_KEY = '(function)';

/** Checks whether a value is the marker of a function of a code config. */
export function isFunction(value: unknown): boolean {
  return Object.hasOwn(mappingOf(value), FUNCTION_KEY);
}

/** The named viewports of an import. Each name has one size; a different size for the same name gets a different name. */
export interface NamedViewports {
  /** Returns the name of a size, which is limited to the bounds of a page list. Adds the size if it is new. */
  add(wanted: string, width: number, height: number): string;
  /** Returns a note for each size that was limited. */
  notes(): readonly string[];
  /** Returns all added sizes, by name. */
  all(): Readonly<Record<string, ViewportInput>>;
}

/** Creates an empty set of named viewports. */
export function createViewports(): NamedViewports {
  const sizes = new Map<string, { name: string; size: ViewportInput }>();
  const notes = new Set<string>();
  return {
    add(wanted, givenWidth, givenHeight) {
      const [width, height] = [boundedSize('width', givenWidth), boundedSize('height', givenHeight)];
      const size = { width, height };
      if (width !== givenWidth || height !== givenHeight) {
        const given = `${givenWidth}x${givenHeight}`;
        notes.add(`viewport ${wanted}: ${given} is out of range; ${width}x${height} is used`);
      }
      for (let count = 0; ; count++) {
        const name = [wanted, ...(count > 0 ? [`${width}x${height}`] : []), ...(count > 1 ? [count] : [])].join('-');
        const key = foldName(safePart(name));
        const known = sizes.get(key);
        if (known === undefined) sizes.set(key, { name, size });
        else if (JSON.stringify(known.size) !== JSON.stringify(size)) continue;
        return known?.name ?? name;
      }
    },
    notes: () => [...notes],
    all: () => Object.fromEntries([...sizes.values()].map(({ name, size }) => [name, size])),
  };
}

/** Returns a page with its `viewports`. A page in all viewports of the list, or in none, is returned unchanged. */
export function withViewports(page: PageInput, names: readonly string[], all: NamedViewports): PageInput {
  const distinct = [...new Set(names)];
  return distinct.length === 0 || distinct.length === Object.keys(all.all()).length
    ? page
    : { ...page, viewports: distinct };
}

/** Limits a width or a height to the bounds of a page list. */
function boundedSize(side: keyof typeof VIEWPORT_BOUNDS, value: number): number {
  const { min, max } = VIEWPORT_BOUNDS[side];
  return Math.min(max, Math.max(min, Math.round(value)));
}

/** Returns a rule for a width or a height. A value out of bounds is limited, with a note. */
export function sizeRule(side: keyof typeof VIEWPORT_BOUNDS): Rule {
  return (value) => {
    if (typeof value !== 'number') return undefined;
    const size = boundedSize(side, value);
    const note = `${side}: ${value} is out of range; ${size} is used`;
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
  const document = new Document(escapeVariables({ defaults: { fullSize: true }, stories: folder }));
  return `${schemaComment(schema)}\n${document.toString({ lineWidth: 120 })}`;
}

/** Returns the comment from which editors take the schema of a page list. */
export function schemaComment(schema: string): string {
  return `# yaml-language-server: $schema=${schema}`;
}

/** Replaces line breaks, because a note may contain text of the imported file. */
function commentOf(note: string): string {
  return ` ${note.replace(/\s+/g, ' ')}`;
}

/** Makes the page names unique: a repeated name gets a number. */
function withUniqueNames(pages: readonly ImportedPage[]): ImportedPage[] {
  const names = createNames(keyOf);
  return pages.map(({ page, notes }) => {
    const wanted = (renderPlain(page.name ?? '') || pageNameOf(page.url)).slice(0, 190);
    const name = names.add(wanted);
    if (page.name === undefined && name === wanted) return { page, notes };
    const allNotes = name === wanted ? notes : [...notes, `renamed, because another page has the name ${wanted}`];
    return { page: { ...page, name }, notes: allNotes };
  });
}

function keyOf(name: string): string {
  return foldName(safePathParts({ page: name, viewport: null, state: null }).join('/'));
}

/** Escapes `${` in all strings. In the list of another tool it is text, not an environment variable. */
function escapeVariables(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\$\{/g, '$$$&');
  if (Array.isArray(value)) return value.map(escapeVariables);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escapeVariables(item)]));
}

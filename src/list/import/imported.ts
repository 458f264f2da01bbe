import { Document, isNode, isSeq } from 'yaml';
import { foldName, pageNameOf, safePart, safePathParts } from '../../baselines/index.js';
import {
  type PageFieldsInput,
  type PageInput,
  renderCountOf,
  renderPlain,
  type ViewportInput,
} from '../../model/index.js';
import { isMapping, mapLeaves } from '../issue.js';

export interface ImportedList {
  readonly baseURL: string | null;
  readonly viewports: Readonly<Record<string, ViewportInput>>;
  readonly defaults: PageFieldsInput;
  readonly pages: readonly { readonly page: PageInput; readonly notes: readonly string[] }[];
  /** Notes about the whole list: fields without an equivalent, or with a different meaning. */
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

type Fields = Readonly<Record<string, unknown>>;

/** A size of a page in CSS pixels, and the name of its viewport. */
export interface NamedSize {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** The list of another tool, taken apart. */
export interface ToolList {
  readonly baseURL?: unknown;
  /** The fields of each page, and what becomes of them. A page without a URL is skipped. */
  readonly pages: readonly Fields[];
  readonly pageRules: Rules;
  readonly common?: Fields;
  readonly commonRules?: Rules;
  readonly defaults?: PageFieldsInput;
  /** The sizes of a page that has none of its own. */
  readonly sizes?: readonly NamedSize[];
  readonly sizesOf?: (page: Fields) => readonly NamedSize[];
  readonly notes?: readonly string[];
}

/** The key of the object that stands for a function of a config. */
export const FUNCTION_KEY = '(function)';

const NO_EQUIVALENT = 'no equivalent in proofsheet';

export function convertList(source: ToolList): ImportedList {
  const { baseURL, pages, pageRules, common = {}, commonRules = {}, sizes = [], sizesOf = () => [] } = source;
  const { fields: defaults, notes } = convertFields(common, commonRules);
  const viewports = createViewports();
  const commonNames = sizes.map(viewports.add);
  const converted = pages.flatMap((source) => {
    const { fields, notes } = convertFields(source, pageRules);
    const own = sizesOf(source).map(viewports.add);
    const names = [...new Set(own.length > 0 ? own : commonNames)];
    return fields.url === undefined ? [] : [{ page: { ...fields, url: fields.url }, notes, names }];
  });
  const all = viewports.all();
  const skipped = pages.length - converted.length;
  return {
    baseURL: typeof baseURL === 'string' ? baseURL : null,
    viewports: all,
    defaults: { ...source.defaults, ...defaults },
    // A page without viewports is captured in all of them.
    pages: converted.map(({ page, notes, names }) => {
      return { page: names.length === Object.keys(all).length ? page : { ...page, viewports: names }, notes };
    }),
    notes: [
      ...[...notes, ...(source.notes ?? [])],
      ...(skipped > 0 ? [`${renderCountOf(skipped, 'page')} without a URL skipped`] : []),
    ],
  };
}

/** Converts the fields of another tool. Actions and code of several fields are concatenated. A field without a rule becomes a note. */
function convertFields(source: Fields, rules: Rules): { fields: Partial<PageInput>; notes: string[] } {
  const notes: string[] = [];
  const fields: Partial<PageInput> = {};
  for (const name of new Set([...Object.keys(rules), ...Object.keys(source)])) {
    const rule = (Object.hasOwn(rules, name) ? rules[name] : undefined) ?? NO_EQUIVALENT;
    const value = source[name];
    if (isNothing(value) || rules[name] === null) continue;
    const converted = (typeof rule === 'function' ? rule(value) : { note: rule }) ?? { note: NO_EQUIVALENT };
    const { actions = [], javascriptCode, ...others }: Partial<PageInput> = converted.fields ?? {};
    const code = [fields.javascriptCode, javascriptCode].filter((part) => part !== undefined);
    if (actions.length > 0) fields.actions = [...(fields.actions ?? []), ...actions];
    if (code.length > 0) fields.javascriptCode = code.join('\n');
    Object.assign(fields, others);
    if (converted.note !== undefined) notes.push(`${name}: ${converted.note}`);
  }
  return { fields, notes };
}

export function text(field: 'name' | 'url' | 'element' | 'javascriptCode'): Rule {
  return (value) => (typeof value === 'object' ? undefined : { fields: { [field]: String(value) } });
}

export function texts(field: 'waitFor' | 'hide' | 'remove'): Rule {
  return (value) => ({ fields: { [field]: textsOf(value) } });
}

export function actions(name: 'click' | 'hover' | 'scrollTo' | 'wait'): Rule {
  return (value) => ({ fields: { actions: textsOf(value).map((selector) => ({ [name]: selector })) } });
}

export const delay: Rule = (value) => {
  if (typeof value !== 'number') return undefined;
  const note = `${value} ms is above the maximum delay of 10 s; use waitFor instead`;
  return { fields: { delay: Math.min(10, value / 1000) }, ...(value > 10_000 && { note }) };
};

export function size(side: 'width' | 'height'): Rule {
  return (value) => (typeof value === 'number' ? { fields: { [side]: value } } : undefined);
}

/** Converts a URL. A local file gets a note, because proofsheet needs a server for it. */
export function urlRule(value: unknown): Converted | undefined {
  if (typeof value !== 'string') return undefined;
  const url = value;
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
  return isMapping(value) && !Array.isArray(value) ? { ...value } : {};
}

export function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

export function isFunction(value: unknown): boolean {
  return Object.hasOwn(mappingOf(value), FUNCTION_KEY);
}

/** Returns a function that makes names distinct: a name that clashes with an earlier one gets a number. */
export function createNames(keyOf = (name: string) => foldName(safePart(name))): (wanted: string) => string {
  const used = new Set<string>();
  return (wanted) => {
    let name = wanted;
    for (let number = 2; used.has(keyOf(name)); number++) name = `${wanted}-${number}`;
    used.add(keyOf(name));
    return name;
  };
}

/** Collects viewports. Each name has one size; a different size for the same name gets a different name. */
function createViewports() {
  const known = new Map<string, NamedSize>();
  const add = ({ name, width, height }: NamedSize): string => {
    const key = foldName(safePart(name));
    const size = known.get(key) ?? { name, width, height };
    known.set(key, size);
    if (size.width === width && size.height === height) return size.name;
    return add({ name: `${name}-${width}x${height}`, width, height });
  };
  const all = (): ImportedList['viewports'] =>
    Object.fromEntries([...known.values()].map(({ name, ...size }) => [name, size]));
  return { add, all };
}

/** Renders an imported list as YAML, with its notes as comments. @param schema - path of `pages.schema.json`, relative to the list */
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

export function renderStoriesList(folder: string, schema: string): string {
  const document = new Document(escapeVariables({ stories: folder }));
  return `${schemaComment(schema)}\n${document.toString({ lineWidth: 120 })}`;
}

export function schemaComment(schema: string): string {
  return `# yaml-language-server: $schema=${schema}`;
}

function commentOf(note: string): string {
  return ` ${note.replace(/\s+/g, ' ')}`;
}

function withUniqueNames(pages: ImportedList['pages']): ImportedList['pages'] {
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

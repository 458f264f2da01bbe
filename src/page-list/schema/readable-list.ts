import type { z } from 'zod';
import {
  type PageFieldsInput,
  type PageInput,
  pageFieldsSchema,
  pageSchema,
  type ShotFieldsInput,
  shotFieldsSchema,
  type ViewportInput,
  viewportSchema,
} from '../../model/list/page-list.js';
import { parseUrl } from '../../model/url.js';
import { isMapping, type Path, valueAt } from '../issue.js';
import { pageNameOf } from '../resolve/names.js';
import { mergeFields, mergeShotFields, shotFieldsOf } from '../resolve/resolve-plan.js';
import { blockPathsOf, STORY_PAGE, type StoryBlock } from '../stories/story-block.js';

/** The valid parts of a list, for the checks that a schema cannot express. */
export interface ReadableList {
  /** The valid viewports, by name. */
  readonly viewports: Readonly<Record<string, ViewportInput>>;
  /** The names of all viewports, valid or not; null if they are unknown. */
  readonly viewportNames: readonly string[] | null;
  readonly defaults: PageFieldsInput;
  /** The states of a page without own `states`; null if they are unknown. */
  readonly states: readonly ReadableState[] | null;
  /** The pages, then the entries of `stories`. */
  readonly pages: readonly ReadablePage[];
}

/** A page with at least a valid URL, or an entry of `stories`, which stands for all its stories. */
export interface ReadablePage {
  readonly path: Path;
  readonly page: PageInput;
  /** Whether the page is written in the short form, as a URL only. */
  readonly isShort: boolean;
  /** The name of the page, or those of the stories. Empty if a field that determines the names of its shots is invalid. */
  readonly names: readonly string[];
  /** The page's own states; undefined if it has none, null if they are unknown. */
  readonly states: readonly ReadableState[] | null | undefined;
}

/** A state, without its invalid fields. */
export interface ReadableState {
  readonly name: string;
  readonly fields: ShotFieldsInput;
  /** Whether all fields that determine the names of its shots are valid. */
  readonly isNameable: boolean;
}

/**
 * Reads the valid parts of a list and omits every invalid field. Does not throw.
 *
 * @param blocks - the entries of `stories`
 */
export function readReadable(list: unknown, blocks: readonly StoryBlock[] = []): ReadableList {
  const { viewports, defaults, pages } = isMapping(list) ? list : {};
  const readDefaults = readFields(pageFieldsSchema, defaults ?? {});
  const isNameable = (viewports === undefined || isNameMapping(viewports)) && !readDefaults.invalid.has('viewports');
  return {
    viewports: readViewports(viewports),
    viewportNames: isNameable ? Object.keys(viewports ?? {}) : null,
    defaults: readDefaults.fields ?? {},
    states: readStates(valueAt(defaults, ['states'])) ?? (readDefaults.invalid.has('states') ? null : []),
    pages: [
      ...(Array.isArray(pages) ? pages : []).flatMap((page, index) => readPage(page, ['pages', index], isNameable)),
      ...blocks.map((block) => readBlock(list, block, isNameable)),
    ],
  };
}

/** Checks whether a value is a mapping with names as keys, not a list. */
function isNameMapping(value: unknown): value is Record<string, unknown> {
  return isMapping(value) && !Array.isArray(value);
}

function readViewports(viewports: unknown): Record<string, ViewportInput> {
  const entries = Object.entries(isNameMapping(viewports) ? viewports : {});
  return Object.fromEntries(entries.flatMap(([name, viewport]) => readViewport(name, viewport)));
}

function readViewport(name: string, viewport: unknown): [string, ViewportInput][] {
  const { data } = viewportSchema.safeParse(viewport);
  return data ? [[name, data]] : [];
}

function readPage(page: unknown, path: Path, isNameable: boolean): ReadablePage[] {
  const isShort = typeof page === 'string';
  const { fields, invalid } = readFields(pageSchema, isShort ? { url: page } : page);
  const isValid = !invalid.has('name') && !invalid.has('viewports');
  const states = readStates(valueAt(page, ['states']));
  return fields ? [{ path, page: fields, isShort, names: isNameable && isValid ? namesOf(fields) : [], states }] : [];
}

function namesOf({ name, url }: PageInput): string[] {
  return parseUrl(url, 'http://localhost') === null ? [] : [name ?? pageNameOf(url)];
}

function readBlock(list: unknown, { path, fields, stories, invalid }: StoryBlock, isNameable: boolean): ReadablePage {
  const names = isNameable && !invalid.has('viewports') ? stories.map(({ name }) => name) : [];
  const states = readStates(valueAt(list, [...path, 'states']));
  return { path, page: { ...fields, url: STORY_PAGE }, isShort: false, names, states };
}

function readStates(states: unknown): ReadableState[] | null | undefined {
  if (states === undefined) return undefined;
  if (!isNameMapping(states)) return null;
  return Object.entries(states).map(([name, state]) => {
    const { fields, invalid } = readFields(shotFieldsSchema, state);
    return { name, fields: fields ?? {}, isNameable: !invalid.has('viewports') };
  });
}

/** Reads a mapping without its invalid fields. */
export function readFields<T>(
  schema: z.ZodType<T>,
  value: unknown,
): { fields: T | undefined; invalid: ReadonlySet<unknown> } {
  const whole = schema.safeParse(value);
  if (whole.success || !isMapping(value)) return { fields: whole.data, invalid: new Set() };
  const invalid = new Set<unknown>(
    whole.error.issues.flatMap((issue) => {
      const [field] = issue.path;
      return field === undefined && issue.code === 'unrecognized_keys' ? issue.keys : [field];
    }),
  );
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !invalid.has(key)));
  return { fields: schema.safeParse(rest).data, invalid };
}

/** A mapping with page fields: the defaults, a page, or a state of either. */
export interface FieldScope {
  readonly path: Path;
  readonly own: ShotFieldsInput;
  /** Its own fields, merged over the fields that it inherits. */
  readonly merged: ShotFieldsInput;
}

/** Returns every field scope of a list, in list order. */
export function fieldScopesOf(list: ReadableList): FieldScope[] {
  const defaults = shotFieldsOf(list.defaults);
  return [
    { path: ['defaults'], own: defaults, merged: defaults },
    ...(list.states ?? []).map((state) => stateScope(['defaults'], defaults, state)),
    ...list.pages.flatMap((page) => pageScopes(list, page)),
  ];
}

/** Returns the states in which a page is captured: its own, or those of the defaults. Null if they are unknown. */
export function statesOf(list: ReadableList, { states }: ReadablePage): readonly ReadableState[] | null {
  return states === undefined ? list.states : states;
}

/** Returns the path of a page's state, or the path of the page if the state comes from the defaults. */
export function statePath({ path, states }: ReadablePage, name: string): Path {
  return states ? [...path, 'states', name] : path;
}

/** An unvalidated mapping of a list. */
export interface RawMapping {
  readonly path: Path;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Returns every mapping of a list that may have page fields, without validation. */
export function rawFieldScopesOf(list: unknown): RawMapping[] {
  const pages = valueAt(list, ['pages']);
  const count = Array.isArray(pages) ? pages.length : 0;
  const pagePaths = Array.from({ length: count }, (_, index) => ['pages', index]);
  const paths: Path[] = [['defaults'], ...pagePaths, ...blockPathsOf(valueAt(list, ['stories']))];
  return paths
    .flatMap((path) => [path, ...keysAt(list, [...path, 'states']).map((name) => [...path, 'states', name])])
    .flatMap((path) => rawAt(list, path));
}

/** Returns the mapping at a path, or an empty array if there is none. */
export function rawAt(list: unknown, path: Path): RawMapping[] {
  const fields = valueAt(list, path);
  return isMapping(fields) && !Array.isArray(fields) ? [{ path, fields }] : [];
}

function keysAt(list: unknown, path: Path): string[] {
  return rawAt(list, path).flatMap(({ fields }) => Object.keys(fields));
}

function pageScopes(list: ReadableList, { path, page, states }: ReadablePage): FieldScope[] {
  const merged = mergeFields(list.defaults, page);
  return [{ path, own: shotFieldsOf(page), merged }, ...(states ?? []).map((state) => stateScope(path, merged, state))];
}

function stateScope(path: Path, inherited: ShotFieldsInput, { name, fields }: ReadableState): FieldScope {
  return { path: [...path, 'states', name], own: fields, merged: mergeShotFields(inherited, fields) };
}

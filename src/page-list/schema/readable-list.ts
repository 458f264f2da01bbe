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
import { isMapping, type Path, valueAt } from '../issue.js';
import { layFields, mergeFields, shotFieldsOf } from '../resolve/merge-fields.js';

/** What of a list can be read although other parts of it are wrong: enough to find what no schema can. */
export interface ReadableList {
  /** The viewports that are right, by name. */
  readonly viewports: Readonly<Record<string, ViewportInput>>;
  /** The names of all viewports, right or wrong; null where they cannot be told. */
  readonly viewportNames: readonly string[] | null;
  readonly defaults: PageFieldsInput;
  /** The states that a page has which names none itself; null where they cannot be told. */
  readonly states: readonly ReadableState[] | null;
  readonly pages: readonly ReadablePage[];
}

/** A page of which at least the URL could be read. */
export interface ReadablePage {
  /** Which item of `pages`. */
  readonly index: number;
  readonly page: PageInput;
  /** Whether it is the short form, a URL only. */
  readonly isShort: boolean;
  /** Whether nothing is wrong in what its shots are named by. */
  readonly isNameable: boolean;
  /** The states that the page names itself; undefined where it names none, null where they cannot be told. */
  readonly states: readonly ReadableState[] | null | undefined;
}

/** A state, without the fields that are wrong in it. */
export interface ReadableState {
  readonly name: string;
  readonly fields: ShotFieldsInput;
  /** Whether nothing is wrong in what its shots are named by. */
  readonly isNameable: boolean;
}

/** Reads what can be read of a list, leaving out every field that is wrong. Throws nothing. */
export function readReadable(list: unknown): ReadableList {
  const { viewports, defaults, pages } = isMapping(list) ? list : {};
  const readDefaults = readFields(pageFieldsSchema, defaults ?? {});
  const isNameable = (viewports === undefined || isNamed(viewports)) && !readDefaults.wrong.has('viewports');
  return {
    viewports: readViewports(viewports),
    viewportNames: isNameable ? Object.keys(viewports ?? {}) : null,
    defaults: readDefaults.fields ?? {},
    states: readStates(valueAt(defaults, ['states'])) ?? (readDefaults.wrong.has('states') ? null : []),
    pages: (Array.isArray(pages) ? pages : []).flatMap((page, index) => readPage(page, index, isNameable)),
  };
}

/** Is it a mapping of names, and not a list? */
function isNamed(value: unknown): value is Record<string, unknown> {
  return isMapping(value) && !Array.isArray(value);
}

function readViewports(viewports: unknown): Record<string, ViewportInput> {
  const entries = Object.entries(isNamed(viewports) ? viewports : {});
  return Object.fromEntries(entries.flatMap(([name, viewport]) => readViewport(name, viewport)));
}

function readViewport(name: string, viewport: unknown): [string, ViewportInput][] {
  const { data } = viewportSchema.safeParse(viewport);
  return data ? [[name, data]] : [];
}

function readPage(page: unknown, index: number, isNameable: boolean): ReadablePage[] {
  const isShort = typeof page === 'string';
  const { fields, wrong } = readFields(pageSchema, isShort ? { url: page } : page);
  const isRight = !wrong.has('name') && !wrong.has('viewports');
  const states = readStates(valueAt(page, ['states']));
  return fields ? [{ index, page: fields, isShort, isNameable: isNameable && isRight, states }] : [];
}

function readStates(states: unknown): ReadableState[] | null | undefined {
  if (states === undefined) return undefined;
  if (!isNamed(states)) return null;
  return Object.entries(states).map(([name, state]) => {
    const { fields, wrong } = readFields(shotFieldsSchema, state);
    return { name, fields: fields ?? {}, isNameable: !wrong.has('viewports') };
  });
}

/** Reads a mapping without the fields that are wrong in it. */
function readFields<T>(schema: z.ZodType<T>, value: unknown): { fields: T | undefined; wrong: ReadonlySet<unknown> } {
  const whole = schema.safeParse(value);
  if (whole.success || !isMapping(value)) return { fields: whole.data, wrong: new Set() };
  const wrong = new Set<unknown>(
    whole.error.issues.flatMap((issue) => {
      const [field] = issue.path;
      return field === undefined && issue.code === 'unrecognized_keys' ? issue.keys : [field];
    }),
  );
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !wrong.has(key)));
  return { fields: schema.safeParse(rest).data, wrong };
}

/** What has fields of a page: the defaults, a page, or a state of either. */
export interface FieldScope {
  readonly path: Path;
  readonly own: ShotFieldsInput;
  /** Its own fields over those that they are laid over. */
  readonly merged: ShotFieldsInput;
}

/** Returns everything in a list that has fields of a page, in the list's order. */
export function fieldScopesOf(list: ReadableList): FieldScope[] {
  const defaults = shotFieldsOf(list.defaults);
  return [
    { path: ['defaults'], own: defaults, merged: defaults },
    ...(list.states ?? []).map((state) => stateOwner(['defaults'], defaults, state)),
    ...list.pages.flatMap((page) => pageOwners(list, page)),
  ];
}

/** Returns the states in which a page is captured, and whether they are its own; null where they cannot be told. */
export function statesOf(list: ReadableList, { states }: ReadablePage): readonly ReadableState[] | null {
  return states === undefined ? list.states : states;
}

/** Returns the path of a page's state; that of the page, when the state comes from the defaults. */
export function statePath({ index, states }: ReadablePage, name: string): Path {
  return states ? ['pages', index, 'states', name] : ['pages', index];
}

/** A mapping of a list as it stands, right or wrong. */
export interface RawMapping {
  readonly path: Path;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Returns every mapping of a list in which fields of a page stand, as they stand: right or wrong. */
export function rawFieldScopesOf(list: unknown): RawMapping[] {
  const pages = valueAt(list, ['pages']);
  const count = Array.isArray(pages) ? pages.length : 0;
  const paths: Path[] = [['defaults'], ...Array.from({ length: count }, (_, index) => ['pages', index])];
  return paths
    .flatMap((path) => [path, ...keysAt(list, [...path, 'states']).map((name) => [...path, 'states', name])])
    .flatMap((path) => rawAt(list, path));
}

/** Returns the mapping at a path, when there is one. */
export function rawAt(list: unknown, path: Path): RawMapping[] {
  const fields = valueAt(list, path);
  return isMapping(fields) && !Array.isArray(fields) ? [{ path, fields }] : [];
}

function keysAt(list: unknown, path: Path): string[] {
  return rawAt(list, path).flatMap(({ fields }) => Object.keys(fields));
}

function pageOwners(list: ReadableList, { index, page, states }: ReadablePage): FieldScope[] {
  const path = ['pages', index];
  const merged = mergeFields(list.defaults, page);
  return [{ path, own: shotFieldsOf(page), merged }, ...(states ?? []).map((state) => stateOwner(path, merged, state))];
}

function stateOwner(path: Path, under: ShotFieldsInput, { name, fields }: ReadableState): FieldScope {
  return { path: [...path, 'states', name], own: fields, merged: layFields(under, fields) };
}

import type { ShotFieldsInput } from '../model/page-list.js';
import { isMapping, type Path, valueAt } from './finding.js';
import { layFields, mergeFields, shotFieldsOf } from './merge-fields.js';
import type { ReadableList, ReadablePage, ReadableState } from './readable-list.js';

/** What has fields of a page: the defaults, a page, or a state of either. */
export interface Owner {
  readonly path: Path;
  readonly own: ShotFieldsInput;
  /** Its own fields over those that they are laid over. */
  readonly merged: ShotFieldsInput;
}

/** Gives everything in a list that has fields of a page, in the list's order. */
export function ownersOf(list: ReadableList): Owner[] {
  const defaults = shotFieldsOf(list.defaults);
  return [
    { path: ['defaults'], own: defaults, merged: defaults },
    ...(list.states ?? []).map((state) => stateOwner(['defaults'], defaults, state)),
    ...list.pages.flatMap((page) => pageOwners(list, page)),
  ];
}

/** Gives the states in which a page is captured, and whether they are its own; null where they cannot be told. */
export function statesOf(list: ReadableList, { states }: ReadablePage): readonly ReadableState[] | null {
  return states === undefined ? list.states : states;
}

/** Gives the path of a page's state; that of the page, when the state comes from the defaults. */
export function statePath({ index, states }: ReadablePage, name: string): Path {
  return states ? ['pages', index, 'states', name] : ['pages', index];
}

/** A mapping of a list as it stands, right or wrong. */
export interface RawMapping {
  readonly path: Path;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Gives every mapping of a list in which fields of a page stand, as they stand: right or wrong. */
export function rawOwnersOf(list: unknown): RawMapping[] {
  const pages = valueAt(list, ['pages']);
  const count = Array.isArray(pages) ? pages.length : 0;
  const paths: Path[] = [['defaults'], ...Array.from({ length: count }, (_, index) => ['pages', index])];
  return paths
    .flatMap((path) => [path, ...keysAt(list, [...path, 'states']).map((name) => [...path, 'states', name])])
    .flatMap((path) => rawAt(list, path));
}

/** Gives the mapping at a path, when there is one. */
export function rawAt(list: unknown, path: Path): RawMapping[] {
  const fields = valueAt(list, path);
  return isMapping(fields) && !Array.isArray(fields) ? [{ path, fields }] : [];
}

function keysAt(list: unknown, path: Path): string[] {
  return rawAt(list, path).flatMap(({ fields }) => Object.keys(fields));
}

function pageOwners(list: ReadableList, { index, page, states }: ReadablePage): Owner[] {
  const path = ['pages', index];
  const merged = mergeFields(list.defaults, page);
  return [{ path, own: shotFieldsOf(page), merged }, ...(states ?? []).map((state) => stateOwner(path, merged, state))];
}

function stateOwner(path: Path, under: ShotFieldsInput, { name, fields }: ReadableState): Owner {
  return { path: [...path, 'states', name], own: fields, merged: layFields(under, fields) };
}

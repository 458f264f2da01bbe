import { relative } from 'node:path';
import type { Position, Problem } from '../model/errors.js';

/** The path of a value in a list: keys and indexes from the root. */
export type Path = readonly (string | number)[];

/** A problem in a list, located by its path. {@link Locate} resolves the path to a line and column. */
export interface ListIssue extends Omit<Problem, 'where'> {
  readonly path: Path;
  /** Whether the error position is that of the key or of the value at the path. */
  readonly at: 'key' | 'value';
}

/** Returns the position of the value (or the key) at a path, or of its nearest existing ancestor. */
export type Locate = (path: Path, at?: ListIssue['at']) => Position;

/** Creates an issue about a value that the list does not allow. */
export function invalid(path: Path, found: string, advice: string): ListIssue {
  return { code: 'list-invalid', path, at: 'value', found, advice };
}

/** Returns a string key for a path, for use in maps and sets. */
export function pathKey(path: Path): string {
  return JSON.stringify(path);
}

/** Returns the value at a path of a plain value, or undefined if the path does not exist. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (isMapping(inner) ? inner[key] : undefined), value);
}

/** Checks whether a value is an object: a YAML mapping or list. */
export function isMapping(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Renders a position as `path:line:column`. See {@link renderFile} for the path. */
export function renderPosition({ file, line, column }: Position): string {
  return `${renderFile(file)}:${line}:${column}`;
}

/** Renders an absolute path relative to the working directory, or unchanged if it is outside of it. */
export function renderFile(file: string): string {
  const short = relative(process.cwd(), file);
  return short.startsWith('..') ? file : short;
}

/** Returns a label for the mapping at a path: `a page`, `a viewport`, `state "open"`, `item 2 of "actions"`. */
export function placeOf(path: Path): string {
  const [last, field] = [path.at(-1), path.at(-2)];
  if (path.length === 0) return 'the page list';
  if (path.length === 2 && field === 'pages') return 'a page';
  if (path.length === 2 && field === 'viewports') return 'a viewport';
  if (isState(path)) return `state "${last}"`;
  return typeof last === 'number' ? `item ${last + 1} of "${field}"` : `"${last}"`;
}

/** Returns a label for the value at a path: `"width"`, `item 2 of "hide"`, `viewport "phone"`. */
export function valueNameOf(path: Path): string {
  return path.length === 2 && path[0] === 'viewports' ? `viewport "${path[1]}"` : placeOf(path);
}

/** Checks whether a path is that of a page, of the defaults, or of a state of either. */
export function isPageLike(path: Path): boolean {
  const isTop = path.length === 1 ? path[0] === 'defaults' : path.length === 2 && path[0] === 'pages';
  return isTop || isState(path);
}

function isState(path: Path): boolean {
  return path.at(-2) === 'states' && isPageLike(path.slice(0, -2));
}

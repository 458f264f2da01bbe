import { relative } from 'node:path';
import type { Position, Problem } from '../model/errors.js';

/** Where a value stands in a list: keys and indexes from the root. */
export type Path = readonly (string | number)[];

/** Something wrong in a list, told by its path; the YAML source knows the line. */
export interface ListIssue extends Omit<Problem, 'where'> {
  readonly path: Path;
  /** Whether the key or the value at that path is to be pointed at. */
  readonly at: 'key' | 'value';
}

/** Returns the position of the value (or the key) at a path, else of the nearest thing around it. */
export type Locate = (path: Path, at?: ListIssue['at']) => Position;

/** Makes an issue about a value that the list does not allow. */
export function invalid(path: Path, found: string, advice: string): ListIssue {
  return { code: 'list-invalid', path, at: 'value', found, advice };
}

/** Returns one text for one path, for maps and sets. */
export function pathKey(path: Path): string {
  return JSON.stringify(path);
}

/** Returns what stands at a path of a plain value; undefined where there is nothing. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (isMapping(inner) ? inner[key] : undefined), value);
}

/** Is it a list or a mapping, as YAML makes them? */
export function isMapping(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Renders a position as `path:line:column`, the path relative to the working folder where it lies in it. */
export function renderPosition({ file, line, column }: Position): string {
  return `${renderFile(file)}:${line}:${column}`;
}

/** Renders an absolute path relative to the working folder, or unchanged where it does not lie in it. */
export function renderFile(file: string): string {
  const short = relative(process.cwd(), file);
  return short.startsWith('..') ? file : short;
}

/** Names the mapping at a path: `a page`, `a viewport`, `state "open"`, `item 2 of "actions"`. */
export function placeOf(path: Path): string {
  const [last, field] = [path.at(-1), path.at(-2)];
  if (path.length === 0) return 'the page list';
  if (path.length === 2 && field === 'pages') return 'a page';
  if (path.length === 2 && field === 'viewports') return 'a viewport';
  if (isState(path)) return `state "${last}"`;
  return typeof last === 'number' ? `item ${last + 1} of "${field}"` : `"${last}"`;
}

/** Names the value at a path: `"width"`, `item 2 of "hide"`, `viewport "phone"`. */
export function valueNameOf(path: Path): string {
  return path.length === 2 && path[0] === 'viewports' ? `viewport "${path[1]}"` : placeOf(path);
}

/** Is it where fields of a page stand: in a page, in the defaults, or in a state of either? */
export function isPageLike(path: Path): boolean {
  const isTop = path.length === 1 ? path[0] === 'defaults' : path.length === 2 && path[0] === 'pages';
  return isTop || isState(path);
}

function isState(path: Path): boolean {
  return path.at(-2) === 'states' && isPageLike(path.slice(0, -2));
}

import { relative } from 'node:path';
import { closestMatch } from 'leven';
import type { Position, Problem } from '../model/index.js';

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

/** Creates an issue about a key that the list does not allow. */
export function invalidKey(path: Path, found: string, advice: string): ListIssue {
  return { ...invalid(path, found, advice), at: 'key' };
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

/** No value of a valid list is deeper. */
const MAX_DEPTH = 12;

/** Returns a copy of a plain value with other leaves. What is too deep becomes an empty mapping: with aliases, it may have no end. */
export function mapLeaves(value: unknown, map: (leaf: unknown, path: Path) => unknown, path: Path = []): unknown {
  if (!isMapping(value)) return map(value, path);
  if (path.length >= MAX_DEPTH) return {};
  if (Array.isArray(value)) return value.map((item, index) => mapLeaves(item, map, [...path, index]));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapLeaves(item, map, [...path, key])]));
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

/** Returns a label for the mapping at a path: `a page`, `a viewport`, `a mode`, `state "open"`, `item 2 of "actions"`. */
export function placeOf(path: Path): string {
  const [last, field] = [path.at(-1), path.at(-2)];
  if (path.length === 0) return 'the page list';
  if (path.length === 2 && field === 'pages') return 'a page';
  if (path.length === 2 && field === 'viewports') return 'a viewport';
  if (path.length === 2 && field === 'modes') return 'a mode';
  if (isState(path)) return `state "${last}"`;
  return typeof last === 'number' ? `item ${last + 1} of "${field}"` : `"${last}"`;
}

/** Returns a label for the value at a path: `"width"`, `item 2 of "hide"`, `viewport "phone"`. */
export function valueNameOf(path: Path): string {
  const [field, name] = path;
  if (path.length === 2 && field === 'viewports') return `viewport "${name}"`;
  return path.length === 2 && field === 'modes' ? `mode "${name}"` : placeOf(path);
}

/** Checks whether a path is that of a page, of an entry of `stories`, of the defaults, or of a state of these. */
export function isPageLike(path: Path): boolean {
  const [list] = path;
  const isEntry = path.length === 2 && (list === 'pages' || list === 'stories');
  return isEntry || (path.length === 1 && (list === 'defaults' || list === 'stories')) || isState(path);
}

function isState(path: Path): boolean {
  return path.at(-2) === 'states' && isPageLike(path.slice(0, -2));
}

/** Advice for a list item without a space after its dash. */
export const DASH_SPACE = 'Write a space after each "-", such as "- /".';

const MAX_SHOWN_LENGTH = 60;

/** Renders a value of a list for a message: shortened JSON, or words for empty and secret values. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'an empty value';
  if (value === '') return 'an empty string';
  if (typeof value === 'symbol') return `${value.description} (hidden)`;
  if (typeof value === 'function' || typeof value === 'bigint') return `a ${typeof value}`;
  if (!isMapping(value)) return cut(renderShort(value, 0));
  const className = classNameOf(value);
  if (className !== 'Object' && className !== 'Array') return `an object of the class ${className}`;
  const kind = Array.isArray(value) ? 'list' : 'mapping';
  return Object.keys(value).length === 0 ? `an empty ${kind}` : `the ${kind} ${cut(renderShort(value, 3))}`;
}

/** The options of a matcher may have objects of a test, such as a Locator. */
function classNameOf(value: object): string {
  return Object.getPrototypeOf(value)?.constructor?.name ?? 'Object';
}

/** Renders the beginning of a value as JSON. With aliases, a value may be too deep for JSON.stringify. */
function renderShort(value: unknown, depth: number): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 2 * MAX_SHOWN_LENGTH));
  if (typeof value === 'symbol') return '***';
  if (!isMapping(value)) return JSON.stringify(value);
  if (depth === 0) return '…';
  const entries = Object.entries(value).slice(0, MAX_SHOWN_LENGTH);
  const items = entries.map(([key, item]) => {
    return (Array.isArray(value) ? '' : `${JSON.stringify(key)}:`) + renderShort(item, depth - 1);
  });
  return Array.isArray(value) ? `[${items.join()}]` : `{${items.join()}}`;
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_SHOWN_LENGTH ? text : `${characters.slice(0, MAX_SHOWN_LENGTH).join('')}…`;
}

/** Maximum length of a compared name, in characters. The time of a comparison grows with the product of both lengths. */
const MAX_NAME_LENGTH = 100;

/** Returns the candidate that is most similar to a name, ignoring case, or undefined if none is similar. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined;
  const maxDistance = Math.max(1, Math.round(name.length * 0.4));
  const folded = candidates.map((candidate) => candidate.toLowerCase());
  const wanted = name.toLowerCase();
  // Transposed letters have a Levenshtein distance of 2, although they are the most common typing error.
  const match =
    folded.find((candidate) => sortLetters(candidate) === sortLetters(wanted)) ??
    closestMatch(wanted, folded, { maxDistance });
  return match === undefined ? undefined : candidates[folded.indexOf(match)];
}

/** Renders the advice for a name that is not allowed: the most similar allowed name, or all allowed names. */
export function adviseName(name: string, allowed: readonly string[]): string {
  const near = nearest(name, allowed);
  return near === undefined ? `Allowed: ${allowed.join(', ')}.` : `Did you mean ${JSON.stringify(near)}?`;
}

function sortLetters(word: string): string {
  return [...word].toSorted().join('');
}

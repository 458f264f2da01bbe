import { relative } from 'node:path';
import { inspect } from 'node:util';
import { closestMatch } from 'leven';
import { cutText, type Fault, type Position, type Problem } from '../model/index.js';

/** The path of a value in a list: keys and indexes from the root. */
export type Path = readonly (string | number)[];

/** A problem in a list. Its path leads to a value, or to a key. */
export interface ListIssue extends Fault {
  readonly code: Problem['code'];
  readonly path: Path;
  /** Whether the error position is that of the key or of the value at the path. */
  readonly at: 'key' | 'value';
}

/** Returns the position of the value (or the key) at a path, or of its nearest existing ancestor. */
export type Locate = (path: Path, at?: ListIssue['at']) => Position;

export function invalid(path: Path, found: string, advice: string, choices: readonly string[] = []): ListIssue {
  return { code: 'list-invalid', path, at: 'value', found, advice, choices };
}

export function invalidKey(path: Path, found: string, advice: string): ListIssue {
  return { ...invalid(path, found, advice), at: 'key' };
}

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

const NOUNS: Readonly<Record<string, string>> = { viewports: 'viewport', modes: 'mode', states: 'state' };

/** Returns a label for the value at a path: `a page`, `"width"`, `viewport "phone"`, `state "open"`, `item 2 of "actions"`. */
export function placeOf(path: Path): string {
  const [last, field = ''] = [path.at(-1), path.at(-2)];
  if (last === undefined) return 'the page list';
  if (path.length === 2 && field === 'pages') return 'a page';
  if (typeof last === 'number') return `item ${last + 1} of "${field}"`;
  return Object.hasOwn(NOUNS, field) ? `${NOUNS[field]} "${last}"` : `"${last}"`;
}

/** Renders a value of a list, or an option of a test, for a message: shortened, with words for empty and secret values. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'an empty value';
  if (value === '') return 'an empty string';
  if (typeof value === 'symbol') return `${value.description} (hidden)`;
  const options = { depth: 2, compact: true, breakLength: Number.POSITIVE_INFINITY };
  const text = typeof value === 'string' ? JSON.stringify(value) : inspect(value, options);
  return cutText(text.slice(0, 1000).replace(/Symbol\(.*?\)/g, '***'), 60);
}

/** Returns the candidate that is most similar to a name, ignoring case, or undefined if none is similar. */
function nearest(name: string, candidates: readonly string[]): string | undefined {
  // The time of a comparison grows with the product of both lengths.
  if (name.length > 100) return undefined;
  const [wanted, ...folded] = [name, ...candidates].map((each) => each.toLowerCase());
  // Transposed letters have a Levenshtein distance of 2, although they are the most common typing error.
  const sorted = (word = '') => [...word].toSorted().join('');
  const transposed = folded.find((candidate) => sorted(candidate) === sorted(wanted));
  const maxDistance = Math.max(1, Math.round(name.length * 0.4));
  const match = transposed ?? closestMatch(wanted ?? '', folded, { maxDistance });
  return match === undefined ? undefined : candidates[folded.indexOf(match)];
}

/** Renders the advice for a name that is not allowed: the most similar allowed name, or else `all`. @default all allowed names */
export function adviseName(name: string, allowed: readonly string[], all = `Allowed: ${allowed.join(', ')}.`): string {
  const near = nearest(name, allowed);
  return near === undefined ? all : `Did you mean ${JSON.stringify(near)}?`;
}

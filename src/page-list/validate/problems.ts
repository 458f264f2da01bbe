import type { z } from 'zod';
import { isMapping, type ListIssue, type Path, pathKey, placeOf, valueAt, valueNameOf } from '../issue.js';
import {
  choicesAt,
  describeValue,
  kindsOf,
  type ListSchema,
  listSchema,
  renderAllowed,
  schemasAt,
} from '../schema/allowed.js';
import { isPieceOfSecret } from '../secrets.js';
import { meantKey, suggestionFor, unknownKey } from './suggestions.js';

/** A list as it was written, and with its variables filled in. Values are shown as they were written. */
export interface ListTexts {
  readonly written: unknown;
  readonly filled: unknown;
}

/**
 * How many unknown keys get a suggestion. Each is compared with all keys of the list, 1 to 2 ms, and a list that is another
 * kind of file has hundreds of them.
 */
const MOST_SUGGESTIONS = 20;

/** Tells what the schema holds against a list in our words: of every choice, the branch that was meant. */
export function findProblems({ written, filled }: ListTexts, issues: readonly z.core.$ZodIssue[]): ListIssue[] {
  // To make the schema takes longer than to check a list against it.
  if (issues.length === 0) return [];
  const schema = listSchema();
  const flat = flattenIssues(filled, issues);
  const suggested = new Set(flat.filter(({ kind }) => kind === 'unknown-key').slice(0, MOST_SUGGESTIONS));
  const misspelt = new Set([...suggested].map((issue) => misspeltPath(schema, issue)));
  return flat
    .filter((issue) => issue.kind !== 'missing-key' || !misspelt.has(pathKey([...issue.path, issue.key])))
    .map((issue) => findingOf(schema, written, issue, suggested.has(issue)));
}

/** Returns the path that an unknown key was meant to have: a key that is there, misspelt, is not missing as well. */
function misspeltPath(schema: ListSchema, issue: FlatIssue): string | undefined {
  const meant = issue.kind === 'unknown-key' ? meantKey(schema, issue.path, issue.key) : undefined;
  return meant === undefined ? undefined : pathKey([...issue.path, meant]);
}

function findingOf(schema: ListSchema, written: unknown, issue: FlatIssue, isSuggested: boolean): ListIssue {
  switch (issue.kind) {
    case 'unknown-key':
      return unknownKey(schema, issue, valueAt(written, [...issue.path, issue.key]), isSuggested);
    case 'missing-key':
      return missingKey(schema, issue.path, issue.key);
    case 'misfit':
      return misfit(schema, issue.path, valueAt(written, issue.path), issue.words);
    default:
      return issue satisfies never;
  }
}

function missingKey(schema: ListSchema, path: Path, key: string): ListIssue {
  const schemas = schemasAt(schema, [...path, key]);
  const found = `${placeOf(path)} has no "${key}" (${renderAllowed(schemas)})`;
  const description = schemas[0]?.description;
  const advice = description ? `Add it: ${description.charAt(0).toLowerCase()}${description.slice(1)}` : 'Add it.';
  return { code: 'list-invalid', path, at: 'value', found, advice };
}

function misfit(schema: ListSchema, path: Path, value: unknown, words: string | null): ListIssue {
  const field = path.findLast((step) => typeof step === 'string') ?? '';
  const schemas = schemasAt(schema, path);
  const isPiece = isPieceOfSecret(path, value);
  const name = isPiece ? 'the key that stands here (not shown)' : valueNameOf(path);
  const found = `${name} must be ${words ?? renderAllowed(schemas)}, not ${describeValue(value)}`;
  const advice =
    ((isPiece && 'Write a value; and put a text with a comma or a # in it in quotes.') ||
      suggestionFor({ field, value, kinds: kindsOf(schemas), choices: choicesAt(schemas) })) ??
    schemas[0]?.description ??
    'Correct it.';
  return { code: 'list-invalid', path, at: 'value', found, advice };
}

type Issue = z.core.$ZodIssue;

/** What the schema holds against a list, with one branch chosen of every choice. */
export type FlatIssue =
  /** `path` is that of the mapping. */
  | { readonly kind: 'unknown-key'; readonly path: Path; readonly key: string }
  /** `path` is that of the mapping. */
  | { readonly kind: 'missing-key'; readonly path: Path; readonly key: string }
  /** `words` say what is allowed, where the schema has its own words for it. */
  | { readonly kind: 'misfit'; readonly path: Path; readonly words: string | null };

/** Flattens what zod found in a value. Of a choice it follows the branch that the value comes nearest to. */
export function flattenIssues(value: unknown, issues: readonly Issue[], base: Path = []): FlatIssue[] {
  return issues.flatMap((issue) => flattenIssue(value, issue, [...base, ...issue.path.map(stepOf)]));
}

function flattenIssue(value: unknown, issue: Issue, path: Path): FlatIssue[] {
  const key = path.at(-1);
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ kind: 'unknown-key', path, key }));
  if (issue.code === 'invalid_key') return [{ kind: 'unknown-key', path: path.slice(0, -1), key: String(key) }];
  if (issue.code === 'invalid_union') return flattenUnion(value, issue.errors, path);
  if (typeof key === 'string' && isMissing(value, path)) return [{ kind: 'missing-key', path: path.slice(0, -1), key }];
  const words = issue.code === 'invalid_format' && issue.format === 'regex' ? issue.message : null;
  return [{ kind: 'misfit', path, words }];
}

function flattenUnion(value: unknown, branches: readonly (readonly Issue[])[], path: Path): FlatIssue[] {
  const found = valueAt(value, path);
  const fitting = branches.filter((issues) => !issues.some(isOfOtherType));
  const isEmpty = isMapping(found) && Object.keys(found).length === 0;
  if (fitting.length === 0 || (isEmpty && fitting.length > 1)) return [{ kind: 'misfit', path, words: null }];
  const flat = fitting.map((issues) => flattenIssues(value, issues, path));
  return flat.reduce((best, other) => (other.length < best.length ? other : best));
}

/** Is it the whole value, not something inside it, that does not fit? */
function isOfOtherType(issue: Issue): boolean {
  return issue.code === 'invalid_type' && issue.path.length === 0;
}

function isMissing(value: unknown, path: Path): boolean {
  const around = valueAt(value, path.slice(0, -1));
  return isMapping(around) && !Object.hasOwn(around, path.at(-1) ?? '');
}

function stepOf(step: PropertyKey): string | number {
  return typeof step === 'symbol' ? String(step) : step;
}

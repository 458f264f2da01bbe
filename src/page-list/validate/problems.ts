import type { z } from 'zod';
import { isMapping, type ListIssue, type Path, pathKey, placeOf, valueAt, valueNameOf } from '../issue.js';
import { choicesAt, kindsOf, type ListSchema, listSchema, renderAllowed, schemasAt } from '../schema/json-schema.js';
import { isSecretFragment } from '../secrets.js';
import { describeWritten, usedDefault, type Variables } from '../yaml/env.js';
import { acceptsText, suggestedKey, suggestionFor, unknownKey } from './suggestions.js';

/** A list as written, and with its variables filled in. Messages show values as written. */
export interface ListTexts {
  readonly written: unknown;
  readonly filled: unknown;
  readonly env: Variables;
}

/**
 * Maximum number of unknown keys that get a suggestion. Each is compared with all keys of the list, which takes 1 to
 * 2 ms. A file that is not a page list can have hundreds of unknown keys.
 */
const MAX_SUGGESTIONS = 20;

/** Converts the zod issues of a list to list issues. Of every union, only the branch nearest to the value is reported. */
export function findProblems(texts: ListTexts, issues: readonly z.core.$ZodIssue[]): ListIssue[] {
  // Creating the schema takes longer than validating a list with it.
  if (issues.length === 0) return [];
  const schema = listSchema();
  const flat = flattenIssues(texts.filled, issues);
  const suggested = new Set(flat.filter(({ kind }) => kind === 'unknown-key').slice(0, MAX_SUGGESTIONS));
  const suggestedPaths = new Set([...suggested].map((issue) => suggestedPath(schema, issue)));
  return flat
    .filter((issue) => issue.kind !== 'missing-key' || !suggestedPaths.has(pathKey([...issue.path, issue.key])))
    .map((issue) => listIssueOf(schema, texts, issue, suggested.has(issue)));
}

/** Returns the path of the key suggested for an unknown key. A misspelt key is not reported as missing as well. */
function suggestedPath(schema: ListSchema, issue: FlatIssue): string | undefined {
  const key = issue.kind === 'unknown-key' ? suggestedKey(schema, issue.path, issue.key) : undefined;
  return key === undefined ? undefined : pathKey([...issue.path, key]);
}

function listIssueOf(
  schema: ListSchema,
  { written, env }: ListTexts,
  issue: FlatIssue,
  isSuggested: boolean,
): ListIssue {
  switch (issue.kind) {
    case 'unknown-key':
      return unknownKey(schema, issue, valueAt(written, [...issue.path, issue.key]), isSuggested);
    case 'missing-key':
      return missingKey(schema, issue.path, issue.key);
    case 'misfit':
      return misfit(schema, issue.path, { written: valueAt(written, issue.path), env }, issue.words);
    default:
      return issue satisfies never;
  }
}

function missingKey(schema: ListSchema, path: Path, key: string): ListIssue {
  const schemas = schemasAt(schema, [...path, key]);
  const found = `missing key "${key}" in ${placeOf(path)}; expected ${renderAllowed(schemas)}`;
  const description = schemas[0]?.description;
  const advice = key === 'pages' ? ADD_PAGES : description ? `Add "${key}": ${description}` : `Add "${key}".`;
  return { code: 'list-invalid', path, at: 'value', found, advice };
}

function misfit(
  schema: ListSchema,
  path: Path,
  { written, env }: Pick<ListTexts, 'written' | 'env'>,
  words: string | null,
): ListIssue {
  const field = path.findLast((step) => typeof step === 'string') ?? '';
  const schemas = schemasAt(schema, path);
  const isFragment = isSecretFragment(path, written);
  const name = isFragment ? 'this key (hidden)' : valueNameOf(path);
  const found = `${name} must be ${words ?? renderAllowed(schemas)}, not ${describeWritten(written, env)}`;
  const kinds = kindsOf(schemas);
  const value = (acceptsText(kinds) ? usedDefault(written, env) : undefined) ?? written;
  const advice =
    ((isFragment && 'Write a value. Put a string that contains a comma or # in quotes.') ||
      suggestionFor({ field, value, kinds, choices: choicesAt(schemas) })) ??
    (path.length === 1 && field === 'pages' ? ADD_PAGES : schemas[0]?.description) ??
    'Correct it.';
  return { code: 'list-invalid', path, at: 'value', found, advice };
}

/** The only required key that has no default and no short description. */
const ADD_PAGES = 'Add at least one page, such as `pages: [/]`.';

type Issue = z.core.$ZodIssue;

/** A zod issue, with one branch chosen of every union. */
export type FlatIssue =
  /** `path` is that of the mapping. */
  | { readonly kind: 'unknown-key'; readonly path: Path; readonly key: string }
  /** `path` is that of the mapping. */
  | { readonly kind: 'missing-key'; readonly path: Path; readonly key: string }
  /** `words` is the schema's own description of the allowed values, or null. */
  | { readonly kind: 'misfit'; readonly path: Path; readonly words: string | null };

/** Flattens the zod issues of a value. Of a union, it follows the branch with the fewest issues. */
export function flattenIssues(value: unknown, issues: readonly Issue[], base: Path = []): FlatIssue[] {
  return issues.flatMap((issue) => flattenIssue(value, issue, [...base, ...issue.path.map(stepOf)]));
}

function flattenIssue(value: unknown, issue: Issue, path: Path): FlatIssue[] {
  const key = path.at(-1);
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ kind: 'unknown-key', path, key }));
  if (issue.code === 'invalid_key') return [{ kind: 'unknown-key', path: path.slice(0, -1), key: String(key) }];
  if (issue.code === 'invalid_union') return flattenUnion(value, issue.errors, path);
  if (typeof key === 'string' && isMissing(value, path)) return [{ kind: 'missing-key', path: path.slice(0, -1), key }];
  const hasWords = issue.code === 'custom' || (issue.code === 'invalid_format' && issue.format === 'regex');
  const words = hasWords ? issue.message : null;
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

/** Checks whether the value itself has the wrong type, not a value inside it. */
function isOfOtherType(issue: Issue): boolean {
  return issue.code === 'invalid_type' && issue.path.length === 0;
}

function isMissing(value: unknown, path: Path): boolean {
  const parent = valueAt(value, path.slice(0, -1));
  return isMapping(parent) && !Object.hasOwn(parent, path.at(-1) ?? '');
}

function stepOf(step: PropertyKey): string | number {
  return typeof step === 'symbol' ? String(step) : step;
}

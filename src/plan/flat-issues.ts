import type { z } from 'zod';
import { isMapping, type Path, valueAt } from './finding.js';

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

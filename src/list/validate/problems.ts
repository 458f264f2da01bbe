import type { z } from 'zod';
import type { Fault } from '../../model/index.js';
import { isSecretFragment, refersToEnv } from '../env.js';
import {
  adviseName,
  describeValue,
  invalid,
  invalidKey,
  isMapping,
  type ListIssue,
  type Path,
  placeOf,
  valueAt,
} from '../issue.js';
import { choicesAt, keysOf, listSchema, renderAllowed, type Schema, schemasAt } from '../schema/json-schema.js';

/** A zod issue, with one branch chosen of every union. The path is that of the value, or of the key. */
export type FlatIssue =
  | { readonly kind: 'unknown-key' | 'missing-key'; readonly path: Path }
  /** `words` is the schema's own description of the allowed values, or null. */
  | { readonly kind: 'misfit'; readonly path: Path; readonly words: string | null }
  /** The value breaks a rule; see {@link Fault}. */
  | { readonly kind: 'fault'; readonly path: Path; readonly at: ListIssue['at']; readonly fault: Fault };

/** Flattens the zod issues of a value. Of a union, it follows the branch with the fewest issues. */
export function flattenIssues(value: unknown, issues: readonly Issue[], base: Path = []): FlatIssue[] {
  return issues.flatMap((issue) => {
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    return flattenIssue(value, issue, [...base, ...path]);
  });
}

type Issue = z.core.$ZodIssue;

function flattenIssue(value: unknown, issue: Issue, path: Path): FlatIssue[] {
  if (issue.code === 'custom' && issue.params) return [{ kind: 'fault', path, at: 'value', fault: issue.params.fault }];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ kind: 'unknown-key', path: [...path, key] }));
  if (issue.code === 'invalid_key') {
    const [inner] = flattenIssues(path.at(-1), issue.issues, path);
    return [inner?.kind === 'fault' ? { ...inner, at: 'key' } : { kind: 'unknown-key', path }];
  }
  if (issue.code === 'invalid_union') return flattenUnion(value, issue.errors, path);
  if (isMissing(value, path)) return [{ kind: 'missing-key', path }];
  const hasWords = issue.code === 'custom' || (issue.code === 'invalid_format' && issue.format === 'regex');
  return [{ kind: 'misfit', path, words: hasWords ? issue.message : null }];
}

function flattenUnion(value: unknown, branches: readonly (readonly Issue[])[], path: Path): FlatIssue[] {
  const found = valueAt(value, path);
  // The value itself has the wrong type, not a value inside it.
  const isOther = ({ code, path: inner }: Issue) => code === 'invalid_type' && inner.length === 0;
  const fitting = branches.filter((issues) => !issues.some(isOther));
  const isEmpty = isMapping(found) && Object.keys(found).length === 0;
  if (fitting.length === 0 || (isEmpty && fitting.length > 1)) return [{ kind: 'misfit', path, words: null }];
  const flat = fitting.map((issues) => flattenIssues(value, issues, path));
  return flat.reduce((best, other) => (other.length < best.length ? other : best));
}

function isMissing(value: unknown, path: Path): boolean {
  const [parent, key] = [valueAt(value, path.slice(0, -1)), path.at(-1)];
  return typeof key === 'string' && isMapping(parent) && !Object.hasOwn(parent, key);
}

/** Replaces the placeholders of an issue: `{name}` and `{value}`. @param written - the list as written, with secrets hidden */
export function renderIssue(issue: ListIssue, written: unknown): ListIssue {
  const { path, at, choices = [], detail } = issue;
  const value = at === 'key' ? path.at(-1) : valueAt(written, path);
  const found = issue.found.replace('{name}', () => placeOf(path)).replace('{value}', () => describeValue(value));
  if (refersToEnv(value)) return { ...issue, found };
  return {
    ...issue,
    found: detail === undefined ? found : `${found} (${detail})`,
    advice: typeof value === 'string' ? adviseName(value, choices, issue.advice) : issue.advice,
  };
}

/** Converts issues to messages. @param written - the list as written, with secrets hidden */
export function describeIssues(issues: readonly FlatIssue[], written: unknown): ListIssue[] {
  // Creating the schema takes longer than validating a list with it.
  if (issues.length === 0) return [];
  const schema = listSchema();
  return issues.map((issue) => {
    const { kind, path } = issue;
    if (isSecretFragment(path, valueAt(written, path)))
      return invalidKey(path, 'a key (hidden) has no value', 'Put a string that contains a comma in quotes.');
    switch (kind) {
      case 'unknown-key':
        return describeUnknown(path, schema);
      case 'missing-key':
        return describeMissing(path, schemasAt(schema, path));
      case 'misfit':
        return describeMisfit(issue, schemasAt(schema, path), valueAt(written, path));
      case 'fault':
        return { code: 'list-invalid', ...issue.fault, path, at: issue.at };
      default:
        return issue satisfies never;
    }
  });
}

function describeUnknown(path: Path, schema: Schema): ListIssue {
  const [parent, key] = [path.slice(0, -1), String(path.at(-1))];
  const [schemas, place] = [schemasAt(schema, parent), placeOf(parent)];
  const keys = keysOf(schemas);
  if (keys.includes(key)) {
    const together = `"${key}" cannot be used together with the other keys of ${place}`;
    return invalidKey(path, together, `Write ${renderAllowed(schemas)}.`);
  }
  const advice =
    keys.length === 0 ? 'Correct it, or remove it.' : (adviseElsewhere(schema, key) ?? adviseName(key, keys));
  return invalidKey(path, `unknown key "${key}" in ${place}`, advice);
}

function adviseElsewhere(schema: Schema, key: string): string | undefined {
  const isKeyOf = (...path: Path) => keysOf(schemasAt(schema, path)).includes(key);
  if (isKeyOf('pages', 0)) return `Move it to a page${isKeyOf('defaults') ? ', or to "defaults"' : ''}.`;
  if (isKeyOf()) return 'Move it to the top level of the list.';
  return isKeyOf('pages', 0, 'actions', 0) ? `Write it as an action: "actions: [{ ${key}: ... }]".` : undefined;
}

function describeMissing(path: Path, schemas: readonly Schema[]): ListIssue {
  const [parent, key] = [path.slice(0, -1), path.at(-1)];
  const found = `missing key "${key}" in ${placeOf(parent)}; expected ${renderAllowed(schemas)}`;
  const description = schemas[0]?.description;
  return invalid(parent, found, `Add "${key}"${description ? `: ${description}` : '.'}`);
}

function describeMisfit(
  { path, words }: Extract<FlatIssue, { kind: 'misfit' }>,
  schemas: readonly Schema[],
  value: unknown,
): ListIssue {
  const found = `{name} must be ${words ?? renderAllowed(schemas)}, not {value}`;
  const advice = adviseValue(value, schemas) ?? schemas[0]?.description ?? 'Correct it.';
  return invalid(path, found, advice, choicesAt(schemas));
}

/** Returns the advice for a value that does not fit its field. YAML is the usual reason. */
function adviseValue(value: unknown, schemas: readonly Schema[]): string | undefined {
  if (refersToEnv(value)) return 'Check the value of the environment variable, which is always a string.';
  if (value === null) return 'Write a value. In YAML, put a string with # or a comma in quotes, such as "#id".';
  const isOther = typeof value === 'number' || (typeof value === 'symbol' && value.description !== 'a string');
  return isOther && schemas.every(({ type, enum: choices }) => type === 'string' && !choices)
    ? 'Put it in quotes.'
    : undefined;
}

import { z } from 'zod';
import { type Fault, pageListSchema } from '../../model/index.js';
import { isSecretFragment, refersToEnv } from '../env.js';
import {
  adviseName,
  DASH_SPACE,
  describeValue,
  invalid,
  invalidKey,
  isMapping,
  type ListIssue,
  mapLeaves,
  nearest,
  type Path,
  pathKey,
  placeOf,
  replaceAt,
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
  return issues.flatMap((issue) => flattenIssue(value, issue, [...base, ...issue.path.map(stepOf)]));
}

type Issue = z.core.$ZodIssue;

/** The parameters of an issue that `rule` adds. */
const faultSchema = z.object({
  found: z.string(),
  advice: z.string(),
  choices: z.array(z.string()).exactOptional(),
  detail: z.string().exactOptional(),
});

function flattenIssue(value: unknown, issue: Issue, path: Path): FlatIssue[] {
  const fault = faultSchema.safeParse('params' in issue ? issue.params : undefined).data;
  if (fault) return [{ kind: 'fault', path, at: 'value', fault }];
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

function stepOf(step: PropertyKey): string | number {
  return typeof step === 'symbol' ? String(step) : step;
}

/** Replaces the placeholders of an issue: `{name}` and `{value}`. @param written - the list as written, with secrets hidden */
export function renderIssue(issue: ListIssue, written: unknown): ListIssue {
  const { path, at, choices = [], detail } = issue;
  const value = at === 'key' ? path.at(-1) : valueAt(written, path);
  const name = at === 'key' ? `the name of a ${path.at(-2) === 'states' ? 'state' : 'key'}` : placeOf(path);
  const near = typeof value === 'string' && !refersToEnv(value) ? nearest(value, choices) : undefined;
  const found = issue.found.replace('{name}', () => name).replace('{value}', () => describeValue(value));
  return {
    ...issue,
    found: detail === undefined || refersToEnv(value) ? found : `${found} (${detail})`,
    advice: near === undefined ? issue.advice : `Did you mean ${JSON.stringify(near)}?`,
  };
}

/** A list: with variables filled in, to try a value; and as written, with secrets hidden, to show it. */
export interface Lists {
  readonly filled: unknown;
  readonly written: unknown;
}

/** Maximum number of problems with an advice of their own, which takes some milliseconds. A file that is no page list can have hundreds. */
const MAX_ADVISED = 50;

/** Converts issues to messages. A key that is probably only misspelt is not reported as missing as well. */
export function describeIssues(issues: readonly FlatIssue[], lists: Lists): ListIssue[] {
  // Creating the schema takes longer than validating a list with it.
  if (issues.length === 0) return [];
  const schema = listSchema();
  const advised = issues.slice(0, MAX_ADVISED);
  const meant = new Set(
    advised.map(({ kind, path }) => {
      const parent = path.slice(0, -1);
      const near = kind === 'unknown-key' && nearest(String(path.at(-1)), keysOf(schemasAt(schema, parent)));
      return pathKey([...parent, near || '']);
    }),
  );
  return issues
    .filter(({ kind, path }) => kind !== 'missing-key' || !meant.has(pathKey(path)))
    .map((issue) => {
      const described = { schema, ...lists, isAdvised: advised.includes(issue) };
      switch (issue.kind) {
        case 'unknown-key':
          return describeUnknown(issue.path, described);
        case 'missing-key':
          return describeMissing(issue.path, schema);
        case 'misfit':
          return describeMisfit(issue.path, issue.words, described);
        case 'fault':
          return { code: 'list-invalid', ...issue.fault, path: issue.path, at: issue.at };
        default:
          return issue satisfies never;
      }
    });
}

interface Described extends Lists {
  readonly schema: Schema;
  readonly isAdvised: boolean;
}

function describeUnknown(path: Path, { schema, written, isAdvised }: Described): ListIssue {
  const [parent, key] = [path.slice(0, -1), String(path.at(-1))];
  if (isSecretFragment(path, valueAt(written, path)))
    return invalidKey(path, 'a key (hidden) has no value', 'Put a string that contains a comma in quotes.');
  const [schemas, place] = [schemasAt(schema, parent), placeOf(parent)];
  const found = `unknown key "${key}" in ${place}`;
  const keys = keysOf(schemas);
  if (!isAdvised || keys.length === 0) return invalidKey(path, found, 'Correct it, or remove it.');
  if (!keys.includes(key)) return invalidKey(path, found, adviseElsewhere(schema, key) ?? adviseName(key, keys));
  const together = `"${key}" cannot be used together with the other keys of ${place}`;
  return invalidKey(path, together, `Write ${renderAllowed(schemas)}.`);
}

/** Returns the advice for a key that is valid elsewhere. */
function adviseElsewhere(schema: Schema, key: string): string | undefined {
  const isKeyOf = (...path: Path) => keysOf(schemasAt(schema, path)).includes(key);
  if (isKeyOf('pages', 0)) return `Move it to a page${isKeyOf('defaults') ? ', or to "defaults"' : ''}.`;
  if (isKeyOf()) return 'Move it to the top level of the list.';
  return isKeyOf('pages', 0, 'actions', 0) ? `Write it as an action: "actions: [{ ${key}: ... }]".` : undefined;
}

/** The only required key that has no default and no short description. */
const ADD_PAGES = 'Add at least one page, such as `pages: [/]`.';

function describeMissing(path: Path, schema: Schema): ListIssue {
  const [schemas, key] = [schemasAt(schema, path), path.at(-1)];
  const found = `missing key "${key}" in ${placeOf(path.slice(0, -1))}; expected ${renderAllowed(schemas)}`;
  const description = schemas[0]?.description;
  const advice = key === 'pages' ? ADD_PAGES : `Add "${key}"${description ? `: ${description}` : '.'}`;
  return invalid(path.slice(0, -1), found, advice);
}

function describeMisfit(path: Path, words: string | null, described: Described): ListIssue {
  const schemas = schemasAt(described.schema, path);
  const isFragment = isSecretFragment(path, valueAt(described.written, path));
  const found = `${isFragment ? 'this key (hidden)' : '{name}'} must be ${words ?? renderAllowed(schemas)}, not {value}`;
  const description = pathKey(path) === '["pages"]' ? ADD_PAGES : schemas[0]?.description;
  return invalid(path, found, adviseValue(path, schemas, described) ?? description ?? 'Correct it.');
}

/** Returns the advice for a value that does not fit its field. YAML is the usual reason. */
function adviseValue(path: Path, schemas: readonly Schema[], { filled, written, isAdvised }: Described) {
  const value = valueAt(written, path);
  const takesText = schemas.some(({ type, enum: choices }) => type === 'string' && !choices);
  if (refersToEnv(value)) {
    return schemas.some(({ type }) => type === 'string')
      ? 'Check the value of the environment variable.'
      : 'An environment variable is a string. Use it only where a string is allowed, such as in url.';
  }
  if (value === null) {
    return takesText
      ? 'Write a value. In YAML, put a string with # or a comma in quotes, such as "#id".'
      : 'Write a value, or remove the line.';
  }
  if (typeof value === 'symbol') return takesText && value.description !== 'a string' ? 'Put it in quotes.' : undefined;
  // YAML joins `-/` and `-/pricing` to one string, because only `- ` starts a list item.
  if (typeof value === 'string' && /^-[^\s-]/.test(value)) return DASH_SPACE;
  if (!isAdvised) return undefined;
  const meant = repairsOf(value, schemas).find((repair) => fits(filled, path, repair));
  return meant === undefined ? undefined : `Did you mean ${JSON.stringify(meant)}?`;
}

/** Returns the values that a user may have meant, the most likely first. */
function repairsOf(value: unknown, schemas: readonly Schema[]): unknown[] {
  if (typeof value === 'number') return schemas.every(({ type }) => type === 'string') ? [String(value)] : [];
  if (typeof value !== 'string') return [[value]];
  if (value.trim() === '') return [];
  const flag = /^(true|yes|on)$/i.test(value) || (/^(false|no|off)$/i.test(value) ? false : undefined);
  const site = /^[\w.-]+(:\d+)?(\/.*)?$/.test(value) ? `http://${value}` : undefined;
  return [nearest(value, choicesAt(schemas)), flag, Number(value), site, [value]].filter((each) => each !== undefined);
}

/** Checks whether a list would allow a value at a path. Checks nothing but the field, or the item, at the top of the list. */
function fits(list: unknown, [field = '', ...path]: Path, value: unknown): boolean {
  const part = mapLeaves(valueAt(list, [field]), (leaf) => leaf);
  const [index, ...rest] = path;
  const isItem = Array.isArray(part) && typeof index === 'number';
  const small = { pages: ['/'], [field]: isItem ? [part[index]] : part };
  const place = [field, ...(isItem ? [0, ...rest] : path)];
  replaceAt(small, place, value);
  const { error } = pageListSchema.safeParse(small);
  const start = pathKey(place).slice(0, -1);
  return !flattenIssues(small, error?.issues ?? []).some((issue) => pathKey(issue.path).startsWith(start));
}

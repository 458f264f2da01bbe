import { z } from 'zod';
import { actionSchema, type Fault } from '../../model/index.js';
import {
  adviseName,
  DASH_SPACE,
  invalid,
  invalidKey,
  isMapping,
  isPageLike,
  type ListIssue,
  nearest,
  type Path,
  pathKey,
  placeOf,
  valueAt,
  valueNameOf,
} from '../issue.js';
import { choicesAt, keysOf, listSchema, renderAllowed, type Schema, schemasAt } from '../schema/json-schema.js';
import { isSecretFragment } from '../secrets.js';
import { describeWritten, refersToEnv, usedDefault, type Variables } from '../yaml/env.js';

/** A zod issue, with one branch chosen of every union. */
export type FlatIssue =
  /** `path` is that of the mapping. */
  | { readonly kind: 'unknown-key'; readonly path: Path; readonly key: string }
  /** `path` is that of the mapping. */
  | { readonly kind: 'missing-key'; readonly path: Path; readonly key: string }
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
  const key = path.at(-1);
  const fault = faultSchema.safeParse('params' in issue ? issue.params : undefined).data;
  if (fault) return [{ kind: 'fault', path, at: 'value', fault }];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ kind: 'unknown-key', path, key }));
  if (issue.code === 'invalid_key') {
    const [inner] = flattenIssues(key, issue.issues, path);
    if (inner?.kind === 'fault') return [{ ...inner, at: 'key' }];
    return [{ kind: 'unknown-key', path: path.slice(0, -1), key: String(key) }];
  }
  if (issue.code === 'invalid_union') return flattenUnion(value, issue.errors, path);
  if (typeof key === 'string' && isMissing(value, path)) return [{ kind: 'missing-key', path: path.slice(0, -1), key }];
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
  const parent = valueAt(value, path.slice(0, -1));
  return isMapping(parent) && !Object.hasOwn(parent, path.at(-1) ?? '');
}

function stepOf(step: PropertyKey): string | number {
  return typeof step === 'symbol' ? String(step) : step;
}

/** What messages show: the list as written, with secrets hidden and variables not filled in. */
export interface Shown {
  readonly written: unknown;
  readonly env: Variables;
}

/**
 * Maximum number of unknown keys that get a suggestion. Each is compared with all keys of the list, which takes 1 to
 * 2 ms. A file that is not a page list can have hundreds of unknown keys.
 */
const MAX_SUGGESTIONS = 20;

/** Converts issues to messages. A key that is probably only misspelt is not reported as missing as well. */
export function renderIssues(issues: readonly FlatIssue[], shown: Shown): ListIssue[] {
  // Creating the schema takes longer than validating a list with it.
  if (issues.length === 0) return [];
  const schema = listSchema();
  const suggested = issues.filter((issue) => issue.kind === 'unknown-key').slice(0, MAX_SUGGESTIONS);
  const meant = new Set(
    suggested.map(({ path, key }) => pathKey([...path, nearest(key, keysOf(schemasAt(schema, path))) ?? ''])),
  );
  return issues
    .filter((issue) => issue.kind !== 'missing-key' || !meant.has(pathKey([...issue.path, issue.key])))
    .map((issue) => {
      switch (issue.kind) {
        case 'unknown-key':
          return unknownKey(schema, issue, shown, suggested.includes(issue));
        case 'missing-key':
          return missingKey(schema, issue);
        case 'misfit':
          return misfit(schema, issue, shown);
        case 'fault':
          return faultAt(issue, shown);
        default:
          return issue satisfies never;
      }
    });
}

type IssueOf<Kind extends FlatIssue['kind']> = Extract<FlatIssue, { kind: Kind }>;

function unknownKey(schema: Schema, issue: IssueOf<'unknown-key'>, shown: Shown, isSuggested: boolean): ListIssue {
  const path = [...issue.path, issue.key];
  const words = isSecretFragment(path, valueAt(shown.written, path))
    ? { found: 'a key (hidden) has no value', advice: 'Put a string that contains a comma in quotes.' }
    : describeUnknown(schema, issue, isSuggested);
  return invalidKey(path, words.found, words.advice);
}

function describeUnknown(schema: Schema, { path, key }: IssueOf<'unknown-key'>, isSuggested: boolean) {
  const schemas = schemasAt(schema, path);
  const keys = keysOf(schemas);
  const place = placeOf(path);
  const found = `unknown key "${key}" in ${place}`;
  if (!isSuggested) return { found, advice: 'Correct it, or remove it.' };
  if (keys.length === 0)
    return { found: `invalid name "${key}" in ${place}`, advice: 'Write a name of at least one character.' };
  if (!keys.includes(key)) return { found, advice: adviseElsewhere(schema, path, key) ?? adviseName(key, keys) };
  return {
    found: `"${key}" cannot be used together with the other keys of ${place}`,
    advice: `Write ${renderAllowed(schemas)}.`,
  };
}

/** Returns the advice for a key of a page or of the list that is valid elsewhere. */
function adviseElsewhere(schema: Schema, path: Path, key: string): string | undefined {
  const isKeyOf = (other: Path) => keysOf(schemasAt(schema, other)).includes(key);
  if (path.length > 0 && !isPageLike(path)) return undefined;
  if (path.length > 0 && Object.hasOwn(actionSchema.shape, key))
    return `"${key}" is an action: write "actions: [{ ${key}: ... }]".`;
  if (path.length === 0 && isKeyOf(['defaults'])) return 'Move it to a page, or to "defaults".';
  if (isKeyOf(['pages', 0])) return 'Move it to a page.';
  return isKeyOf([]) ? 'Move it to the top level of the list.' : undefined;
}

/** The only required key that has no default and no short description. */
const ADD_PAGES = 'Add at least one page, such as `pages: [/]`.';

function missingKey(schema: Schema, { path, key }: IssueOf<'missing-key'>): ListIssue {
  const schemas = schemasAt(schema, [...path, key]);
  const found = `missing key "${key}" in ${placeOf(path)}; expected ${renderAllowed(schemas)}`;
  const description = schemas[0]?.description;
  const advice = key === 'pages' ? ADD_PAGES : description ? `Add "${key}": ${description}` : `Add "${key}".`;
  return invalid(path, found, advice);
}

function misfit(schema: Schema, { path, words }: IssueOf<'misfit'>, { written, env }: Shown): ListIssue {
  const value = valueAt(written, path);
  const schemas = schemasAt(schema, path);
  const isFragment = isSecretFragment(path, value);
  const name = isFragment ? 'this key (hidden)' : valueNameOf(path);
  const found = `${name} must be ${words ?? renderAllowed(schemas)}, not ${describeWritten(value, env)}`;
  const advice = isFragment
    ? 'Write a value. Put a string that contains a comma or # in quotes.'
    : (adviseType(schemas, value, env) ??
      (path.length === 1 && path[0] === 'pages' ? ADD_PAGES : schemas[0]?.description) ??
      'Correct it.');
  return invalid(path, found, advice);
}

/** Returns the advice for a value of another type than its field. YAML is the usual reason. */
function adviseType(schemas: readonly Schema[], written: unknown, env: Variables): string | undefined {
  const types = schemas.map(({ type, enum: choices }) => (choices ? 'string' : type));
  const isAlways = (...allowed: string[]) => types.every((type) => allowed.includes(String(type)));
  const takesNumber = types.includes('number') || types.includes('integer');
  const value = (types.includes('string') ? usedDefault(written, env) : undefined) ?? written;
  if (refersToEnv(value)) {
    return types.includes('string')
      ? 'Check the value of the environment variable.'
      : 'An environment variable is a string. Use it only where a string is allowed, such as in url.';
  }
  if (value === null) {
    return types.includes('string') && choicesAt(schemas).length === 0
      ? 'Write a value. In YAML, # starts a comment: put a string such as "#id" in quotes.'
      : 'Write a value, or remove the line.';
  }
  if (typeof value === 'symbol')
    return types.includes('string') && value.description !== 'a string' ? 'Put it in quotes.' : undefined;
  if (typeof value === 'number') {
    const isText = types.includes('string') && !takesNumber && choicesAt(schemas).length === 0;
    const isPlain = isAlways('string') && schemas.every(({ pattern }) => !pattern);
    return isText && (isPlain || !schemas[0]?.description) ? `Put it in quotes: "${value}".` : undefined;
  }
  if (typeof value === 'object') {
    const isOne = !Array.isArray(value) && isAlways('array');
    return isOne ? 'Make it a list item: write "- " before it.' : undefined;
  }
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const near = nearest(value, choicesAt(schemas));
  if (near !== undefined) return `Did you mean ${JSON.stringify(near)}?`;
  if (takesNumber && Number.isFinite(Number(value))) return `Write it without quotes: ${Number(value)}.`;
  if (types.includes('boolean') && /^(true|false|yes|no|on|off)$/i.test(value))
    return 'Write true or false, without quotes.';
  if (schemas.some(({ format }) => format === 'uri') && /^[\w.-]+(:\d+)?(\/.*)?$/.test(value))
    return `Write "http://${value}" or "https://${value}".`;
  // YAML joins `-/` and `-/pricing` to one string, because only `- ` starts a list item.
  if (isAlways('array') && /^-[^\s-]/.test(value)) return DASH_SPACE;
  const takesText = schemasAt({ anyOf: [...schemas] }, [0]).some(({ type }) => type === 'string');
  return isAlways('array') && takesText ? `Write a list: [${JSON.stringify(value)}].` : undefined;
}

function faultAt({ path, at, fault }: IssueOf<'fault'>, { written, env }: Shown): ListIssue {
  const value = at === 'key' ? path.at(-1) : valueAt(written, path);
  const near = typeof value === 'string' ? nearest(value, fault.choices ?? []) : undefined;
  const detail = fault.detail === undefined || refersToEnv(value) ? '' : ` (${fault.detail})`;
  const name = at === 'key' ? `the name of a ${path.at(-2) === 'states' ? 'state' : 'key'}` : valueNameOf(path);
  const found =
    fault.found.replace('{name}', () => name).replace('{value}', () => describeWritten(value, env)) + detail;
  const advice = near === undefined ? fault.advice : `Did you mean ${JSON.stringify(near)}?`;
  return { code: 'list-invalid', path, at, found, advice };
}

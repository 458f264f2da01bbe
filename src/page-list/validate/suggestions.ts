import { actionSchema } from '../../model/list/fields.js';
import { adviseName, DASH_SPACE, isPageLike, type ListIssue, nearest, type Path, placeOf } from '../issue.js';
import { type Kind, keysOf, type ListSchema, renderAllowed, schemasAt } from '../schema/json-schema.js';
import { isSecretFragment } from '../secrets.js';
import { refersToEnv } from '../yaml/env.js';

/** A value that does not fit its field, and what the field accepts. */
export interface Misfit {
  /** The name of the field. For an item of a list, it is the name of the list. */
  readonly field: string;
  /** The value as written, variables not filled in; a symbol for a secret. */
  readonly value: unknown;
  /** The kinds of value that the field accepts. */
  readonly kinds: readonly Kind[];
  /** The accepted enum values; empty if the field is not an enum. */
  readonly choices: readonly string[];
}

/** Returns specific advice for a value that does not fit, or undefined if there is none. */
export function suggestionFor(misfit: Misfit): string | undefined {
  for (const suggest of SUGGESTIONS) {
    const advice = suggest(misfit);
    if (advice) return advice;
  }
  return undefined;
}

/** Fields that accept a selector such as #id. */
const SELECTOR_FIELDS: ReadonlySet<string> = new Set([
  ...['expand', 'hide', 'remove', 'mask', 'ignore', 'element', 'waitFor'],
  ...['selector', 'click', 'hover', 'scrollTo', 'wait'],
]);

const SECRET_FIELDS: ReadonlySet<string> = new Set(['password', 'username', 'value']);

const SECONDS_FIELDS: ReadonlySet<string> = new Set(['delay', 'timeout', 'wait']);

type Suggestion = (misfit: Misfit) => string | false | undefined;

/** The first suggestion that applies is used. */
const SUGGESTIONS: readonly Suggestion[] = [
  suggestEnv,
  suggestValue,
  suggestClock,
  suggestDelay,
  suggestChoice,
  suggestSite,
  suggestSkip,
  suggestRatio,
  suggestThreshold,
  suggestCount,
  suggestSeconds,
  suggestArea,
  suggestQuotes,
  suggestDashSpace,
  suggestList,
  suggestItem,
];

function suggestEnv({ value, kinds }: Misfit) {
  if (!refersToEnv(value)) return undefined;
  return acceptsText(kinds)
    ? 'Check the value of the environment variable.'
    : 'An environment variable is a string. Use it only where a string is allowed, such as in url.';
}

/** Checks whether a field accepts a string, and so the value of an environment variable. */
export function acceptsText(kinds: readonly Kind[]): boolean {
  return kinds.some((kind) => kind === 'text' || kind === 'site' || kind === 'choice');
}

function suggestValue({ field, value, kinds }: Misfit) {
  if (value !== null) return undefined;
  if (SECRET_FIELDS.has(field)) return 'In YAML, # starts a comment: put a string that contains # in quotes.';
  return SELECTOR_FIELDS.has(field) && kinds.includes('text')
    ? 'In YAML, # starts a comment: put a selector such as "#id" in quotes.'
    : 'Write a value, or remove the line.';
}

function suggestChoice({ value, choices }: Misfit) {
  const near = typeof value === 'string' ? nearest(value, choices) : undefined;
  return near && `Did you mean ${JSON.stringify(near)}?`;
}

function suggestClock({ field, value }: Misfit) {
  return field === 'clock' && typeof value === 'number' && 'Write a date and time, such as 2024-05-01T09:30:00Z.';
}

function suggestDelay({ field, value }: Misfit) {
  return field === 'waitFor' && typeof value === 'number' && 'To wait for a fixed time, use "delay" (in seconds).';
}

function suggestSite({ value, kinds }: Misfit) {
  const isHost = typeof value === 'string' && /^[\w.-]+(:\d+)?(\/.*)?$/.test(value);
  return kinds.includes('site') && isHost && `Write "http://${value}" or "https://${value}".`;
}

function suggestSkip({ field, value }: Misfit) {
  return field === 'skip' && value === true && 'Write the reason: skip: "the reason".';
}

function suggestRatio({ field, value }: Misfit) {
  const percent = percentOf(value);
  if (field !== 'maxDiffPixelRatio' || percent === undefined) return undefined;
  const example =
    percent === 5 || percent > 100 ? '' : `, and ${percent} % is ${Number((percent / 100).toPrecision(12))}`;
  return `The ratio is a share of the image from 0 to 1: 5 % is 0.05${example}.`;
}

function suggestThreshold({ field, value }: Misfit) {
  if (field !== 'threshold' || percentOf(value) === undefined) return undefined;
  return 'threshold limits the color difference of one pixel. To limit the share of different pixels, use maxDiffPixelRatio.';
}

function suggestCount({ field, value }: Misfit) {
  const isShare = typeof value === 'number' ? !Number.isInteger(value) : percentOf(value) !== undefined;
  return (
    field === 'maxDiffPixels' &&
    isShare &&
    'maxDiffPixels is a number of pixels. For a share of the image, use maxDiffPixelRatio.'
  );
}

function suggestSeconds({ field, value }: Misfit) {
  if (!SECONDS_FIELDS.has(field) || typeof value !== 'number' || !(value >= 100)) return undefined;
  return `The unit is seconds: ${value} ms is ${value / 1000} s.`;
}

function suggestArea({ field, value }: Misfit) {
  return (
    field === 'ignore' && typeof value === 'number' && 'Write a rectangle as { x: 0, y: 0, width: 300, height: 50 }.'
  );
}

function suggestQuotes({ value, kinds }: Misfit) {
  if (typeof value === 'symbol')
    return kinds.includes('text') && value.description !== 'a string' && 'Put it in quotes.';
  if (typeof value === 'number' || typeof value === 'boolean') {
    return kinds.includes('text') && !kinds.includes('number') && `Put it in quotes: "${value}".`;
  }
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  if (kinds.includes('number')) return Number.isFinite(Number(value)) && `Write it without quotes: ${Number(value)}.`;
  return (
    kinds.includes('switch') && /^(true|false|yes|no|on|off)$/i.test(value) && 'Write true or false, without quotes.'
  );
}

/** YAML joins `-/` and `-/pricing` to one string, because only `- ` starts a list item. */
function suggestDashSpace({ value, kinds }: Misfit) {
  const isJoined = typeof value === 'string' && /^-[^\s-]/.test(value) && kinds.every((kind) => kind === 'list');
  return isJoined && DASH_SPACE;
}

function suggestList({ value, kinds }: Misfit) {
  return (
    typeof value === 'string' && kinds.every((kind) => kind === 'list') && `Write a list: [${JSON.stringify(value)}].`
  );
}

function suggestItem({ value, kinds }: Misfit) {
  const isOne = typeof value === 'object' && value !== null && !Array.isArray(value);
  return (
    isOne &&
    kinds.every((kind) => kind === 'list' || kind === 'mappings') &&
    'Make it a list item: write "- " before it.'
  );
}

/** Returns the percentage that a number above 1, or a string with a percent sign, probably means. */
function percentOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value > 1 ? value : undefined;
  const percent = typeof value === 'string' ? /^([0-9.]+)\s*%$/.exec(value.trim())?.[1] : undefined;
  return percent === undefined || Number.isNaN(Number(percent)) ? undefined : Number(percent);
}

/** A key that the schema of its mapping does not have. */
interface UnknownKey {
  /** The path of the mapping. */
  readonly path: Path;
  readonly key: string;
}

/**
 * Creates the issue for an unknown key. The advice says where the key belongs, or suggests a similar key.
 *
 * @param isSuggested false to skip the search for advice; see `findProblems`.
 */
export function unknownKey(
  schema: ListSchema,
  { path, key }: UnknownKey,
  value: unknown,
  isSuggested: boolean,
): ListIssue {
  const at = { path: [...path, key], at: 'key', code: 'list-invalid' } as const;
  if (isSecretFragment(at.path, value)) return { ...at, ...PART_OF_SECRET };
  const bare = { found: `unknown key "${key}" in ${placeOf(path)}`, advice: 'Correct it, or remove it.' };
  return { ...at, ...(isSuggested ? describeUnknownKey(schema, path, key) : bare) };
}

/** Returns the key that an unknown key probably means. */
export function suggestedKey(schema: ListSchema, path: Path, key: string): string | undefined {
  return nearest(key, keysOf(schemasAt(schema, path)));
}

/** The message for a key that may be part of a secret; see {@link isSecretFragment}. */
const PART_OF_SECRET = {
  found: 'a key (hidden) has no value',
  advice: 'Put a string that contains a comma in quotes.',
};

function describeUnknownKey(schema: ListSchema, path: Path, key: string): Pick<ListIssue, 'found' | 'advice'> {
  const schemas = schemasAt(schema, path);
  const keys = keysOf(schemas);
  const place = placeOf(path);
  if (keys.length === 0)
    return { found: `invalid name "${key}" in ${place}`, advice: 'Write a name of at least one character.' };
  if (keys.includes(key)) {
    return {
      found: `"${key}" cannot be used together with the other keys of ${place}`,
      advice: `Write ${renderAllowed(schemas)}.`,
    };
  }
  return {
    found: `unknown key "${key}" in ${place}`,
    advice: adviseElsewhere(schema, path, key) ?? adviseName(key, keys),
  };
}

const ACTIONS = Object.keys(actionSchema.shape);

/** Advice for cookie fields of other tools. */
const COOKIE_ADVICE: Readonly<Record<string, string>> = {
  domain: 'Remove it: a cookie belongs to the host of its page.',
  expires: 'Remove it: a cookie exists only during its shot.',
};

/** Returns the advice for a key that is valid elsewhere in the list. */
function adviseElsewhere(schema: ListSchema, path: Path, key: string): string | undefined {
  if (path.includes('cookies')) return Object.hasOwn(COOKIE_ADVICE, key) ? COOKIE_ADVICE[key] : undefined;
  if (isPageLike(path) && ACTIONS.includes(key)) return `"${key}" is an action: write "actions: [{ ${key}: ... }]".`;
  if (path.length > 0 && !isPageLike(path) && path[0] !== 'viewports') return undefined;
  const isKeyOf = (other: Path) => keysOf(schemasAt(schema, other)).includes(key);
  if (path.length === 0 && isKeyOf(['defaults'])) return 'Move it to a page, or to "defaults".';
  if (isKeyOf(['pages', 0])) return 'Move it to a page.';
  return isKeyOf([]) ? 'Move it to the top level of the list.' : undefined;
}

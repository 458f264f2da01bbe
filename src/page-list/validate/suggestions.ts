import { actionSchema } from '../../model/list/fields.js';
import { isPageLike, type ListIssue, type Path, placeOf } from '../issue.js';
import {
  adviseName,
  type Kind,
  keysOf,
  type ListSchema,
  nearest,
  renderAllowed,
  schemasAt,
} from '../schema/allowed.js';
import { isPieceOfSecret } from '../secrets.js';
import { refersToEnv } from '../yaml/env.js';

/** What was written in a field, and what it should have been. */
export interface Misfit {
  /** The field's name; `hide` for an item of its list as well. */
  readonly field: string;
  /** As it is written, variables not filled in; a symbol for a secret. */
  readonly value: unknown;
  /** What the field takes. */
  readonly kinds: readonly Kind[];
  /** The words it takes, when it takes only certain words. */
  readonly choices: readonly string[];
}

/** Returns what to do about a value that does not fit, where there is more to say than what is allowed. */
export function suggestionFor(misfit: Misfit): string | undefined {
  for (const hint of HINTS) {
    const advice = hint(misfit);
    if (advice) return advice;
  }
  return undefined;
}

/** Fields in which an #id may stand. */
const SELECTORS: ReadonlySet<string> = new Set([
  ...['hide', 'remove', 'mask', 'ignore', 'element', 'waitFor'],
  ...['selector', 'click', 'hover', 'scrollTo', 'wait'],
]);

const SECRETS: ReadonlySet<string> = new Set(['password', 'username', 'value']);

const SECONDS: ReadonlySet<string> = new Set(['delay', 'timeout', 'wait']);

type Suggestion = (misfit: Misfit) => string | false | undefined;

/** Tried in this order. */
const HINTS: readonly Suggestion[] = [
  hintEnv,
  hintNothing,
  hintClock,
  hintDelay,
  hintChoice,
  hintSite,
  hintSkip,
  hintRatio,
  hintThreshold,
  hintCount,
  hintSeconds,
  hintArea,
  hintQuotes,
  hintList,
  hintItem,
];

function hintEnv({ value, kinds }: Misfit) {
  if (!refersToEnv(value)) return undefined;
  return kinds.some((kind) => kind === 'text' || kind === 'site' || kind === 'choice')
    ? 'Look at what the variable holds; its value is not shown here.'
    : 'Environment variables are text: they can stand in name, url, baseURL and wherever text is allowed.';
}

function hintNothing({ field, value, kinds }: Misfit) {
  if (value !== null) return undefined;
  if (SECRETS.has(field)) return 'In YAML a # begins a comment: put a text with a # in quotes.';
  return SELECTORS.has(field) && kinds.includes('text')
    ? 'In YAML a # begins a comment: put a selector such as "#id" in quotes.'
    : 'Write a value, or remove the line.';
}

function hintChoice({ value, choices }: Misfit) {
  const near = typeof value === 'string' ? nearest(value, choices) : undefined;
  return near && `Did you mean ${JSON.stringify(near)}?`;
}

function hintClock({ field, value }: Misfit) {
  return field === 'clock' && typeof value === 'number' && 'Write a date and time, such as 2024-05-01T09:30:00Z.';
}

function hintDelay({ field, value }: Misfit) {
  return field === 'waitFor' && typeof value === 'number' && 'To wait so long, write it as "delay", in seconds.';
}

function hintSite({ value, kinds }: Misfit) {
  const isHost = typeof value === 'string' && /^[\w.-]+(:\d+)?(\/.*)?$/.test(value);
  return kinds.includes('site') && isHost && `Write "http://${value}" or "https://${value}".`;
}

function hintSkip({ field, value }: Misfit) {
  return field === 'skip' && value === true && 'Write why: skip: "the reason".';
}

function hintRatio({ field, value }: Misfit) {
  const percent = percentOf(value);
  if (field !== 'maxDiffPixelRatio' || percent === undefined) return undefined;
  const example =
    percent === 5 || percent > 100 ? '' : `, and ${percent} % is ${Number((percent / 100).toPrecision(12))}`;
  return `The ratio is 0..1 of the image: 5 % is 0.05${example}.`;
}

function hintThreshold({ field, value }: Misfit) {
  if (field !== 'threshold' || percentOf(value) === undefined) return undefined;
  return 'It says how far the color of one pixel may move; how much of the image may differ is maxDiffPixelRatio.';
}

function hintCount({ field, value }: Misfit) {
  const isShare = typeof value === 'number' ? !Number.isInteger(value) : percentOf(value) !== undefined;
  return field === 'maxDiffPixels' && isShare && 'It is a count of pixels; a share of the image is maxDiffPixelRatio.';
}

function hintSeconds({ field, value }: Misfit) {
  if (!SECONDS.has(field) || typeof value !== 'number' || value < 100) return undefined;
  return `It is in seconds: ${value} ms is ${value / 1000}.`;
}

function hintArea({ field, value }: Misfit) {
  return (
    field === 'ignore' && typeof value === 'number' && 'Write a rectangle as { x: 0, y: 0, width: 300, height: 50 }.'
  );
}

function hintQuotes({ value, kinds }: Misfit) {
  if (typeof value === 'symbol') return kinds.includes('text') && value.description !== 'a text' && 'Put it in quotes.';
  if (typeof value === 'number' || typeof value === 'boolean') {
    return kinds.includes('text') && !kinds.includes('number') && `Put it in quotes: "${value}".`;
  }
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  if (kinds.includes('number')) return Number.isFinite(Number(value)) && `Write it without quotes: ${Number(value)}.`;
  return (
    kinds.includes('switch') && /^(true|false|yes|no|on|off)$/i.test(value) && 'Write true or false, without quotes.'
  );
}

function hintList({ value, kinds }: Misfit) {
  return (
    typeof value === 'string' && kinds.every((kind) => kind === 'list') && `Write a list: [${JSON.stringify(value)}].`
  );
}

function hintItem({ value, kinds }: Misfit) {
  const isOne = typeof value === 'object' && value !== null && !Array.isArray(value);
  return (
    isOne &&
    kinds.every((kind) => kind === 'list' || kind === 'mappings') &&
    'Make it an item of a list: write "- " before it.'
  );
}

/** Returns the percentage that was probably meant by a number above 1, or by a text with a percent sign. */
function percentOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value > 1 ? value : undefined;
  const percent = typeof value === 'string' ? /^([0-9.]+)\s*%$/.exec(value.trim())?.[1] : undefined;
  return percent === undefined || Number.isNaN(Number(percent)) ? undefined : Number(percent);
}

/** A key of a mapping that the mapping does not have. */
interface UnknownKey {
  /** Of the mapping. */
  readonly path: Path;
  readonly key: string;
}

/**
 * Tells about a key that a mapping does not have: where it belongs, or which one was meant.
 *
 * @param isSuggested false where nothing is looked for: see `findProblems`.
 */
export function unknownKey(
  schema: ListSchema,
  { path, key }: UnknownKey,
  value: unknown,
  isSuggested: boolean,
): ListIssue {
  const at = { path: [...path, key], at: 'key', code: 'list-invalid' } as const;
  if (isPieceOfSecret(at.path, value)) return { ...at, ...PIECE };
  const bare = { found: `"${key}" is not a field of ${placeOf(path)}`, advice: 'Correct it, or remove it.' };
  return { ...at, ...(isSuggested ? tell(schema, path, key) : bare) };
}

/** Returns the key that was probably meant by one that a mapping does not have. */
export function meantKey(schema: ListSchema, path: Path, key: string): string | undefined {
  return nearest(key, keysOf(schemasAt(schema, path)));
}

/** See {@link isPieceOfSecret}. */
const PIECE = {
  found: 'here stands a key without a value (not shown here)',
  advice: 'A text with a comma in it needs quotes.',
};

function tell(schema: ListSchema, path: Path, key: string): Pick<ListIssue, 'found' | 'advice'> {
  const schemas = schemasAt(schema, path);
  const keys = keysOf(schemas);
  const place = placeOf(path);
  if (keys.length === 0) return { found: `"${key}" cannot be a name in ${place}`, advice: 'Write a name.' };
  if (keys.includes(key)) {
    return {
      found: `"${key}" does not go with the other fields of ${place}`,
      advice: `Write ${renderAllowed(schemas)}.`,
    };
  }
  return {
    found: `"${key}" is not a field of ${place}`,
    advice: adviseElsewhere(schema, path, key) ?? adviseName(key, keys),
  };
}

const ACTIONS = Object.keys(actionSchema.shape);

/** What other tools have in a cookie. */
const OF_COOKIES: Readonly<Record<string, string>> = {
  domain: 'Leave it out: a cookie goes to the host of its page.',
  expires: 'Leave it out: a cookie lasts as long as its shot.',
};

/** Returns the advice for a key that is right, but not here. */
function adviseElsewhere(schema: ListSchema, path: Path, key: string): string | undefined {
  if (path.includes('cookies')) return Object.hasOwn(OF_COOKIES, key) ? OF_COOKIES[key] : undefined;
  if (isPageLike(path) && ACTIONS.includes(key)) return `It is an action: write "actions: [{ ${key}: ... }]".`;
  if (path.length > 0 && !isPageLike(path) && path[0] !== 'viewports') return undefined;
  const isKeyOf = (other: Path) => keysOf(schemasAt(schema, other)).includes(key);
  if (path.length === 0 && isKeyOf(['defaults'])) return 'It is a field of a page: put it there, or under "defaults".';
  if (isKeyOf(['pages', 0])) return 'It is a field of a page: put it there.';
  return isKeyOf([]) ? 'It stands at the top of the list.' : undefined;
}

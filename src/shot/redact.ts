import { readFileSync } from 'node:fs';
import type { Action, Credentials, HiddenElement, Target } from '../model/index.js';

export type Redact = (text: string) => string;

/** In characters: messages can contain a shorter value by chance. */
const MIN_LENGTH = 4;

/** In characters: a longer value is also redacted inside a word. */
const MIN_LENGTH_INSIDE_WORD = 8;

const TOKEN = /[\w.~+/=-]{12,}/g;

const REDACTED = '***';

export function redactHidden(hidden: readonly HiddenElement[], redact: Redact): HiddenElement[] {
  return hidden.map(({ element, text }) => ({ element: redact(element), text: redact(text) }));
}

/**
 * Redacts the values of headers, cookies, storage state, passwords and `fill`. The origin of a served folder, whose port differs between runs,
 * becomes the name of the folder.
 */
export function redactorOf(
  [after, before]: readonly [after: Target, before: Target | null],
  actions: readonly Action[],
): Redact {
  const filled = actions.flatMap((action) => (action.kind === 'fill' ? [action.value] : []));
  const redact = redactorFor([...secretsOf(after), ...(before ? secretsOf(before) : []), ...filled]);
  const { url, servedFolder } = after;
  if (servedFolder === undefined) return redact;
  const { origin } = new URL(url);
  return (text) => redact(text.replaceAll(origin, () => servedFolder));
}

/** Creates a function that redacts these values, both literally and as URLs and JSON encode them. */
export function redactorFor(secrets: readonly string[]): Redact {
  const values = new Set(secrets.flatMap((secret) => [secret, ...(secret.match(TOKEN) ?? [])]).flatMap(encodingsOf));
  const patterns = [...values]
    .filter((value) => value.trim().length >= MIN_LENGTH)
    // Longer values first: a value can be part of another value.
    .toSorted((a, b) => b.length - a.length)
    .map(patternOf);
  if (patterns.length === 0) return (text) => text;
  const any = new RegExp(patterns.join('|'), 'gu');
  return (text) => text.replace(any, REDACTED);
}

function patternOf(value: string): string {
  const literal = value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (value.length >= MIN_LENGTH_INSIDE_WORD) return literal;
  // The scheme of a URL is not redacted, even if a header has the value `https`.
  return `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_]|://)`;
}

function encodingsOf(value: string): string[] {
  // Replaces lone surrogates, which `encodeURI` rejects, by U+FFFD.
  const text = Buffer.from(value).toString();
  return [value, encodeURI(text), encodeURIComponent(text), JSON.stringify(value).slice(1, -1)];
}

function secretsOf({ url, credentials }: Target): string[] {
  const { username, password } = new URL(url);
  const inUrl = password === '' ? [] : loginOf(decode(username), decode(password));
  const { headers, cookies, storageState, httpCredentials: login } = credentials;
  return [
    ...inUrl,
    ...Object.values(headers),
    ...cookies.map(({ value }) => value),
    ...(login === null ? [] : loginOf(login.username, login.password)),
    ...(storageState === null ? [] : valuesIn(storageState)),
  ];
}

function loginOf(username: string, password: string): string[] {
  return [password, Buffer.from(`${username}:${password}`).toString('base64')];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the values of cookies, local storage and databases in a storage state file; none if the file cannot be read. */
function valuesIn(storageState: NonNullable<Credentials['storageState']>): string[] {
  try {
    // Any of these lists may be missing: the capture does not need it.
    const { cookies = [], origins = [] }: StoredState = JSON.parse(readFileSync(storageState, 'utf8'));
    const stored = origins.flatMap(({ localStorage = [] }) => localStorage);
    const stores = origins.flatMap(({ indexedDB = [] }) => indexedDB).flatMap((database) => database.stores ?? []);
    return stringsIn([...[...cookies, ...stored].map(({ value }) => value), ...stores.map(({ records }) => records)]);
  } catch {
    // The capture then fails with an error that names the file.
    return [];
  }
}

/** What of a file by Playwright's `context.storageState()` is read. */
interface StoredState {
  readonly cookies?: readonly { readonly value: unknown }[];
  readonly origins?: readonly {
    readonly localStorage?: readonly { readonly value: unknown }[];
    readonly indexedDB?: readonly { readonly stores?: readonly { readonly records: unknown }[] }[];
  }[];
}

/** Returns all strings in a value of JSON, except the names of its fields. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

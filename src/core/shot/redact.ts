import { readFileSync } from 'node:fs';
import type { ShotRecord } from '../../model/run-record.js';
import type { Credentials, Shot, Target } from '../../model/shot.js';

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

/** A shorter value is a flag or a number more often than a secret, and any message may hold it by chance. */
const LEAST_CHARACTERS = 4;

/** From this length on, a value is removed from the middle of a word too. */
const LEAST_INSIDE_WORD = 8;

/** A part of a value that is a secret by itself, such as the token of `Bearer <token>`. */
const TOKEN = /[\w.~+/=-]{12,}/g;

const REDACTED = '***';

/**
 * Removes the secrets of a shot from its record: the values of its headers, cookies, storage state, passwords and `fill`.
 *
 * Messages, attachments and the report are rendered from the record, so this is the only place that redacts. A page knows
 * these values and can put them into an error, a URL or a warning.
 */
export function redactRecord(record: ShotRecord, shot: Shot): ShotRecord {
  const redact = redactorFor(secretsOf(shot));
  const { url, reason, capture, before, after, warnings } = record;
  return {
    ...record,
    url: redact(url),
    reason: reason === null ? null : redact(reason),
    capture: capture && { ...capture, message: redact(capture.message), url: redact(capture.url) },
    before: before && { ...before, source: redact(before.source) },
    after: after && { ...after, source: redact(after.source) },
    warnings: warnings.map(({ code, message }) => ({ code, message: redact(message) })),
  };
}

/** Creates the function that replaces these values, as they are and as URLs, JSON and HTTP authentication encode them. */
export function redactorFor(secrets: readonly string[]): Redact {
  const values = new Set(secrets.flatMap((secret) => [secret, ...(secret.match(TOKEN) ?? [])]).flatMap(encodingsOf));
  const patterns = [...values]
    .filter((value) => value.trim().length >= LEAST_CHARACTERS)
    // A value may be a part of another one.
    .toSorted((a, b) => b.length - a.length)
    .map(patternOf);
  if (patterns.length === 0) return (text) => text;
  const any = new RegExp(patterns.join('|'), 'gu');
  return (text) => text.replace(any, REDACTED);
}

function patternOf(value: string): string {
  const literal = value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (value.length >= LEAST_INSIDE_WORD) return literal;
  // The scheme of a URL stays: `https` may be the value of a header.
  return `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_]|://)`;
}

function encodingsOf(value: string): string[] {
  // A lone surrogate, which no URL can encode, becomes U+FFFD.
  const text = Buffer.from(value).toString();
  return [value, encodeURI(text), encodeURIComponent(text), JSON.stringify(value).slice(1, -1)];
}

function secretsOf({ after, before, capture: { actions } }: Shot): string[] {
  const filled = actions.flatMap((action) => (action.kind === 'fill' ? [action.value] : []));
  return [after, before].flatMap((target) => (target ? secretsOfTarget(target) : [])).concat(filled);
}

function secretsOfTarget({ url, credentials }: Target): string[] {
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

/** Returns the values of cookies and of the local storage in a file that Playwright wrote; none where it cannot be read. */
function valuesIn(storageState: NonNullable<Credentials['storageState']>): string[] {
  try {
    const { cookies, origins } = JSON.parse(readFileSync(storageState, 'utf8'));
    const stored = origins.flatMap(({ localStorage }: { localStorage: unknown[] }) => localStorage);
    return [...cookies, ...stored].flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  } catch {
    // The shot fails by itself then, with an error that names the file.
    return [];
  }
}

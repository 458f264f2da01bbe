import { invalid, isMapping, type ListIssue, type Path } from '../issue.js';
import { type RawMapping, rawAt, rawFieldScopesOf } from '../schema/readable-list.js';

/** Headers that a list cannot set, with the advice for each. */
const REFUSED: Readonly<Record<string, string>> = {
  connection: 'Remove it: the browser sets it.',
  'content-length': 'Remove it: the browser sets it.',
  cookie: 'Use "cookies" instead.',
  host: 'Remove it: the browser takes it from the URL.',
  'transfer-encoding': 'Remove it: the browser sets it.',
  upgrade: 'Remove it: the browser sets it.',
};

/**
 * Finds headers that no browser sends, and cookies that no browser stores. The issues never contain credentials, or a
 * name that may be part of them.
 */
export function checkCredentials(filled: unknown): ListIssue[] {
  return credentialScopesOf(filled).flatMap(({ path, fields }) => [
    ...rawAt(fields, ['headers']).flatMap((headers) => checkHeaders([...path, 'headers'], Object.keys(headers.fields))),
    ...checkCookies([...path, 'cookies'], fields.cookies),
  ]);
}

/** Returns every mapping that may have credentials: all field scopes, and the long forms of `before`. */
function credentialScopesOf(filled: unknown): RawMapping[] {
  const scopes = rawFieldScopesOf(filled);
  const befores: Path[] = [['before'], ...scopes.map(({ path }) => [...path, 'before'])];
  return [...scopes, ...befores.flatMap((path) => rawAt(filled, path))];
}

function checkHeaders(path: Path, names: readonly string[]): ListIssue[] {
  return names.flatMap((name, index) => {
    const folded = name.toLowerCase();
    const advice = Object.hasOwn(REFUSED, folded) ? REFUSED[folded] : undefined;
    if (!isToken(name)) return [badName([...path, name], 'header')];
    if (advice !== undefined) return [atKey([...path, name], `"headers" cannot set "${name}"`, advice)];
    const isTwice = names.slice(0, index).some((other) => other.toLowerCase() === folded);
    return isTwice
      ? [
          atKey(
            [...path, name],
            `duplicate header "${name}" (header names are case-insensitive)`,
            'Remove one of the two.',
          ),
        ]
      : [];
  });
}

function checkCookies(path: Path, cookies: unknown): ListIssue[] {
  if (Array.isArray(cookies)) return cookies.flatMap((cookie, index) => checkCookie([...path, index], cookie));
  const names = isMapping(cookies) ? Object.keys(cookies) : [];
  return names.flatMap((name) => {
    if (!isToken(name)) return [badName([...path, name], 'cookie')];
    return isPrefixed(name) ? [{ ...insecure([...path, name], name, IN_A_LIST), at: 'key' }] : [];
  });
}

/** Finds cookies that browsers ignore: https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Set-Cookie */
function checkCookie(path: Path, cookie: unknown): ListIssue[] {
  if (!isMapping(cookie) || cookie.secure === true) return [];
  const { name, sameSite } = cookie;
  if (sameSite === 'None') {
    return [
      invalid([...path, 'sameSite'], 'browsers reject a cookie with "sameSite: None" that is not secure', SECURE),
    ];
  }
  return typeof name === 'string' && isPrefixed(name) ? [insecure([...path, 'name'], name, SECURE)] : [];
}

const SECURE = 'Add "secure: true".';
const IN_A_LIST = 'Write the cookie as a list item, with "secure: true".';

function insecure(path: Path, name: string, advice: string): ListIssue {
  const prefix = name.slice(0, name.indexOf('-') + 1);
  return invalid(path, `browsers reject a cookie named "${prefix}..." that is not secure`, advice);
}

function isPrefixed(name: string): boolean {
  return /^__(Host|Secure)-/i.test(name);
}

function isToken(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

function badName(path: Path, kind: string): ListIssue {
  const advice = 'Write name: value. Put a value that contains a comma, # or ": " in quotes.';
  return atKey(path, `invalid ${kind} name (hidden)`, advice);
}

function atKey(path: Path, found: string, advice: string): ListIssue {
  return { ...invalid(path, found, advice), at: 'key' };
}

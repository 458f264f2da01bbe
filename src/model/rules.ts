import vm from 'node:vm';
import type { z } from 'zod';
import { invalidCommand, messageOf } from './errors.js';
import { parseUrl } from './text.js';

/** Why a value that has the form of its field is still wrong. */
export interface Fault {
  /** What was found: `{name}` stands for the field, and `{value}` for the value as the user wrote it. */
  readonly found: string;
  readonly advice: string;
  /** The allowed values, of which the advice names the most similar one. */
  readonly choices?: readonly string[];
  /** More about the value. A message hides it if a variable is in the value. */
  readonly detail?: string;
}

/** Adds a rule that a JSON schema cannot express. */
export function rule<T extends z.ZodType>(schema: T, faultOf: (value: z.output<T>) => Fault | null): T {
  const add = (value: z.output<T>, context: z.RefinementCtx) => {
    const fault = faultOf(value);
    const code = 'custom';
    if (fault !== null) context.addIssue({ code, params: { fault } });
  };
  return schema.superRefine(add, { when: ({ issues }) => issues.length === 0 });
}

/** A field of a page list that may be left out. */
export function optional<T extends z.ZodType>(schema: T, description: string): z.ZodOptional<T> {
  return schema.optional().describe(description);
}

/** Finds a URL that is neither http(s) nor a path. */
export function urlFault(url: string): Fault | null {
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(url)?.[1];
  // "//host/path" and "/\host" are URLs without a scheme. They would replace the host of baseURL.
  const isValid =
    scheme === undefined
      ? !/^\s*[/\\]{2}/.test(url) && parseUrl(url, 'http://localhost') !== null
      : /^https?$/i.test(scheme) && parseUrl(url) !== null;
  if (isValid) return null;
  return {
    found: '{name} must be an http(s) URL or a path, not {value}',
    advice: 'Write a URL such as "http://localhost:3000/path", or "/path" for a path relative to baseURL.',
  };
}

/** Returns a normalized URL. @throws ProofsheetError `command-invalid` if it is not an HTTP URL */
export function checkUrl(url: string): string {
  const parsed = parseUrl(url);
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return parsed.href;
  const found = 'this is not an http:// or https:// URL';
  throw invalidCommand(url, found, 'Use a URL such as https://www.example.com/page.');
}

/** Splits a selector list at its commas, but not inside brackets or quotes. A part may be empty. */
export function splitSelectors(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [token] of text.matchAll(/\\.?|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[^\\"']/gs)) {
    if (token === '(' || token === '[') depth++;
    if (token === ')' || token === ']') depth--;
    if (token === ',' && depth <= 0) parts.push('');
    else parts.push(parts.pop() + token);
  }
  return parts.map((part) => part.trim());
}

/** Finds an empty selector. The usual cause is an unquoted `#id`, which YAML reads as a comment. */
export function selectorFault(selectors: string): Fault | null {
  if (!splitSelectors(selectors).includes('')) return null;
  return {
    found: '{name} has an empty selector in {value}',
    advice: 'Remove the extra comma. If an #id follows it, use quotes: in YAML, # starts a comment.',
  };
}

/** Finds an empty selector, and a selector of Playwright where only CSS is allowed. The browser finds the rest. */
export function cssFault(selectors: string): Fault | null {
  if (!splitSelectors(selectors).some((selector) => /^(?:\w+=|\/)/.test(selector))) return selectorFault(selectors);
  return {
    found: '{name} is not a valid CSS selector: {value}',
    detail: 'it is a selector of Playwright',
    advice: 'Use a selector that document.querySelector accepts.',
  };
}

export function nameFault(name: string): Fault | null {
  if (/^(?=.*\S)[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u.test(name)) return null;
  const advice = 'Remove its line breaks and tabs, or shorten it.';
  return { found: '{name} must be one line of 1 to 200 characters', advice };
}

/** Adds the rule that a mapping has exactly one of its keys, also as JSON Schema keywords. */
export function oneKey<T extends z.ZodObject>(schema: T, advice: string): T {
  const withRule = rule(schema, (value: object) => {
    const found = Object.keys(value);
    if (found.length === 1) return null;
    return found.length === 0
      ? { found: '{name} is empty, expected 1 key', advice: `Write one of ${Object.keys(schema.shape).join(', ')}.` }
      : { found: `{name} has ${found.length} keys (${found.join(', ')}), expected 1`, advice };
  });
  return withRule.meta({ minProperties: 1, maxProperties: 1 });
}

/**
 * Parses a date, or a date and time, as milliseconds since 1970. Without a zone it is UTC, on every machine.
 * Returns null if the date or the time does not exist.
 */
export function readClock(text: string): number | null {
  const [, date = '', time = '00:00', zone = 'Z'] = /^(\S{10})(?:[T ]([\d:.]+))?(?: ?(Z|[+-].*))?$/.exec(text) ?? [];
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // Date.parse reads 30 February as 1 March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== date) return null;
  const at = Date.parse(`${date}T${time}${zone}`);
  return Number.isNaN(at) ? null : at;
}

export function clockFault(text: string): Fault | null {
  if (readClock(text) !== null) return null;
  const advice = 'Use one such as 2024-05-01T09:30:00Z.';
  return { found: '{name} is not an existing date or time: {value}', advice };
}

/** Finds an unknown time zone. Browsers accept zones only in their exact case; `Intl` accepts any case. */
export function zoneFault(zone: string): Fault | null {
  const known = resolveZone(zone);
  // The name of an alias, such as US/Pacific, is not the resolved one. `Intl` also accepts offsets, in some versions.
  const isExact = known === zone || known?.toLowerCase() !== zone.toLowerCase();
  if (known !== null && isExact && /^[A-Z]/.test(zone)) return null;
  const choices = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
  const advice = 'Use an IANA time zone, such as Europe/Berlin or UTC.';
  return { found: 'unknown time zone {value}', advice, choices };
}

function resolveZone(zone: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Finds an invalid language. Chromium accepts the tags of `Intl` with languages of two or three letters, and `_` for `-`. */
export function languageFault(language: string): Fault | null {
  try {
    if (/^[a-z]{2,3}$/i.test(new Intl.Locale(language.replaceAll('_', '-')).language)) return null;
  } catch {
    // The message is the same.
  }
  return { found: 'invalid language tag {value}', advice: 'Use a BCP 47 tag, such as de or de-CH.' };
}

/** Syntax that browsers may support before this version of Node. Such code is not rejected. */
const NEWER_SYNTAX = /\busing\b|Invalid regular expression|regular expression flags/;

/** Parses a script as an async function body, as in the page. Does not run it. */
export function scriptFault(code: string): Fault | null {
  try {
    new vm.Script(`(async () => {${code}\n})`);
    return null;
  } catch (cause) {
    const detail = messageOf(cause);
    if (NEWER_SYNTAX.test(code) || NEWER_SYNTAX.test(detail)) return null;
    return { found: '{name} has a syntax error', detail, advice: 'Correct it: the browser cannot run the script.' };
  }
}

const REFUSED = /^(connection|content-length|cookie|host|transfer-encoding|upgrade)$/i;

/** Finds a header that no browser sends. Hides a name that may be a part of its value. */
export function headerFault(name: string): Fault | null {
  if (!TOKEN.test(name)) return badName('header');
  if (!REFUSED.test(name)) return null;
  return { found: `"headers" cannot set "${name}"`, advice: 'Remove it: the browser sets it. Cookies are "cookies".' };
}

/** Hides a name that may be a part of its value. */
export function cookieNameFault(name: string): Fault | null {
  return TOKEN.test(name) ? null : badName('cookie');
}

export function patternFault(pattern: string): Fault | null {
  try {
    new RegExp(pattern, 'u');
    return null;
  } catch (cause) {
    const found = `{name} is not a valid regular expression (${messageOf(cause).split(': ').at(-1)})`;
    return { found, advice: 'Correct it, or write date, time, number, money or any.' };
  }
}

export function mockFault({ body, file }: { readonly body?: unknown; readonly file?: unknown }) {
  if (body === undefined || file === undefined) return null;
  return { found: '{name} has both "body" and "file"', advice: 'Remove one of them.' };
}

/** Finds a cookie that browsers ignore: https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Set-Cookie */
export function cookieFault(cookie: { name: string; secure?: boolean | undefined; sameSite?: string | undefined }) {
  const needsSecure = cookie.sameSite === 'None' || /^__(Host|Secure)-/i.test(cookie.name);
  if (cookie.secure === true || !needsSecure) return null;
  return { found: 'browsers reject this cookie if it is not secure', advice: 'Add "secure: true".' };
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

function badName(kind: string): Fault {
  const advice = 'Write name: value. Put a value that contains a comma, # or ": " in quotes.';
  return { found: `invalid ${kind} name (hidden)`, advice };
}

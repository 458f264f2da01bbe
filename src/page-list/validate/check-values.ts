import vm from 'node:vm';
import { parseUrl } from '../../model/url.js';
import { describeValue, invalid, type ListIssue, nearest, type Path, valueAt } from '../issue.js';
import { readClock } from '../resolve/resolve-capture.js';
import { fieldScopesOf, type ReadableList, type ReadablePage } from '../schema/readable-list.js';
import { describeWritten, refersToEnv, usedDefault, type Variables } from '../yaml/env.js';

/** Finds invalid times, time zones and languages, and scripts that do not parse. */
export function checkValues(list: ReadableList, written: unknown): ListIssue[] {
  return fieldScopesOf(list).flatMap(({ path, own: { clock, timezone, language, javascriptCode } }) => [
    ...(clock === undefined || readClock(clock) !== null ? [] : [invalidTime([...path, 'clock'], written)]),
    ...(timezone === undefined || isTimezone(timezone) ? [] : [invalidZone([...path, 'timezone'], timezone, written)]),
    ...(language === undefined || isLanguage(language) ? [] : [invalidLanguage([...path, 'language'], written)]),
    ...(javascriptCode === undefined ? [] : checkScript([...path, 'javascriptCode'], javascriptCode, written)),
  ]);
}

function invalidTime(path: Path, written: unknown): ListIssue {
  return invalid(
    path,
    `"clock" is not an existing date or time: ${describeValue(valueAt(written, path))}`,
    'Use one such as 2024-05-01T09:30:00Z.',
  );
}

function invalidZone(path: Path, zone: string, written: unknown): ListIssue {
  const found = `unknown time zone ${describeValue(valueAt(written, path))}`;
  const suggestion = suggestZone(zone);
  return invalid(
    path,
    found,
    suggestion ? `Did you mean ${JSON.stringify(suggestion)}?` : 'Use an IANA time zone, such as Europe/Berlin or UTC.',
  );
}

function invalidLanguage(path: Path, written: unknown): ListIssue {
  const found = `invalid language tag ${describeValue(valueAt(written, path))}`;
  return invalid(path, found, 'Use a BCP 47 tag, such as de or de-CH.');
}

/** Chromium accepts the tags of `Intl`, except languages of four or more letters. It also accepts `_` for `-`. */
function isLanguage(language: string): boolean {
  try {
    return /^[A-Za-z]{2,3}$/.test(new Intl.Locale(language.replaceAll('_', '-')).language);
  } catch {
    return false;
  }
}

/** Syntax that browsers may support before this version of Node. Such code is not rejected. */
const NEWER_SYNTAX = /\busing\b|Invalid regular expression|regular expression flags/;

/** Parses a script as an async function body, as in the page. Does not run it. */
function checkScript(path: Path, code: string, written: unknown): ListIssue[] {
  try {
    new vm.Script(`(async () => {${code}\n})`, { filename: SCRIPT });
    return [];
  } catch (cause) {
    const { message = '', stack = '' } = cause instanceof Error ? cause : {};
    if (NEWER_SYNTAX.test(code) || NEWER_SYNTAX.test(message)) return [];
    const line = new RegExp(`${SCRIPT}:(\\d+)`).exec(stack)?.[1];
    const place = code.trim().includes('\n') && line !== undefined ? ` in line ${line}` : '';
    // The message quotes the script, in which a variable may contain a secret.
    const why = refersToEnv(valueAt(written, path)) ? '' : ` (${message})`;
    return [
      invalid(
        path,
        `"javascriptCode" has a syntax error${place}${why}`,
        'Correct it: the browser cannot run the script.',
      ),
    ];
  }
}

const SCRIPT = 'javascriptCode';

/** Browsers accept only zone names in their exact case. `Intl` accepts any case and, in some versions, offsets. */
function isTimezone(zone: string): boolean {
  if (!/^[A-Z]/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    return false;
  }
  return !zones().some((known) => known !== zone && known.toLowerCase() === zone.toLowerCase());
}

/** Returns the zone with the given city name, otherwise the most similar zone. */
function suggestZone(zone: string): string | undefined {
  const city = `/${zone.trim().replaceAll(' ', '_').toLowerCase()}`;
  return zones().find((known) => known.toLowerCase().endsWith(city)) ?? nearest(zone, zones());
}

function zones(): string[] {
  return [...Intl.supportedValuesOf('timeZone'), 'UTC'];
}

/** Finds URLs that are neither http(s) nor a path. */
export function checkUrls(list: ReadableList, written: unknown, env: Variables): ListIssue[] {
  const finalUrls = fieldScopesOf(list).map(({ path, own }) => ({ path: [...path, 'finalUrl'], url: own.finalUrl }));
  return [...finalUrls, ...list.pages.flatMap(urlsOf)]
    .filter(({ url }) => url !== undefined && !isUrlOrPath(url))
    .map(({ path }) => {
      const shown = valueAt(written, path);
      const found = `"${fieldOf(path)}" must be an http(s) URL or a path, not ${describeWritten(shown, env)}`;
      return invalid(path, found, adviseUrl(usedDefault(shown, env) ?? shown));
    });
}

function urlsOf({ path, isShort, page }: ReadablePage): { path: Path; url: string | undefined }[] {
  const { url, before } = page;
  return [
    { path: isShort ? path : [...path, 'url'], url },
    typeof before === 'object'
      ? { path: [...path, 'before', 'url'], url: before.url }
      : { path: [...path, 'before'], url: before },
  ];
}

function isUrlOrPath(url: string): boolean {
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(url)?.[1];
  if (scheme !== undefined) return /^https?$/i.test(scheme) && parseUrl(url) !== null;
  // "//host/path" and "/\host" are URLs without a scheme. They would replace the host of baseURL.
  return !/^\s*[/\\]{2}/.test(url) && parseUrl(url, 'http://localhost') !== null;
}

function fieldOf(path: Path): string | number {
  const last = path.at(-1);
  return typeof last === 'string' ? last : 'url';
}

function adviseUrl(shown: unknown): string {
  const text = String(shown);
  if (/^[\w.-]+:\d+(\/|$)/.test(text)) return `Write "http://${text}".`;
  if (/^\/\/[^/]/.test(text)) return `Write "https:${text}".`;
  return 'Write "https://host/path", or "/path" for a path relative to baseURL.';
}

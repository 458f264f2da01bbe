import { stripVTControlCharacters } from 'node:util';

const SPACE = /[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufffe\uffff]+/gu;

/** Checks for characters that end a line, move the cursor or change the direction of text, and for those that no XML may have. */
export function hasControls(text: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufffe\uffff]/u.test(text);
}

/** Sanitizes untrusted text to one line, without terminal control sequences and characters that change the direction of text. */
export function renderPlain(text: string): string {
  return withoutControls(text).trim();
}

/** As {@link renderPlain}, with the spaces at both ends. */
export function withoutControls(text: string): string {
  return stripVTControlCharacters(text).replace(SPACE, (space) => (hasControls(space) ? ' ' : space));
}

/**
 * Sanitizes text for a terminal and for the log of a CI job. It keeps line breaks: untrusted parts pass {@link renderPlain} first.
 *
 * CI runners obey commands in a log, some of them at any place of a line: `##[error]` and `::error::` of GitHub, `##vso[...]` of Azure
 * Pipelines, `##teamcity[...]`. A space makes them text.
 */
export function renderLog(text: string): string {
  const lines = text.split('\n').map(withoutControls);
  return lines.map((line) => line.replace(COMMAND, (character) => ` ${character}`)).join('\n');
}

const COMMAND = /(?<=#)#(?=\w*\[)|(?<=:):(?=[\w-]+(?: [^:]*)?::)|(?<=^\s*:):/g;

/** Matches the characters that `JSON.stringify` leaves as they are although terminals obey them. */
const UNESCAPED = /[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu;

/** Formats a value as JSON that is safe in a terminal and in the log of a CI job, and that is read as the exact value. */
export function renderJson(value: unknown, indent = 0): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(UNESCAPED, escaped).replace(COMMAND, escaped);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Prints text. All output of the commands, the reporter and the service passes here, so that none has text that is not sanitized. */
export function print(text: string, stream: NodeJS.WritableStream = process.stdout): void {
  stream.write(renderLog(text));
}

/** Prints a value as JSON: the only output of a command with `--json`. */
export function printJson(value: unknown): void {
  process.stdout.write(`${renderJson(value, 2)}\n`);
}

/** Prints a remark in one line to standard error, after the name of the tool. */
export function printRemark(remark: string): void {
  print(`proofsheet: ${renderPlain(remark)}\n`, process.stderr);
}

/** Formats the name of a shot with its project, if that has a name: `pricing/desktop [chromium]`. */
export function nameShot({ id, project }: { readonly id: string; readonly project: string }): string {
  return renderPlain(project === '' ? id : `${id} [${project}]`);
}

export function shotKey({ project, id }: { readonly id: string; readonly project: string }): string {
  return JSON.stringify([project, id]);
}

/** Formats an integer with thousands separators, independent of the locale: `10,240`. */
export function renderCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Formats a count with a singular or plural noun: `1 shot`, `2 shots`. */
export function renderCountOf(count: number, noun: string): string {
  return `${renderCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Ends a text with exactly one full stop, unless it ends with `!` or `?`. */
export function endSentence(text: string): string {
  return /[!?]$/.test(text) ? text : `${text.replace(/[.\s]+$/, '')}.`;
}

/** Formats a percentage, 0..100, with two decimals, or more to show that it is not zero. Never rounds up to `100 %`. */
export function renderPercentage(percentage: number): string {
  if (percentage === 0 || percentage === 100) return `${percentage} %`;
  if (percentage < 0.01) return `${percentage.toFixed(1 - Math.floor(Math.log10(percentage)))} %`;
  return `${Math.min(percentage, 99.99).toFixed(2)} %`;
}

export function renderPixels(count: number): string {
  return `${renderCount(count)} px`;
}

export function renderSize({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${width}x${height}`;
}

/** Formats a duration in ms below a second, in s below a minute, otherwise in min and s. */
export function renderDuration(durationMs: number): string {
  const rounded = Math.round(durationMs);
  if (rounded < 1000) return durationMs > 0 && rounded === 0 ? '1 ms' : `${rounded} ms`;
  const tenths = Math.round(durationMs / 100) / 10;
  if (tenths < 60) return `${tenths.toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  return `${renderCount(Math.floor(seconds / 60))} min ${seconds % 60} s`;
}

/** Cuts a text to a number of UTF-16 units, without splitting a surrogate pair, and marks the cut with `…`. */
export function cutText(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** Formats the first `max` names, each cut to `maxLength`: `a, b and 7 more`. @param total - if `names` has only the first ones */
export function listSome(
  names: readonly string[],
  max: number,
  maxLength = Number.POSITIVE_INFINITY,
  total = names.length,
): string {
  const shown = names.slice(0, max).map((name) => cutText(name, maxLength));
  const more = total - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${renderCount(more)} more` : ''}`;
}

/**
 * Quotes an argument for a shell. Simple arguments stay unquoted. Double quotes work in every shell, and single quotes only in those of Linux
 * and macOS: text has them if it contains what a shell replaces in double quotes. Returns null for text with control or bidirectional
 * characters.
 */
export function quoteArgument(text: string): string | null {
  if (hasControls(text) || /\p{Cs}/u.test(text)) return null;
  // PowerShell reads an @ at the start as a variable.
  if (/^[\w./=][\w./@=-]*$/.test(text)) return text;
  return /["$`\\!%]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}

/** Formats names for a warning: the first 3, each cut to 120 characters. */
export function listFew(names: readonly string[]): string {
  return listSome(names, 3, 120);
}

/** Hides user names and passwords in all URLs of a text, because texts of a page appear in reports and logs. */
export function withoutCredentials(text: string): string {
  return text.replace(/([a-z][a-z\d+.-]{0,30}:\/\/)[^\s/?#]+@/gi, '$1***@');
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/**
 * Parses a URL; returns null if it is not valid. Use it instead of `URL.canParse`, which Node 20 answers wrongly for Latin-1
 * characters such as "ü" once it has optimized the call.
 */
export function parseUrl(url: string, base?: string): URL | null {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
}

/** A UUID, a hash, a long number, or a mix of letters and digits. */
export const GENERATED =
  /\b(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,}|\d{9,}|(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{10,})\b/g;

const MONTH = '(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\\p{L}*\\.?';
const UNIT =
  '(?:ms|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|secondes?|heures?|jours?|segundos?|minutos?|horas?|días?)';

/** A date, a time of day, a duration, or a day as one says it. A number alone is none of them. */
export const TIME = new RegExp(
  `(?<![\\p{L}\\d])(?:${[
    '\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?(?:Z|[+-]\\d{2}:?\\d{2})?)?',
    '\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}',
    `${MONTH} \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?`,
    `\\d{1,2}\\.? ${MONTH}(?:,? \\d{4})?`,
    '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?',
    '\\d{1,3}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?(?: ?[ap]\\.?m\\.?)?',
    `(?:vor |il y a |hace )?(?:\\d+(?:[.,]\\d+)?|an?|a few) ?${UNIT}(?: ago)?`,
    '\\d+[smhdw] ago',
    'just now|now|today|yesterday|tomorrow|heute|gestern|morgen|gerade eben',
  ].join('|')})(?![\\p{L}\\d])`,
  'giu',
);

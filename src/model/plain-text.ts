import { stripVTControlCharacters } from 'node:util';

/** A run of white space that may contain controls: see {@link hasControls}. */
const SPACE = /[\s\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufffe\uffff]+/gu;

/**
 * Checks whether a text contains characters that end a line, move the cursor or change the direction of text, or U+FFFE or U+FFFF, with
 * which a JUnit file is no XML.
 */
export function hasControls(text: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufffe\uffff]/u.test(text);
}

/**
 * Sanitizes untrusted text to one line: removes line breaks, terminal control sequences, and characters that change the text
 * direction.
 */
export function renderPlain(text: string): string {
  return withoutControls(text).trim();
}

function withoutControls(text: string): string {
  return stripVTControlCharacters(text).replace(SPACE, (space) => (hasControls(space) ? ' ' : space));
}

/**
 * Sanitizes text for a terminal and for the log of a CI job. It keeps line breaks, so untrusted parts must be one line: see
 * {@link renderPlain}.
 *
 * CI runners obey commands in a log, some of them at any place of a line: `##[error]` and `::error::` of GitHub, `##vso[...]` of Azure
 * Pipelines, `##teamcity[...]`. A space makes them text.
 */
export function renderLog(text: string): string {
  return text.split('\n').map(withoutControls).map(breakCommands).join('\n');
}

/** Matches the last character of the sign that starts a command. */
const COMMAND = /(?<=#)#(?=\w*\[)|(?<=:):(?=[\w-]+(?: [^:]*)?::)|(?<=^\s*:):/g;

function breakCommands(line: string): string {
  return line.replace(COMMAND, (character) => ` ${character}`);
}

/** Matches the characters that `JSON.stringify` leaves as they are although terminals obey them. */
const UNESCAPED = /[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu;

/**
 * Formats a value as JSON that is safe in a terminal and in the log of a CI job. Its reader gets the exact value, because JSON can escape
 * each character.
 */
export function renderJson(value: unknown, indent = 0): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(UNESCAPED, escaped).replace(COMMAND, escaped);
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

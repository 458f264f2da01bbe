import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf, ProofsheetError } from '../model/errors.js';
import { type PageListInput, pageListSchema } from '../model/list/page-list.js';
import type { Plan } from '../model/shot.js';
import { renderCountOf } from '../model/words.js';
import { type ListIssue, pathKey, renderFile } from './issue.js';
import { resolvePlan } from './resolve/resolve-plan.js';
import { withoutSecrets } from './secrets.js';
import { checkList } from './validate/check-list.js';
import { findProblems } from './validate/problems.js';
import { fillEnv, type Variables } from './yaml/env.js';
import { parseSource, type Source } from './yaml/source.js';

/** What a list is read against. */
export interface Surroundings {
  /** The variables that `${NAME}` stands for. */
  readonly env: Variables;
  /** The names of the devices that Playwright knows. */
  readonly devices: readonly string[];
}

/**
 * Reads a page list and gives every shot it names. It needs no browser and no project.
 *
 * The plan's hash is that of the text with `\n` at the end of its lines: the same in every checkout.
 *
 * @throws AggregateError with all that is wrong with the list, sorted by position. Each of its errors is a ProofsheetError
 * with `loc`: `list-unreadable`, `list-invalid`, `env-unset` or `shot-duplicate`. No message tells the
 * value of a variable, or a secret. In a list with a literal secret no error has a `loc`: Playwright would print its lines.
 */
export function readPlan(file: string, surroundings: Surroundings): Plan {
  const path = resolve(file);
  const { text, error } = readText(path);
  if (text === null) throw allOf(path, [error]);
  const source = parseSource(text, path);
  if (source.value === null) throw allOf(path, [emptyList(path)]);
  const { list, findings } = judge(source, surroundings);
  const errors = [...source.errors, ...findings.map(source.errorOf)];
  if (list === undefined || errors.length > 0) throw allOf(path, errors, source.isCodeFrameSafe);
  const hash = createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
  return { file: path, hash, isCodeFrameSafe: source.isCodeFrameSafe, shots: resolvePlan(list, source) };
}

function judge(
  source: Source,
  { env, devices }: Surroundings,
): { list: PageListInput | undefined; findings: ListIssue[] } {
  const { value, locate } = source;
  if (value === undefined) return { list: undefined, findings: [] };
  const { value: filled, findings: unfilled } = fillEnv(value, env);
  const written = withoutSecrets(value);
  const { data, error } = pageListSchema.safeParse(filled);
  const told = new Set(unfilled.map(({ path }) => pathKey(path)));
  const problems = findProblems({ written, filled }, error?.issues ?? []).filter(
    ({ at, path }) => at === 'key' || !told.has(pathKey(path)),
  );
  return { list: data, findings: [...unfilled, ...problems, ...checkList(filled, { written, devices, locate })] };
}

/** How many problems have an error of their own. Playwright reads and prints a part of the file for each. */
const MOST_PLACES = 50;

/** How many of the others are listed. */
const MOST_LISTED = 100;

/** Puts errors in the order of the file, each once: an alias brings the same one to several places. */
function allOf(file: string, errors: readonly ProofsheetError[], isCodeFrameSafe = true): AggregateError {
  const distinct = [...new Map(errors.map((error) => [error.message, error])).values()].toSorted(
    (a, b) => lineOf(a) - lineOf(b) || columnOf(a) - columnOf(b),
  );
  const told = distinct
    .slice(0, MOST_PLACES)
    .map((error) => (isCodeFrameSafe ? error : new ProofsheetError(error.problem)));
  const every = [...told, ...restOf(file, distinct.slice(MOST_PLACES))];
  const message = [
    `${renderFile(file)}: ${renderCountOf(distinct.length, 'problem')}`,
    ...every.map((error) => error.message),
  ].join('\n');
  const all = new AggregateError(every, message);
  // A user's mistake has no use for our stack.
  all.stack = `${all.name}: ${message}`;
  return all;
}

/** Returns the one error for all problems that do not have an error of their own: where they are and what was found. */
function restOf(file: string, rest: readonly ProofsheetError[]): Error[] {
  if (rest.length === 0) return [];
  const listed = rest.slice(0, MOST_LISTED).map(({ message }) => `  ${message}`);
  const more = rest.length - listed.length;
  const lines = [`${renderFile(file)}: ${renderCountOf(rest.length, 'more problem')}`, ...listed];
  const error = new Error([...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n'));
  error.stack = error.message;
  return [error];
}

function lineOf({ loc }: ProofsheetError): number {
  return loc?.line ?? 0;
}

function columnOf({ loc }: ProofsheetError): number {
  return loc?.column ?? 0;
}

/** The text of a file, or why there is none. */
export type TextResult =
  | { readonly text: string; readonly error: null }
  | { readonly text: null; readonly error: ProofsheetError };

/** Reads a file as UTF-8, without its byte order mark. Throws nothing: what is in the way is an error `list-unreadable`. */
export function readText(file: string): TextResult {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)), error: null };
  } catch (cause) {
    return { text: null, error: unreadable(file, cause) };
  }
}

/** Makes the error for a page list in which nothing is written. */
export function emptyList(file: string): ProofsheetError {
  return refusal(file, 'the page list is empty', 'Write at least "pages:" and under it "- /".');
}

function unreadable(file: string, cause: unknown): ProofsheetError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'ENOENT':
      return refusal(
        file,
        'there is no such page list',
        'Its path is relative to the spec that names it; correct it, or write the file.',
      );
    case 'EISDIR':
      return refusal(file, 'this is a folder, not a page list', 'Name the YAML file in it.');
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return refusal(file, 'this is not text in UTF-8', 'Is it a page list? Save it as UTF-8.');
    default:
      return refusal(
        file,
        `the page list cannot be read (${messageOf(cause)})`,
        'Look at the rights and the place of the file.',
      );
  }
}

function refusal(file: string, found: string, advice: string): ProofsheetError {
  return new ProofsheetError(
    { code: 'list-unreadable', where: renderFile(file), found, advice },
    { file, line: 1, column: 1 },
  );
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf, ProofsheetError } from '../model/errors.js';
import { OWN_KEY, type PageListInput, pageListSchema } from '../model/list/page-list.js';
import type { ServedFolder } from '../model/served-folder.js';
import type { Plan } from '../model/shot.js';
import { renderCountOf } from '../model/words.js';
import { isMapping, type ListIssue, pathKey, renderFile } from './issue.js';
import { resolvePlan } from './resolve/resolve-plan.js';
import { withoutSecrets } from './secrets.js';
import { readServe } from './serve.js';
import { readStories } from './stories/read-stories.js';
import type { StoryBlock } from './stories/story-block.js';
import { checkList } from './validate/check-list.js';
import { findProblems } from './validate/problems.js';
import { fillEnv, type Variables } from './yaml/env.js';
import { parseSource, type Source } from './yaml/source.js';

/** The environment in which a list is read. */
export interface ListEnvironment {
  /** Environment variables for `${NAME}`. */
  readonly env: Variables;
  /** The names of Playwright's device descriptors. */
  readonly devices: readonly string[];
}

/**
 * Reads a page list and returns its plan: every shot that the list names. Needs no browser and no Playwright project.
 *
 * The plan's hash is computed from the text with `\n` line endings, so it is the same in every checkout, and from the stories.
 *
 * @throws AggregateError with all problems of the list, sorted by position. Each error is a ProofsheetError with `loc`:
 * `list-unreadable`, `list-invalid`, `env-unset` or `shot-duplicate`. No message contains the value of a variable, or a
 * secret. If the list has a literal secret, no error has a `loc`, because Playwright would print the lines around it.
 */
export function readPlan(file: string, environment: ListEnvironment): Plan {
  const path = resolve(file);
  const { text, error } = readText(path);
  if (text === null) throw combineErrors(path, [error]);
  const source = parseSource(text, path);
  if (source.value === null) throw combineErrors(path, [emptyList(path)]);
  const { list, served, storyBlocks, issues } = validateList(source, path, environment);
  const errors = [...source.errors, ...issues.map(source.errorOf)];
  if (list === undefined || errors.length > 0) throw combineErrors(path, errors, source.isCodeFrameSafe);
  return {
    file: path,
    hash: hashOf(text, storyBlocks),
    isCodeFrameSafe: source.isCodeFrameSafe,
    reuse: resolveReuse(list),
    shots: resolvePlan(list, { served, storyBlocks }, source),
  };
}

function resolveReuse({ reuse = false }: PageListInput): Plan['reuse'] {
  if (reuse === false) return null;
  return reuse === true ? { verify: 0 } : reuse;
}

/** The stories of a Storybook are a part of the list that its text does not contain. */
function hashOf(text: string, storyBlocks: readonly StoryBlock[]): string {
  const hash = createHash('sha256').update(text.replaceAll('\r\n', '\n'));
  for (const { stories } of storyBlocks) hash.update(JSON.stringify(stories));
  return hash.digest('hex');
}

/** A list with the problems found in it. `list` is undefined if the text or a field is invalid. */
interface ValidatedList {
  readonly list: PageListInput | undefined;
  readonly served: ServedFolder | null;
  readonly storyBlocks: readonly StoryBlock[];
  readonly issues: readonly ListIssue[];
}

function validateList(source: Source, file: string, { env, devices }: ListEnvironment): ValidatedList {
  const { locate } = source;
  const value = withoutOwnKeys(source.value);
  if (value === undefined) return { list: undefined, served: null, storyBlocks: [], issues: [] };
  const { value: filled, findings: envIssues } = fillEnv(value, env);
  const written = withoutSecrets(value);
  const { data, error } = pageListSchema.safeParse(filled);
  const unfilledPaths = new Set(envIssues.map(({ path }) => pathKey(path)));
  const problems = findProblems({ written, filled, env }, error?.issues ?? []).filter(
    ({ at, path }) => at === 'key' || !unfilledPaths.has(pathKey(path)),
  );
  const { blocks: storyBlocks, issues: storyIssues } = readStories(filled, { file, written });
  const { served, issues: serveIssues } = readServe(filled, { file, written, storyBlocks });
  const checked = checkList(filled, { written, devices, locate, env, storyBlocks });
  const issues = [...envIssues, ...problems, ...storyIssues, ...serveIssues, ...checked];
  return { list: data, served, storyBlocks, issues };
}

/** Removes the keys of the user at the top of a list. Their values matter only where an alias repeats them. */
function withoutOwnKeys(value: unknown): unknown {
  if (!isMapping(value) || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !OWN_KEY.test(key)));
}

/** Maximum number of problems that have a separate error. Playwright reads and prints a part of the file for each. */
const MAX_SEPARATE_ERRORS = 50;

/** Maximum number of the remaining problems that are listed. */
const MAX_LISTED = 100;

/** Combines errors in file order, without duplicates: a YAML alias repeats the same error at several paths. */
function combineErrors(file: string, errors: readonly ProofsheetError[], isCodeFrameSafe = true): AggregateError {
  const distinct = [...new Map(errors.map((error) => [error.message, error])).values()].toSorted(
    (a, b) => lineOf(a) - lineOf(b) || columnOf(a) - columnOf(b),
  );
  const separate = distinct
    .slice(0, MAX_SEPARATE_ERRORS)
    .map((error) => (isCodeFrameSafe ? error : new ProofsheetError(error.problem)));
  const every = [...separate, ...remainderOf(file, distinct.slice(MAX_SEPARATE_ERRORS))];
  const message = [
    `${renderFile(file)}: ${renderCountOf(distinct.length, 'problem')}`,
    ...every.map((error) => error.message),
  ].join('\n');
  const all = new AggregateError(every, message);
  // The stack of the tool does not help the user to correct the list.
  all.stack = `${all.name}: ${message}`;
  return all;
}

/** Returns one error that lists all problems without a separate error, or none. */
function remainderOf(file: string, rest: readonly ProofsheetError[]): Error[] {
  if (rest.length === 0) return [];
  const listed = rest.slice(0, MAX_LISTED).map(({ message }) => `  ${message}`);
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

/** The text of a file, or the error that prevented reading it. */
export type TextResult =
  | { readonly text: string; readonly error: null }
  | { readonly text: null; readonly error: ProofsheetError };

/** Reads a file as UTF-8, without its byte order mark. Does not throw: returns a `list-unreadable` error instead. */
export function readText(file: string): TextResult {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)), error: null };
  } catch (cause) {
    return { text: null, error: unreadable(file, cause) };
  }
}

/** Creates the error for an empty page list. */
export function emptyList(file: string): ProofsheetError {
  return unreadableError(file, 'the page list is empty', 'Add at least one page: "pages: [/]".');
}

function unreadable(file: string, cause: unknown): ProofsheetError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'ENOENT':
      return unreadableError(
        file,
        'the page list does not exist',
        'Correct the path, which is relative to the spec, or create the file.',
      );
    case 'EISDIR':
      return unreadableError(file, 'expected a page list, found a folder', 'Use the path of a YAML file.');
    case 'ERR_ENCODING_INVALID_ENCODED_DATA':
      return unreadableError(
        file,
        'the page list is not valid UTF-8',
        'Check that it is a page list, and save it as UTF-8.',
      );
    default:
      return unreadableError(
        file,
        `the page list cannot be read (${messageOf(cause)})`,
        'Check the path and the permissions of the file.',
      );
  }
}

function unreadableError(file: string, found: string, advice: string): ProofsheetError {
  return new ProofsheetError(
    { code: 'list-unreadable', where: renderFile(file), found, advice },
    { file, line: 1, column: 1 },
  );
}

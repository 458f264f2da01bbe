import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  codeOf,
  messageOf,
  OWN_KEY,
  type Plan,
  ProofsheetError,
  pageListSchema,
  renderCountOf,
} from '../model/index.js';
import { fillEnv, type Variables, withoutSecrets } from './env.js';
import { isMapping, type ListIssue, pathKey, renderFile } from './issue.js';
import { ownersOf, resolvePlan } from './resolve/resolve-plan.js';
import { readServe, readStories, type StoryBlock } from './served-folders.js';
import { parseSource } from './source.js';
import { checkList } from './validate/check-list.js';
import { describeIssues, flattenIssues, renderIssue } from './validate/problems.js';

export interface ListEnvironment {
  readonly env: Variables;
  /** The names of Playwright's device descriptors. */
  readonly devices: readonly string[];
}

/**
 * Reads a page list and returns its plan: every shot that the list names. Needs no browser and no Playwright project.
 *
 * @throws AggregateError with all problems of single values, or if there are none, with all problems of several values together.
 * They are sorted by position. Each error is a ProofsheetError with `loc`: `list-unreadable`, `list-invalid`, `env-unset` or
 * `shot-duplicate`. No message contains the value of a variable, or a secret. If the list has a literal secret, no error has a
 * `loc`, because Playwright would print the lines around it.
 */
export function readPlan(file: string, { env, devices }: ListEnvironment): Plan {
  const path = resolve(file);
  const folder = dirname(path);
  const text = readText(path);
  const source = parseSource(text, path);
  if (source.value === null)
    throw combineErrors(path, [unreadable(path, 'the page list is empty', 'Add at least one page: "pages: [/]".')]);
  const value = withoutOwnKeys(source.value);
  const written = withoutSecrets(value);
  const errorOf = (issues: readonly ListIssue[]) => {
    const errors = issues.map((issue) => source.errorOf(renderIssue(issue, written)));
    return combineErrors(path, [...source.errors, ...errors], source.isCodeFrameSafe);
  };
  if (value === undefined) throw errorOf([]);
  const { list, issues: misfits } = parseList(value, written, env);
  if (list === null) throw errorOf(misfits);
  // What is wrong with several values together is only known where each of them is valid.
  const { blocks, issues: storyIssues } = readStories(list, folder);
  const { served, issues: serveIssues } = readServe(list, folder, blocks);
  const { shots, issues: shotIssues } = resolvePlan(list, { served, blocks }, source.locate);
  const listIssues = checkList(list, ownersOf(list, blocks), { folder, devices });
  const issues = [...storyIssues, ...serveIssues, ...listIssues, ...shotIssues];
  if (source.errors.length + issues.length > 0) throw errorOf(issues);
  const { reuse = false } = list;
  return {
    file: path,
    hash: hashOf(text, blocks),
    isCodeFrameSafe: source.isCodeFrameSafe,
    reuse: reuse === true ? { verify: 0 } : reuse || null,
    shots,
  };
}

/** It is the same in every checkout, and depends on the stories, which are a part of the list. */
function hashOf(text: string, storyBlocks: readonly StoryBlock[]): string {
  const hash = createHash('sha256').update(text.replaceAll('\r\n', '\n'));
  for (const { stories } of storyBlocks) hash.update(JSON.stringify(stories));
  return hash.digest('hex');
}

/** Fills in the variables of a list, and checks it against the schema. `list`: null if there are problems. */
function parseList(value: unknown, written: unknown, env: Variables) {
  const { value: filled, findings } = fillEnv(value, env);
  const { data = null, error } = pageListSchema.safeParse(filled);
  const unfilled = new Set(findings.map(({ path }) => pathKey(path)));
  const misfits = describeIssues(flattenIssues(filled, error?.issues ?? []), written).filter(
    ({ at, path }) => at === 'key' || !unfilled.has(pathKey(path)),
  );
  return { list: findings.length > 0 ? null : data, issues: [...findings, ...misfits] };
}

/** Removes the keys of the user at the top of a list. Their values matter only where an alias repeats them. */
function withoutOwnKeys(value: unknown): unknown {
  if (!isMapping(value) || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !OWN_KEY.test(key)));
}

/** Maximum number of problems that have a separate error. Playwright reads and prints a part of the file for each. */
const MAX_SEPARATE_ERRORS = 50;

const MAX_LISTED = 100;

/** Combines errors in file order, without duplicates: a YAML alias repeats the same error at several paths. */
function combineErrors(file: string, errors: readonly ProofsheetError[], isCodeFrameSafe = true): AggregateError {
  const distinct = [...new Map(errors.map((error) => [error.message, error])).values()].toSorted(
    ({ loc: a }, { loc: b }) => (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0),
  );
  const shown = isCodeFrameSafe ? distinct : distinct.map(({ problem }) => new ProofsheetError(problem));
  const every = [...shown.slice(0, MAX_SEPARATE_ERRORS), ...remainderOf(file, shown.slice(MAX_SEPARATE_ERRORS))];
  const head = `${renderFile(file)}: ${renderCountOf(distinct.length, 'problem')}`;
  const message = [head, ...every.map((error) => error.message)].join('\n');
  const all = new AggregateError(every, message);
  all.stack = `${all.name}: ${message}`;
  return all;
}

function remainderOf(file: string, rest: readonly ProofsheetError[]): Error[] {
  if (rest.length === 0) return [];
  const listed = rest.slice(0, MAX_LISTED).map(({ message }) => `  ${message}`);
  const head = `${renderFile(file)}: ${renderCountOf(rest.length, 'more problem')}`;
  const more = rest.length > MAX_LISTED ? [`  and ${rest.length - MAX_LISTED} more`] : [];
  const error = new Error([head, ...listed, ...more].join('\n'));
  error.stack = error.message;
  return [error];
}

/** Reads a file as UTF-8, without its byte order mark. @throws AggregateError if it cannot be read */
function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    const reason = codeOf(cause) === 'ENOENT' ? 'does not exist' : `cannot be read (${messageOf(cause)})`;
    const advice = 'Use the path of a YAML file in UTF-8, relative to the spec.';
    throw combineErrors(file, [unreadable(file, `the page list ${reason}`, advice)]);
  }
}

function unreadable(file: string, found: string, advice: string): ProofsheetError {
  return new ProofsheetError(
    { code: 'list-unreadable', where: renderFile(file), found, advice },
    { file, line: 1, column: 1 },
  );
}

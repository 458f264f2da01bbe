import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf, messageOf, OWN_KEY, type Plan, ProofsheetError, renderCountOf } from '../model/index.js';
import { fillEnv, type Variables, withoutSecrets } from './env.js';
import { isMapping, type ListIssue, pathKey, renderFile } from './issue.js';
import { ownersOf, resolvePlan } from './resolve/resolve-plan.js';
import { readServe, readStories, type StoryBlock } from './served-folders.js';
import { parseSource, type Source } from './source.js';
import { checkList } from './validate/check-list.js';
import { findDuplicates } from './validate/duplicates.js';
import { describeIssues, renderIssue } from './validate/problems.js';
import { readValid } from './validate/valid-list.js';

export interface ListEnvironment {
  readonly env: Variables;
  /** The names of Playwright's device descriptors. */
  readonly devices: readonly string[];
}

/**
 * Reads a page list and returns its plan: every shot that the list names. Needs no browser and no Playwright project.
 *
 * @throws AggregateError with all problems of the list, sorted by position. Each error is a ProofsheetError with `loc`:
 * `list-unreadable`, `list-invalid`, `env-unset` or `shot-duplicate`. No message contains the value of a variable, or a
 * secret. If the list has a literal secret, no error has a `loc`, because Playwright would print the lines around it.
 */
export function readPlan(file: string, environment: ListEnvironment): Plan {
  const path = resolve(file);
  const text = readText(path);
  const source = parseSource(text, path);
  if (source.value === null)
    throw combineErrors(path, [unreadable(path, 'the page list is empty', 'Add at least one page: "pages: [/]".')]);
  const { valid, blocks, shots, issues } = validateList(source, path, environment);
  const errors = [...source.errors, ...issues.map(source.errorOf)];
  if (valid === null || errors.length > 0) throw combineErrors(path, errors, source.isCodeFrameSafe);
  const { reuse = false } = valid.list;
  return {
    file: path,
    hash: hashOf(text, blocks),
    isCodeFrameSafe: source.isCodeFrameSafe,
    reuse: reuse === true ? { verify: 0 } : reuse || null,
    shots: shots.map(({ shot }) => shot),
  };
}

/** It is the same in every checkout, and depends on the stories, which are a part of the list. */
function hashOf(text: string, storyBlocks: readonly StoryBlock[]): string {
  const hash = createHash('sha256').update(text.replaceAll('\r\n', '\n'));
  for (const { stories } of storyBlocks) hash.update(JSON.stringify(stories));
  return hash.digest('hex');
}

/** Returns what is valid of a list, or null, and the problems of the rest. */
function validateList(source: Source, file: string, { env, devices }: ListEnvironment) {
  const nothing = { valid: null, blocks: [], shots: [] };
  const value = withoutOwnKeys(source.value);
  if (value === undefined) return { ...nothing, issues: [] };
  const { value: filled, findings: envIssues } = fillEnv(value, env);
  const written = withoutSecrets(value);
  const { issues: found, valid } = readValid(filled);
  const unfilled = new Set(envIssues.map(({ path }) => pathKey(path)));
  const problems = describeIssues(found, written).filter(
    ({ at, path }) => at === 'key' || !unfilled.has(pathKey(path)),
  );
  const render = (issues: readonly ListIssue[]) =>
    [...envIssues, ...problems, ...issues].map((issue) => renderIssue(issue, written));
  if (valid === null) return { ...nothing, issues: render([]) };
  const { list, isInvalid } = valid;
  const { blocks, issues: storyIssues } = readStories(list, file, isInvalid);
  const { served, issues: serveIssues } = readServe(valid, file, blocks);
  const owners = ownersOf(list, blocks).filter(({ path }) => !isInvalid(path));
  const shots = resolvePlan(list, { served, blocks }, source.locate);
  const named = shots.filter(({ page }) => ![page, [...page, 'name'], [...page, 'url']].some(isInvalid));
  const checked = checkList(valid, owners, shots, { folder: dirname(file), devices });
  const issues = render([...storyIssues, ...serveIssues, ...checked, ...findDuplicates(named)]);
  return { valid, blocks, shots, issues };
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

import { ProofsheetError } from '../../model/errors.js';
import {
  type MatcherOptionsInput,
  matcherOptionsSchema,
  pageListSchema,
  type ShotFieldsInput,
  shotFieldsSchema,
} from '../../model/list/page-list.js';
import { adviseName, describeValue, invalid, isMapping, type ListIssue, type Locate } from '../issue.js';
import {
  type ReadableList,
  type ReadablePage,
  type ReadableState,
  readReadable,
  statesOf,
} from '../schema/readable-list.js';
import type { StoryBlock } from '../stories/story-block.js';
import type { Variables } from '../yaml/env.js';
import { checkContradictions } from './check-contradictions.js';
import { checkCredentials } from './check-credentials.js';
import { checkSelectors, checkSteps } from './check-steps.js';
import { checkUrls, checkValues } from './check-values.js';
import { checkViewports } from './check-viewports.js';
import { findDuplicates } from './duplicates.js';
import { findProblems } from './problems.js';

/** The data that the checks need in addition to the list. */
export interface CheckContext {
  /** The list as written, for messages: variables not filled in, secrets hidden. */
  readonly written: unknown;
  /** The names of Playwright's device descriptors. */
  readonly devices: readonly string[];
  readonly locate: Locate;
  readonly env: Variables;
  /** The entries of `stories`, with their stories. */
  readonly storyBlocks: readonly StoryBlock[];
}

/**
 * Finds problems that a schema cannot express: unknown or duplicate names, URLs that cannot be opened, fields that
 * contradict each other. Checks the valid parts of a list, even if other parts are invalid.
 */
export function checkList(filled: unknown, { written, devices, locate, env, storyBlocks }: CheckContext): ListIssue[] {
  const list = readReadable(filled, storyBlocks);
  return [
    ...checkViewports(list, devices, written),
    ...checkUrls(list, written, env),
    ...checkNames(list),
    ...checkStates(list),
    ...checkSelectors(list, written),
    ...checkSteps(filled, written),
    ...checkValues(list, written),
    ...checkContradictions(list),
    ...checkCredentials(filled),
    ...findDuplicates(list, written, locate),
  ];
}

function checkNames({ pages }: ReadableList): ListIssue[] {
  return pages
    .filter(({ page }) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(page.name ?? ''))
    .map(({ path }) => invalid([...path, 'name'], '"name" must be one line', 'Remove its line breaks and tabs.'));
}

/** Finds invalid names of states, and pages without a shot. */
export function checkStates(list: ReadableList): ListIssue[] {
  return [
    ...checkStateNames(['defaults'], list.states ?? []),
    ...list.pages.flatMap((page) => [...checkStateNames(page.path, page.states ?? []), ...checkBase(list, page)]),
  ];
}

function checkStateNames(path: readonly (string | number)[], states: readonly ReadableState[]): ListIssue[] {
  return states
    .filter(({ name }) => name !== '' && !/^(?=.*\S)[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u.test(name))
    .map(({ name }) => ({
      ...invalid(
        [...path, 'states', name],
        'the name of a state must be one line of 1 to 200 characters',
        'Remove its line breaks and tabs, or shorten it.',
      ),
      at: 'key',
    }));
}

function checkBase(list: ReadableList, page: ReadablePage): ListIssue[] {
  const { base } = { ...list.defaults, ...page.page };
  if (base !== false || statesOf(list, page)?.length !== 0) return [];
  const path = [...page.path, ...(page.page.base === false ? ['base'] : [])];
  return [
    invalid(path, 'the page has no shot: "base" is false, and it has no states', 'Add a state, or remove "base".'),
  ];
}

/**
 * Checks the options of a matcher by the rules for page fields.
 *
 * @param where the call as the user wrote it, for the message.
 * @throws ProofsheetError `options-invalid` with the first problem.
 */
export function checkOptions(options: object, where: string): void {
  const problem = findUnknown(options) ?? findMisfit(options);
  if (problem) throw new ProofsheetError({ code: 'options-invalid', where, ...problem });
}

/**
 * Parses matcher options of unknown type, by the rules of {@link checkOptions}.
 *
 * @throws ProofsheetError `options-invalid` with the first problem.
 */
export function readOptions(options: object, where: string): MatcherOptionsInput {
  checkOptions(options, where);
  return matcherOptionsSchema.parse(options);
}

/**
 * Parses page fields of unknown type, by the same rules.
 *
 * @throws ProofsheetError `options-invalid` with the first problem.
 */
export function readFields(fields: object, where: string): ShotFieldsInput {
  const problem = findMisfit(fields);
  if (problem) throw new ProofsheetError({ code: 'options-invalid', where, ...problem });
  return shotFieldsSchema.parse(fields);
}

function findUnknown(options: object): { found: string; advice: string } | null {
  if (!isMapping(options) || Array.isArray(options)) {
    return {
      found: `the options are ${describeValue(options)}, expected an object`,
      advice: 'Write { maxDiffPixels: 40 }, for example.',
    };
  }
  const known = Object.keys(matcherOptionsSchema.shape);
  const key = Object.keys(options).find((option) => !known.includes(option));
  return key === undefined ? null : { found: `unknown option "${key}"`, advice: adviseName(key, known) };
}

/** Checks options as the `defaults` of a list, so that the messages are the same as for a list. */
function findMisfit(options: object): { found: string; advice: string } | null {
  const list = { defaults: options, pages: ['/'] };
  const { error } = pageListSchema.safeParse(list);
  const problems = findProblems({ env: {}, written: list, filled: list }, error?.issues ?? []);
  const readable = readReadable(list);
  const [first] = [
    ...problems,
    ...checkContradictions(readable),
    ...checkSelectors(readable, list),
    ...checkValues(readable, list),
  ];
  return first ? { found: first.found, advice: first.advice } : null;
}

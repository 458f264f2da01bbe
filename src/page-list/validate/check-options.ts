import { ProofsheetError } from '../../model/errors.js';
import {
  type MatcherOptionsInput,
  matcherOptionsSchema,
  pageListSchema,
  type ShotFieldsInput,
  shotFieldsSchema,
} from '../../model/list/page-list.js';
import { adviseName } from '../schema/allowed.js';
import { readReadable } from '../schema/readable-list.js';
import { checkContradictions } from './check-contradictions.js';
import { checkSelectors } from './check-steps.js';
import { checkValues } from './check-values.js';
import { findProblems } from './problems.js';

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
  const known = Object.keys(matcherOptionsSchema.shape);
  const key = Object.keys(options).find((option) => !known.includes(option));
  return key === undefined ? null : { found: `"${key}" is not one of its options`, advice: adviseName(key, known) };
}

/** Checks options as the `defaults` of a list, so that the messages are the same as for a list. */
function findMisfit(options: object): { found: string; advice: string } | null {
  const list = { defaults: options, pages: ['/'] };
  const { error } = pageListSchema.safeParse(list);
  const problems = findProblems({ written: list, filled: list }, error?.issues ?? []);
  const readable = readReadable(list);
  const [first] = [
    ...problems,
    ...checkContradictions(readable),
    ...checkSelectors(readable, list),
    ...checkValues(readable, list),
  ];
  return first ? { found: first.found, advice: first.advice } : null;
}

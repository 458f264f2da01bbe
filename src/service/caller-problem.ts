import { type ErrorCode, type Problem, ProofsheetError } from '../model/errors.js';

/** Messages for callers about internal errors. The original messages contain paths and hosts of the operator. */
const INTERNAL: Partial<Record<ErrorCode, string>> = {
  'browser-missing': 'its browser does not start',
  'storage-failed': 'its storage cannot be used',
  'package-missing': 'a package that it needs is not installed',
  'engine-missing': 'its compare engine is not installed',
  'engine-failed': 'its compare engine failed',
};

/** Replaces an internal problem by one without the operator's paths and hosts. Returns other problems unchanged. */
export function problemForCaller(problem: Problem): Problem {
  const found = INTERNAL[problem.code];
  if (found === undefined) return problem;
  return { code: problem.code, where: 'the service', found, advice: 'Tell its operator: standard error says more.' };
}

/** Checks whether the service logs this error for its operator: an internal problem or an unexpected error. */
export function isForOperator(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isForOperator);
  return !(error instanceof ProofsheetError) || error.code in INTERNAL;
}

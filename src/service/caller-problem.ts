import { type ErrorCode, type Problem, ProofsheetError } from '../model/errors.js';

/** What a caller is told of problems of the service itself. Their details name paths and hosts of the operator. */
const INTERNAL: Partial<Record<ErrorCode, string>> = {
  'browser-missing': 'its browser does not start',
  'storage-failed': 'its storage cannot be used',
  'package-missing': 'a package that it needs is not installed',
  'engine-missing': 'its compare engine is not installed',
  'engine-failed': 'its compare engine failed',
};

/** Returns a problem as a caller of the service may see it: without paths and hosts of the operator. */
export function problemForCaller(problem: Problem): Problem {
  const found = INTERNAL[problem.code];
  if (found === undefined) return problem;
  return { code: problem.code, where: 'the service', found, advice: 'Tell its operator: standard error says more.' };
}

/** Is this an error that the operator has to hear of: a problem of the service itself, or one that nobody foresaw? */
export function isForOperator(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isForOperator);
  return !(error instanceof ProofsheetError) || error.code in INTERNAL;
}

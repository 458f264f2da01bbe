import { problemForCaller } from '../../core/service/caller-problem.js';
import { type ErrorCode, messageOf, type Problem, ProofsheetError, renderProblem } from '../../model/errors.js';
import type { ServiceError } from '../../model/service-response.js';
import { withoutCredentials } from '../../model/url.js';

/** What is not here could not be captured, or compared: 422. */
const STATUSES: Partial<Record<ErrorCode, number>> = {
  'request-invalid': 400,
  'key-refused': 401,
  'host-refused': 403,
  'not-found': 404,
  'method-refused': 405,
  'body-too-large': 413,
  'body-type': 415,
  'rate-limited': 429,
  'storage-failed': 500,
  'engine-missing': 500,
  'engine-failed': 500,
  'package-missing': 501,
  'browser-missing': 503,
  'browser-gone': 503,
  'queue-full': 503,
  'service-ending': 503,
  'page-timeout': 504,
  'service-timeout': 504,
};

/** An error as it is answered. */
export interface AnsweredError {
  readonly status: number;
  readonly body: ServiceError;
}

/** Gives the answer to a request that could not be done. What nobody foresaw is not told to strangers. */
export function answerError(error: unknown): AnsweredError {
  const problems = problemsIn(error);
  const [first] = problems;
  if (!first) return { status: 500, body: bodyOf('unforeseen', 'Something went wrong in the service.', []) };
  const message = problems.map(renderProblem).join('\n');
  return { status: STATUSES[first.code] ?? 422, body: bodyOf(first.code, message, problems) };
}

/** Renders an error in one line for who runs the service. */
export function renderForOperator(error: unknown): string {
  return `proofsheet: ${messageOf(error).split('\n')[0] ?? ''}\n`;
}

function problemsIn(error: unknown): Problem[] {
  if (error instanceof AggregateError) return error.errors.flatMap(problemsIn);
  return error instanceof ProofsheetError ? [problemForCaller(error.problem)] : [];
}

function bodyOf(code: string, message: string, problems: readonly Problem[]): ServiceError {
  const details = problems.map((problem) => ({
    ...problem,
    where: withoutCredentials(problem.where),
    found: withoutCredentials(problem.found),
  }));
  return { status: 'error', error: true, message, code, details };
}

import {
  type ErrorCode,
  messageOf,
  type Problem,
  ProofsheetError,
  renderJson,
  renderProblem,
  withoutCredentials,
} from '../../model/index.js';
import type { ServiceError } from '../protocol/responses.js';
import type { Stored } from '../storage/storage.js';

/** Headers of every response: no content sniffing, no `Referer` header. */
const COMMON_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** Creates a JSON response. */
export function answerJson(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  return new Response(renderJson(value), {
    status,
    headers: { ...COMMON_HEADERS, 'cache-control': 'no-store', ...type, ...headers },
  });
}

/** Creates a plain text response. */
export function answerText(status: number, text: string, type = 'text/plain; charset=utf-8'): Response {
  return new Response(text, {
    status,
    headers: { ...COMMON_HEADERS, 'cache-control': 'no-store', 'content-type': type },
  });
}

/** Creates an HTML response for a page of the service. Its policy allows inline styles only. */
export function answerPage(page: string): Response {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
  const headers = { ...COMMON_HEADERS, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
  return new Response(page, { headers });
}

/** Content security policy of captured documents, which are untrusted: no scripts and no requests. */
const UNTRUSTED_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** Creates a response with a stored file. */
export function answerFile({ bytes, contentType }: Stored): Response {
  // The PDF viewers of browsers do not work in a sandbox. Without one they run no script on the service's origin.
  const policy = contentType === 'application/pdf' ? {} : { 'content-security-policy': UNTRUSTED_POLICY };
  const headers = {
    ...COMMON_HEADERS,
    ...policy,
    'content-type': contentType,
    'cache-control': 'private, max-age=3600, immutable',
  };
  return new Response(new Uint8Array(bytes), { headers });
}

/** HTTP status by error code; 422 for all others, which are failed captures and comparisons. */
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

/** Status and body of an error response. */
export interface AnsweredError {
  readonly status: number;
  readonly body: ServiceError;
}

/** Returns the response to a failed request. Unexpected errors get a generic message without details. */
export function answerError(error: unknown): AnsweredError {
  const problems = problemsIn(error);
  const [first] = problems;
  if (!first) return { status: 500, body: bodyOf('unforeseen', 'Internal error of the service.', []) };
  const message = problems.map(renderProblem).join('\n');
  return { status: STATUSES[first.code] ?? 422, body: bodyOf(first.code, message, problems) };
}

/** Renders an error in one line for the operator of the service. */
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

/** Messages for callers about internal errors. The original messages contain paths and hosts of the operator. */
const INTERNAL: Partial<Record<ErrorCode, string>> = {
  'browser-missing': 'the browser does not start',
  'storage-failed': 'the storage is not available',
  'package-missing': 'a required package is not installed',
  'engine-missing': 'the comparison engine is not installed',
  'engine-failed': 'the comparison engine failed',
};

/** Replaces an internal problem by one without the operator's paths and hosts. Returns other problems unchanged. */
export function problemForCaller(problem: Problem): Problem {
  const found = INTERNAL[problem.code];
  if (found === undefined) return problem;
  return {
    code: problem.code,
    where: 'the service',
    found,
    advice: 'Contact the operator of the service: its standard error has details.',
  };
}

/** Checks whether the service logs this error for its operator: an internal problem or an unexpected error. */
export function isForOperator(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isForOperator);
  return !(error instanceof ProofsheetError) || error.code in INTERNAL;
}

import { type ErrorCode, messageOf, type Problem, ProofsheetError, renderProblem } from '../../model/errors.js';
import type { ServiceError } from '../../model/service/responses.js';
import { withoutCredentials } from '../../model/words.js';
import { problemForCaller } from '../caller-problem.js';
import type { Stored } from '../storage/storage.js';

/** Sent with everything: what is answered is what it says it is, and tells nobody where it was found. */
const ALWAYS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** Makes an answer for programs. */
export function answerJson(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  return new Response(JSON.stringify(value), {
    status,
    headers: { ...ALWAYS, 'cache-control': 'no-store', ...type, ...headers },
  });
}

/** Makes an answer that is plain text. */
export function answerText(status: number, text: string, type = 'text/plain; charset=utf-8'): Response {
  return new Response(text, { status, headers: { ...ALWAYS, 'cache-control': 'no-store', 'content-type': type } });
}

/** Makes an answer that is a page of our own: it has a style, and nothing else. */
export function answerPage(page: string): Response {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
  const headers = { ...ALWAYS, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
  return new Response(page, { headers });
}

/** A document that was captured is a stranger's: it shows its text and its own style, runs nothing and asks for nothing. */
const STRANGER = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** Makes an answer of a file that was kept. */
export function answerFile({ bytes, contentType }: Stored): Response {
  // A browser's own viewer of PDFs does not work in a sandbox, and runs nothing of ours outside of one.
  const policy = contentType === 'application/pdf' ? {} : { 'content-security-policy': STRANGER };
  const headers = {
    ...ALWAYS,
    ...policy,
    'content-type': contentType,
    'cache-control': 'private, max-age=3600, immutable',
  };
  return new Response(new Uint8Array(bytes), { headers });
}

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

/** Returns the answer to a request that could not be done. What nobody foresaw is not told to strangers. */
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

import {
  type ErrorCode,
  firstLineOf,
  type Problem,
  ProofsheetError,
  renderJson,
  renderProblem,
  withoutCredentials,
} from '../../model/index.js';
import type { ServiceError } from '../protocol/responses.js';
import type { Stored } from '../storage.js';

type Headers = Readonly<Record<string, string>>;

/** Creates a response without content sniffing, a `Referer` header and caching, unless `headers` say otherwise. */
export function answerText(
  status: number,
  text: string | Uint8Array<ArrayBuffer>,
  type: string,
  headers: Headers = {},
) {
  const common = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' };
  return new Response(text, { status, headers: { ...common, 'content-type': type, ...headers } });
}

export function answerJson(status: number, value: unknown, headers?: Headers): Response {
  return answerText(status, renderJson(value), 'application/json; charset=utf-8', headers);
}

/** Content security policy of captured documents, which are untrusted: no scripts and no requests. */
const UNTRUSTED_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

export function answerFile({ bytes, contentType }: Stored): Response {
  return answerText(200, new Uint8Array(bytes), contentType, {
    'cache-control': 'private, max-age=3600, immutable',
    // The PDF viewers of browsers do not work in a sandbox. Without one they run no script on the service's origin.
    ...(contentType !== 'application/pdf' && { 'content-security-policy': UNTRUSTED_POLICY }),
  });
}

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

/** Messages for callers about internal errors. The original messages contain paths and hosts of the operator. */
const INTERNAL: Partial<Record<ErrorCode, string>> = {
  'browser-missing': 'the browser does not start',
  'storage-failed': 'the storage is not available',
  'package-missing': 'a required package is not installed',
  'engine-missing': 'the comparison engine is not installed',
  'engine-failed': 'the comparison engine failed',
};

/** Extra headers of errors by status. 413 closes the connection, because the rest of the body is still arriving. */
const HEADERS: Readonly<Record<number, Headers>> = {
  413: { connection: 'close' },
  503: { 'retry-after': '1' },
};

/** Creates the response to a failed request. */
export function answerError(error: unknown, headers?: Headers): Response {
  const { problems, message } = explainError(error);
  const [first] = problems;
  const status = first ? (STATUSES[first.code] ?? 422) : 500;
  const details = problems.map(({ where, found, ...problem }) => ({
    ...problem,
    where: withoutCredentials(where),
    found: withoutCredentials(found),
  }));
  const body: ServiceError = { status: 'error', error: true, message, code: first?.code ?? 'unforeseen', details };
  return answerJson(status, body, { ...HEADERS[status], ...headers });
}

/**
 * Says what the caller learns about an error: nothing of unexpected errors, and only the kind of internal problems, unless it is the
 * operator. `log` is a line with all of it for the operator of the service; null if the caller caused the error.
 */
export function explainError(error: unknown, isOperator = false) {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const all = errors.flatMap((each) => (each instanceof ProofsheetError ? [each.problem] : []));
  const isForLog = all.length < errors.length || (!isOperator && all.some(({ code }) => code in INTERNAL));
  const problems = isOperator ? all : all.map(withoutInternals);
  return {
    problems,
    message: problems.length > 0 ? problems.map(renderProblem).join('\n') : 'Internal error of proofsheet.',
    log: isForLog ? `proofsheet: ${firstLineOf(error)}\n` : null,
  };
}

function withoutInternals(problem: Problem): Problem {
  const found = INTERNAL[problem.code];
  if (found === undefined) return problem;
  const advice = 'Contact the operator of the service: its standard error has details.';
  return { code: problem.code, where: 'the service', found, advice };
}

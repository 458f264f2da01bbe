import type { AnalyzeResponse } from './protocol/analyze.js';
import type { AnalyzeV3Input, CompareV3Input, ScreenshotV1Input, ScreenshotV2Input } from './protocol/requests.js';
import type {
  CompareResponse,
  ScreenshotV1Response,
  ScreenshotV2Response,
  ServiceError,
} from './protocol/responses.js';

/** Options of a client. */
export interface ClientOptions {
  /** Base URL of the service, without `/api/…`. */
  readonly baseUrl: string;
  /** API key; required if the service has keys. */
  readonly key?: string;
  /** Header of the key. @default `x-serviceapi-key` */
  readonly keyHeader?: string;
  /** Time limit of one attempt, in milliseconds. @default 120,000 */
  readonly timeoutMs?: number;
  /** Maximum number of retries after status 429 or 503. @default 3 */
  readonly retries?: number;
  /** Maximum wait before a retry, in milliseconds. A longer `Retry-After` ends the retries. @default 60,000 */
  readonly maxWaitMs?: number;
  /** Sends requests. @default the global `fetch` */
  readonly fetch?: typeof fetch;
}

/** Calls the capture service. Each method rejects with a `ServiceClientError`, or with the reason of its signal. */
export interface ServiceClient {
  /** Captures a page into a file. */
  screenshot(request: ScreenshotV1Input, options?: CallOptions): Promise<ScreenshotV1Response>;
  /** Captures a page into a file, or into the response. */
  screenshotV2(request: ScreenshotV2Input, options?: CallOptions): Promise<ScreenshotV2Response>;
  /** Compares two pages, two images, or one of each. */
  compare(request: CompareV3Input, options?: CallOptions): Promise<CompareResponse>;
  /** Captures a page and analyzes it. */
  analyze(request: AnalyzeV3Input, options?: CallOptions): Promise<AnalyzeResponse>;
}

/** Creates a client of the capture service. */
export function createClient({
  baseUrl,
  key,
  keyHeader = 'x-serviceapi-key',
  timeoutMs = 120_000,
  retries = 3,
  maxWaitMs = 60_000,
  fetch: sendRequest = (input, init) => fetch(input, init),
}: ClientOptions): ServiceClient {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { [keyHeader]: key }) };
  const settings = { headers, timeoutMs, retries, maxWaitMs, sendRequest };
  const call =
    <Request extends object, Answer extends object>(path: string) =>
    (request: Request, options: CallOptions = {}) =>
      send<Answer>(baseUrl.replace(/\/+$/, '') + path, request, settings, options);
  return {
    screenshot: call('/api/v1/screenshot'),
    screenshotV2: call('/api/v2/screenshot'),
    compare: call('/api/v3/compare'),
    analyze: call('/api/v3/analyze'),
  };
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, including its waits between retries. */
  readonly signal?: AbortSignal;
}

/** Settings of all calls of a client. */
export interface SendSettings {
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly maxWaitMs: number;
  readonly sendRequest: typeof fetch;
}

/** Statuses that are retried. */
const BUSY: readonly number[] = [429, 503];

/**
 * Sends a request. Retries it after status 429 or 503, after the time in `Retry-After`.
 *
 * @throws ServiceClientError, or the reason of the signal
 */
export async function send<Answer extends object>(
  url: string,
  request: object,
  settings: SendSettings,
  { signal }: CallOptions,
): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    const sent = await sendOnce(url, request, settings, signal);
    const waitMs = retryAfterMs(sent.retryAfter, attempt);
    const isLast = attempt >= settings.retries || waitMs > settings.maxWaitMs;
    if (isLast || !BUSY.includes(sent.status)) return readAnswer<Answer>(sent);
    await pause(waitMs, signal);
  }
}

async function sendOnce(
  url: string,
  request: object,
  { headers, timeoutMs, sendRequest }: SendSettings,
  signal: AbortSignal | undefined,
): Promise<Sent> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await sendRequest(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(request),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const { status, ok } = response;
    return { status, ok, retryAfter: response.headers.get('retry-after'), text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    if (timeout.aborted)
      throw new ServiceClientError(`no response within ${timeoutMs} ms`, { status: null, code: 'timeout', cause });
    throw new ServiceClientError(`the service is not reachable: ${reasonOf(cause)}`, {
      ...{ status: null, code: 'unreachable', cause },
    });
  }
}

/** Prefers the cause: the message of the error itself is only `fetch failed`. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}

/** A received response. */
export interface Sent {
  readonly status: number;
  readonly ok: boolean;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** Parses a response. @throws ServiceClientError if the service reports an error, or the response is not the service's */
export function readAnswer<Answer extends object>({ status, ok, text }: Sent): Answer {
  if (ok) return parse<Answer>(text) ?? refuse(status);
  const { message, code, details } = parse<Partial<ServiceError>>(text) ?? {};
  if (typeof message !== 'string' || typeof code !== 'string') return refuse(status);
  throw new ServiceClientError(message, { status, code, details: Array.isArray(details) ? details : [] });
}

/** Handles responses that are not the service's, such as those of a proxy in front of it. */
function refuse(status: number): never {
  const message = `the response (HTTP ${status}) is not from a capture service`;
  throw new ServiceClientError(message, { status, code: 'unreadable' });
}

function parse<T extends object>(text: string): T | null {
  try {
    const value: T = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/**
 * Returns the wait before the next attempt, in milliseconds: the `Retry-After` time (seconds or a date), otherwise
 * 500 * 2 ** attempt.
 *
 * @param attempt number of earlier attempts.
 */
export function retryAfterMs(header: string | null, attempt: number, now: number = Date.now()): number {
  const value = header?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = /^[a-z]{3}.* gmt$/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? 500 * 2 ** attempt : Math.max(0, date - now);
}

/** A failed call of the capture service. */
export class ServiceClientError extends Error {
  override readonly name = 'ServiceClientError';
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
  /** Error code: a code of the service, `unreachable`, `timeout` or `unreadable`. */
  readonly code: string;
  /** One entry per problem; `where` names the request field. */
  readonly details: ServiceError['details'];

  constructor(
    message: string,
    {
      status,
      code,
      details = [],
      cause,
    }: Partial<Pick<ServiceError, 'details'>> & {
      readonly status: number | null;
      readonly code: string;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

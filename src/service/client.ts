import type { AnalyzeV3Input, CompareV3Input, ScreenshotV1Input, ScreenshotV2Input } from './protocol/requests.js';
import type {
  AnalyzeResponse,
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

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, including its waits between retries. */
  readonly signal?: AbortSignal;
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

interface Failure extends Partial<Pick<ServiceError, 'details'>> {
  readonly status: number | null;
  readonly code: string;
  readonly cause?: unknown;
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

  constructor(message: string, { status, code, details = [], cause }: Failure) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Creates a client of the capture service. */
export function createClient(options: ClientOptions): ServiceClient {
  const { baseUrl, retries = 3, maxWaitMs = 60_000 } = options;
  const call =
    <Request extends object, Answer extends object>(path: string) =>
    async (request: Request, { signal }: CallOptions = {}): Promise<Answer> => {
      for (let attempt = 0; ; attempt++) {
        signal?.throwIfAborted();
        const { response, text } = await send(baseUrl.replace(/\/+$/, '') + path, request, options, signal);
        const waitMs = retryAfterMs(response.headers.get('retry-after'), attempt);
        const isBusy = response.status === 429 || response.status === 503;
        if (!isBusy || attempt >= retries || waitMs > maxWaitMs) return readAnswer<Answer>(response, text);
        await pause(waitMs, signal);
      }
    };
  return {
    screenshot: call('/api/v1/screenshot'),
    screenshotV2: call('/api/v2/screenshot'),
    compare: call('/api/v3/compare'),
    analyze: call('/api/v3/analyze'),
  };
}

async function send(url: string, request: object, options: ClientOptions, signal?: AbortSignal) {
  const { key, keyHeader = 'x-serviceapi-key', timeoutMs = 120_000, fetch: sendRequest = fetch } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await sendRequest(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== undefined && { [keyHeader]: key }) },
      body: JSON.stringify(request),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    return { response, text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    if (timeout.aborted)
      throw new ServiceClientError(`no response within ${timeoutMs} ms`, { status: null, code: 'timeout', cause });
    // The message of the error itself is only `fetch failed`.
    const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    const words = reason instanceof Error ? reason.message || reason.name : String(reason);
    const message = `the service is not reachable: ${words}`;
    throw new ServiceClientError(message, { status: null, code: 'unreachable', cause });
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
  });
}

/** Parses a response. @throws ServiceClientError if the service reports an error, or the response is not the service's */
function readAnswer<Answer extends object>({ status, ok }: Response, text: string): Answer {
  let answer: (Answer & Partial<ServiceError>) | null = null;
  try {
    answer = JSON.parse(text);
  } catch {
    // The response may come from a proxy in front of the service.
  }
  if (ok && answer && typeof answer === 'object') return answer;
  if (!ok && typeof answer?.message === 'string' && typeof answer.code === 'string') {
    const { message, code, details } = answer;
    throw new ServiceClientError(message, { status, code, details: Array.isArray(details) ? details : [] });
  }
  const message = `the response (HTTP ${status}) is not from a capture service`;
  throw new ServiceClientError(message, { status, code: 'unreadable' });
}

/** Returns the wait before the next attempt, in milliseconds: the seconds of `Retry-After`, otherwise 500 * 2 ** attempt. */
export function retryAfterMs(header: string | null, attempt: number): number {
  return /^\s*\d+\s*$/.test(header ?? '') ? Number(header) * 1000 : 500 * 2 ** attempt;
}

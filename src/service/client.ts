import type { AnalyzeResponse } from '../model/service/analyze.js';
import type {
  AnalyzeV3Input,
  CompareV3Input,
  ScreenshotV1Input,
  ScreenshotV2Input,
} from '../model/service/requests.js';
import type {
  CompareResponse,
  ScreenshotV1Response,
  ScreenshotV2Response,
  ServiceError,
} from '../model/service/responses.js';

/** Where a service is, and how it is asked. */
export interface ClientOptions {
  /** Its address, without `/api/…`. */
  readonly baseUrl: string;
  /** The key to send, where the service has keys. */
  readonly key?: string;
  /** The header that the key goes in; default: `x-serviceapi-key`. */
  readonly keyHeader?: string;
  /** How long one attempt may take; default: 120,000. */
  readonly timeoutMs?: number;
  /** How often a request is sent again that the service had no room for (429, 503); default: 3. */
  readonly retries?: number;
  /** The longest that is waited before a request is sent again, whatever the service says; default: 60,000. */
  readonly maxWaitMs?: number;
  /** Sends a request; default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** The four calls of the capture service. Each rejects with a `ServiceClientError`, or with the reason of its signal. */
export interface ServiceClient {
  /** Captures a page into a file. */
  screenshot(request: ScreenshotV1Input, options?: CallOptions): Promise<ScreenshotV1Response>;
  /** Captures a page into a file, or into the answer. */
  screenshotV2(request: ScreenshotV2Input, options?: CallOptions): Promise<ScreenshotV2Response>;
  /** Compares two pages, two images, or one of each. */
  compare(request: CompareV3Input, options?: CallOptions): Promise<CompareResponse>;
  /** Captures a page, and tells what can be measured of it. */
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
  fetch: ask = (input, init) => fetch(input, init),
}: ClientOptions): ServiceClient {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { [keyHeader]: key }) };
  const settings = { headers, timeoutMs, retries, maxWaitMs, ask };
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

/** What holds for one call. */
export interface CallOptions {
  /** Ends it, waiting included. */
  readonly signal?: AbortSignal;
}

/** What holds for all calls of a client. */
export interface SendSettings {
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly maxWaitMs: number;
  readonly ask: typeof fetch;
}

/** No room now: these are worth another attempt. */
const BUSY: readonly number[] = [429, 503];

/**
 * Sends a request, and sends it again where the service has no room for it, when it said that it will.
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
  { headers, timeoutMs, ask }: SendSettings,
  signal: AbortSignal | undefined,
): Promise<Sent> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await ask(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(request),
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    const { status, ok } = response;
    return { status, ok, retryAfter: response.headers.get('retry-after'), text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    if (late.aborted)
      throw new ServiceClientError(`no answer within ${timeoutMs} ms`, { status: null, code: 'timeout', cause });
    throw new ServiceClientError(`the service cannot be reached: ${reasonOf(cause)}`, {
      ...{ status: null, code: 'unreachable', cause },
    });
  }
}

/** `fetch failed` says nothing; its cause does. */
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

/** What came back. */
export interface Sent {
  readonly status: number;
  readonly ok: boolean;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** Reads an answer. @throws ServiceClientError where the service did not do what it was asked to */
export function readAnswer<Answer extends object>({ status, ok, text }: Sent): Answer {
  if (ok) return parse<Answer>(text) ?? refuse(status);
  const { message, code, details } = parse<Partial<ServiceError>>(text) ?? {};
  if (typeof message !== 'string' || typeof code !== 'string') return refuse(status);
  throw new ServiceClientError(message, { status, code, details: Array.isArray(details) ? details : [] });
}

/** Something that stands before the service may answer in its place. */
function refuse(status: number): never {
  const message = `the answer (HTTP ${status}) is none of the capture service's`;
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
 * Returns how long to wait before another attempt: what the service said, in seconds or as a date, else ever longer.
 *
 * @param attempt how many there were before this one.
 */
export function retryAfterMs(header: string | null, attempt: number, now: number = Date.now()): number {
  const said = header?.trim() ?? '';
  if (/^\d+$/.test(said)) return Number(said) * 1000;
  const date = /^[a-z]{3}.* gmt$/i.test(said) ? Date.parse(said) : Number.NaN;
  return Number.isNaN(date) ? 500 * 2 ** attempt : Math.max(0, date - now);
}

/** A request that the capture service did not do. */
export class ServiceClientError extends Error {
  override readonly name = 'ServiceClientError';
  /** The HTTP status; null: there was no answer. */
  readonly status: number | null;
  /** What went wrong, for programs: a code of the service, `unreachable`, `timeout` or `unreadable`. */
  readonly code: string;
  /** One for each thing that is wrong; `where` names the field of a request. */
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

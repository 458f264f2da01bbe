import { ServiceClientError } from './client-error.js';
import { readAnswer, type Sent } from './read-answer.js';
import { retryAfterMs } from './retry-after.js';

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

import type { Egress, Leave } from '../browser/egress/egress.js';
import { isAlive, type LongLivedBrowser } from '../browser/open-browser.js';
import { type CaptureRequest, captureUrl, type OpenPage } from '../core/adhoc/capture-url.js';
import type { CaptureResult } from '../model/capture.js';
import { messageOf, ProofsheetError } from '../model/errors.js';
import type { AnalyzeResponse } from '../model/service/analyze.js';
import type { LanguageModel } from '../model/service/language-model.js';
import type { AnswerCache } from './answer-cache.js';
import type { Storage } from './storage/storage.js';

/** The resources that the service shares between calls. */
export interface CallContext {
  readonly browser: LongLivedBrowser;
  readonly egress: Egress;
  readonly storage: Storage;
  /** Time limit for the capture of one page, in seconds. */
  readonly pageSeconds: number;
  /** Maximum number of pixels of all images of one comparison together. */
  readonly maxPixels: number;
  /** Writes summaries; null if none is configured. */
  readonly languageModel: LanguageModel | null;
  /** Cached analyses. */
  readonly answers: AnswerCache<AnalyzeResponse>;
}

/** One request in progress. */
export interface Call {
  /** Aborts when the client disconnects or the request times out. */
  readonly signal: AbortSignal;
  /** Returns the absolute URL of a capture link. */
  readonly urlOf: (link: string) => string;
}

/**
 * Captures a page in a new browser context. All requests of the page go through the egress proxy.
 *
 * @throws ProofsheetError if the page cannot be captured; `browser-gone` if the browser ended during the capture.
 */
export async function captureWithEgress<T>(
  request: CaptureRequest,
  { browser, egress, pageSeconds }: CallContext,
  { signal }: Call,
  inspect: (page: OpenPage, result: CaptureResult) => Promise<T>,
): Promise<T> {
  await egress.checkTarget(request.url);
  const opened = await browser.use();
  const credentials = egress.admit();
  const ended = new AbortController();
  const giveUpIfStuck = () => {
    const timer = setTimeout(() => browser.giveUp(opened.browser), CLOSE_CONTEXT_MS).unref();
    ended.signal.addEventListener('abort', () => clearTimeout(timer));
  };
  signal.addEventListener('abort', giveUpIfStuck, { once: true, signal: ended.signal });
  const fields = { ...request.fields, timeout: pageSeconds };
  try {
    return await captureUrl({ ...request, fields }, { opened, bounds: credentials.contextOptions, signal }, inspect);
  } catch (cause) {
    signal.throwIfAborted();
    // The error of a page whose browser ended equals that of an unreachable page.
    if (!(await isAlive(opened.browser))) throw browserGone(request.url);
    signal.throwIfAborted();
    throw cause instanceof ProofsheetError ? explain(cause, credentials) : interrupted(request.url, cause);
  } finally {
    ended.abort();
    credentials.end();
  }
}

/** Time that a browser has to close the context of an aborted request, in milliseconds. */
const CLOSE_CONTEXT_MS = 15_000;

/** Prefers the error of the egress proxy: the browser only knows that the connection failed. */
function explain(cause: ProofsheetError, { troubles }: Leave): ProofsheetError {
  const isConnectionError = cause.code === 'page-unreachable' || cause.code === 'page-redirected';
  return (isConnectionError && troubles().at(-1)) || cause;
}

function browserGone(where: string): ProofsheetError {
  return new ProofsheetError({
    code: 'browser-gone',
    where,
    found: 'the browser ended while the page was captured',
    advice: 'Try again: another takes its place.',
  });
}

function interrupted(where: string, cause: unknown): ProofsheetError {
  return new ProofsheetError({
    code: 'shot-interrupted',
    where,
    found: `the capture was cut short (${messageOf(cause).split('\n')[0]})`,
    advice: 'The page went away while it was captured: try it again.',
  });
}

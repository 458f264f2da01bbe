import type { Egress, Leave } from '../browser/egress/egress.js';
import { isAlive, type LongLivedBrowser } from '../browser/open-browser.js';
import { type CaptureRequest, captureUrl, type OpenPage } from '../core/adhoc/capture-url.js';
import type { CaptureResult } from '../model/capture.js';
import { messageOf, ProofsheetError } from '../model/errors.js';
import type { AnalyzeResponse } from '../model/service/analyze.js';
import type { LanguageModel } from '../model/service/language-model.js';
import type { AnswerCache } from './answer-cache.js';
import type { Storage } from './storage/storage.js';

/** What the service works with. */
export interface CallContext {
  readonly browser: LongLivedBrowser;
  readonly outside: Egress;
  readonly storage: Storage;
  /** How long the capture of one page may take, in seconds. */
  readonly pageSeconds: number;
  /** The most pixels that the images of one comparison may have together. */
  readonly maxPixels: number;
  /** What writes summaries; null: none was set. */
  readonly languageModel: LanguageModel | null;
  /** Analyses that were made before. */
  readonly answers: AnswerCache<AnalyzeResponse>;
}

/** One request, while it is answered. */
export interface Call {
  /** Aborted when its answer is not wanted any more, or its time is over. */
  readonly signal: AbortSignal;
  /** Returns the absolute URL of a link of ours. */
  readonly urlOf: (link: string) => string;
}

/**
 * Captures a page for a stranger: by the way outside that the service has, in a context of its own.
 *
 * @throws ProofsheetError: what keeps the page from being captured; `browser-gone` where its browser died meanwhile.
 */
export async function captureWithEgress<T>(
  request: CaptureRequest,
  { browser, outside, pageSeconds }: CallContext,
  { signal }: Call,
  look: (page: OpenPage, result: CaptureResult) => Promise<T>,
): Promise<T> {
  await outside.checkTarget(request.url);
  const opened = await browser.use();
  const leave = outside.admit();
  const ended = new AbortController();
  const giveUpIfStuck = () => {
    const timer = setTimeout(() => browser.giveUp(opened.browser), STUCK_MS).unref();
    ended.signal.addEventListener('abort', () => clearTimeout(timer));
  };
  signal.addEventListener('abort', giveUpIfStuck, { once: true, signal: ended.signal });
  const fields = { ...request.fields, timeout: pageSeconds };
  try {
    return await captureUrl({ ...request, fields }, { opened, bounds: leave.contextOptions, signal }, look);
  } catch (cause) {
    signal.throwIfAborted();
    // A page that lost its browser looks like one that cannot be reached.
    if (!(await isAlive(opened.browser))) throw browserGone(request.url);
    signal.throwIfAborted();
    throw cause instanceof ProofsheetError ? explain(cause, leave) : cutShort(request.url, cause);
  } finally {
    ended.abort();
    leave.end();
  }
}

/** How long a browser may take to close the context of a request that was given up. */
const STUCK_MS = 15_000;

/** A browser knows only that it did not get through; what it was not let through to, or where nobody is, was seen outside. */
function explain(cause: ProofsheetError, { troubles }: Leave): ProofsheetError {
  const isElsewhere = cause.code === 'page-unreachable' || cause.code === 'page-redirected';
  return (isElsewhere && troubles().at(-1)) || cause;
}

function browserGone(where: string): ProofsheetError {
  return new ProofsheetError({
    code: 'browser-gone',
    where,
    found: 'the browser ended while the page was captured',
    advice: 'Try again: another takes its place.',
  });
}

function cutShort(where: string, cause: unknown): ProofsheetError {
  return new ProofsheetError({
    code: 'shot-interrupted',
    where,
    found: `the capture was cut short (${messageOf(cause).split('\n')[0]})`,
    advice: 'The page went away while it was captured: try it again.',
  });
}

import { solidColor } from '../../image/index.js';
import {
  type Capture,
  type CaptureResult,
  ProofsheetError,
  type Warning,
  withoutCredentials,
} from '../../model/index.js';
import { createLongLivedBrowser, isAlive, isAt, openBrowser, readDocument } from '../../page/index.js';
import { browserGone, interrupted, type Page } from '../../shot/index.js';
import { inspectPage, type PageWatch, watchPage } from '../analysis/inspect-page.js';
import { type EgressSession, type EgressSettings, openEgress } from '../egress/egress.js';
import type { PageFindings } from '../protocol/analyze.js';
import { type CaptureRequest, captureUrl, unstableError, withUrlAdvice } from './capture-url.js';

/** The allowed addresses, the launch flags, and the time limits of a capture browser. */
export interface CaptureBrowserSettings extends EgressSettings {
  /** Time limit of a request in seconds. A capture gets {@link PAGE_SHARE} of it. */
  readonly timeout: number;
}

/** A page to capture: its URL and its fields. */
export interface PageRequest extends Pick<CaptureRequest, 'url' | 'fields'> {
  /** Whether to read the document as HTML too. */
  readonly html: boolean;
}

/** A captured page. Redirects and images that did not become stable are warnings. */
export interface CapturedPage {
  readonly capture: Capture;
  readonly warnings: readonly Warning[];
  /** The document; null if it was not requested. */
  readonly html: string | null;
}

/** A captured page with the measurements of its content. */
export interface InspectedPage extends CapturedPage {
  readonly findings: PageFindings;
  /** The image has a single color; null if the quality was not requested. */
  readonly isSolid: boolean | null;
}

/** A browser for pages of clients that are not trusted. All its requests go through the egress proxy. */
export interface CaptureBrowser {
  /** Launches the browser before the first capture. @throws ProofsheetError `browser-missing` */
  start(): Promise<void>;
  /** Captures a page that answers with a success status. @throws ProofsheetError if it cannot be captured */
  capture(request: PageRequest, signal: AbortSignal): Promise<CapturedPage>;
  /** Captures and measures a page. Accepts every HTTP status and blank pages: the findings contain them. */
  inspect(request: PageRequest, quality: boolean, signal: AbortSignal): Promise<InspectedPage>;
  /** Fetches as `fetch` does, from allowed addresses only, and follows no redirects. */
  fetch(url: string, init: { readonly signal: AbortSignal }): Promise<Response>;
  /** Returns how many browsers were launched so far. */
  launches(): number;
  close(): Promise<void>;
}

/** Share of the request time that a capture may take. Below 1, so that the capture reports what it waited for. */
const PAGE_SHARE = 0.9;

/** Time limit for the inspection of an open page, in milliseconds. */
const INSPECT_MS = 20_000;

/** Time that a browser has to close the context of an aborted capture, in milliseconds. */
const CLOSE_CONTEXT_MS = 15_000;

/** Playwright does not close the browser on a signal: captures in progress end first. */
const IGNORE_SIGNALS = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };

/** Opens the egress proxy. `start()` or the first capture launches the browser, and again after it ended. */
export async function openCaptureBrowser({ timeout, ...rules }: CaptureBrowserSettings): Promise<CaptureBrowser> {
  const egress = await openEgress(rules);
  const launch = () => openBrowser({ ...egress.launchOptions, ...IGNORE_SIGNALS });
  const browser = createLongLivedBrowser(launch, timeout * 1000);

  const captureInSession = async <T>(
    request: CaptureRequest,
    signal: AbortSignal,
    read: (page: Page, result: CaptureResult) => Promise<T>,
  ): Promise<T> => {
    await egress.checkTarget(request.url);
    const opened = await browser.use();
    const session = egress.openSession();
    const ended = new AbortController();
    const giveUpIfStuck = () => {
      const timer = setTimeout(() => browser.giveUp(opened.browser), CLOSE_CONTEXT_MS).unref();
      ended.signal.addEventListener('abort', () => clearTimeout(timer));
    };
    signal.addEventListener('abort', giveUpIfStuck, { once: true, signal: ended.signal });
    const limited = { ...request, fields: { ...request.fields, timeout: PAGE_SHARE * timeout } };
    try {
      return await captureUrl(limited, { opened, bounds: session.contextOptions, signal }, read);
    } catch (cause) {
      signal.throwIfAborted();
      // The error of a page whose browser ended equals that of an unreachable page.
      if (!(await isAlive(opened.browser))) throw withUrlAdvice(browserGone(request.url));
      signal.throwIfAborted();
      throw cause instanceof ProofsheetError ? preferEgressError(cause, session) : interrupted(request.url, cause);
    } finally {
      ended.abort();
      session.close();
    }
  };

  return {
    async start() {
      await browser.use();
    },
    capture: ({ html, ...request }, signal) => {
      const accepts = { anyStatus: false, anyAddress: true };
      return captureInSession({ ...request, accepts }, signal, (page, result) =>
        readPage(page, result, request.url, html),
      );
    },
    async inspect({ html, ...request }, quality, signal) {
      let watch: PageWatch | null = null;
      const onPageCreated = (page: Page) => {
        watch = watchPage(page);
      };
      const accepts = { anyStatus: true, anyAddress: true, solidColor: true };
      const inspected = await captureInSession({ ...request, accepts, onPageCreated }, signal, async (page, result) => {
        const captured = await readPage(page, result, request.url, html);
        const findings = await inspectPage(page, watch ?? watchPage(page), { quality, capMs: INSPECT_MS });
        return { ...captured, findings };
      });
      const isSolid = quality ? (await solidColor(inspected.capture.image)) !== null : null;
      return { ...inspected, isSolid };
    },
    fetch: egress.fetch,
    launches: browser.launches,
    async close() {
      await browser.close();
      await egress.close();
    },
  };
}

async function readPage(page: Page, result: CaptureResult, url: string, html: boolean): Promise<CapturedPage> {
  return {
    capture: result.capture,
    warnings: warningsOf(page, url, result),
    html: html ? await readDocument(page) : null,
  };
}

function warningsOf(page: Page, url: string, result: CaptureResult): Warning[] {
  const redirected = isAt(page, url)
    ? []
    : [{ code: 'page-redirected', message: `the page was redirected to ${withoutCredentials(page.url())}` }];
  const unstablePage =
    result.kind === 'settled' ? [] : [{ code: 'page-unstable', message: unstableError(result).problem.found }];
  const captureWarnings = result.capture.warnings.map(({ code, message }) => ({
    code,
    message: withoutCredentials(message),
  }));
  return [...redirected, ...unstablePage, ...captureWarnings];
}

/** Prefers the error of the egress proxy: the browser only knows that the connection failed. */
function preferEgressError(cause: ProofsheetError, session: EgressSession): ProofsheetError {
  const isConnectionError = cause.code === 'page-unreachable' || cause.code === 'page-redirected';
  return (isConnectionError && session.errors().at(-1)) || cause;
}

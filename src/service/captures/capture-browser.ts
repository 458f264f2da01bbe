import { type CaptureResult, ProofsheetError, withoutCredentials } from '../../model/index.js';
import { createLongLivedBrowser, isAlive, isAt, openBrowser } from '../../page/index.js';
import { browserGone, interrupted, type Page } from '../../shot/index.js';
import { inspectPage, type PageWatch, watchPage } from '../analysis/inspect-page.js';
import { type EgressSettings, openEgress } from '../egress/egress.js';
import { type CaptureRequest, captureUrl, unstableError, withUrlAdvice } from './capture-url.js';

interface PageRequest extends Pick<CaptureRequest, 'url' | 'fields'> {
  /** Whether to read the document as HTML too. */
  readonly html: boolean;
}

/** A browser for pages of clients that are not trusted. All its requests go through the egress proxy. */
export type CaptureBrowser = Awaited<ReturnType<typeof openCaptureBrowser>>;

/** Share of the request time that a capture may take, so that the capture reports what it waited for. */
const PAGE_SHARE = 0.9;

/** Time that a browser has to close the context of an aborted capture, in milliseconds. */
const CLOSE_CONTEXT_MS = 15_000;

/** Playwright does not close the browser on a signal: captures in progress end first. */
const IGNORE_SIGNALS = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };

/** Opens the egress proxy. `start()` or the first capture launches the browser, and again after it ended. `timeout` is in seconds. */
export async function openCaptureBrowser({ timeout, ...settings }: EgressSettings & { readonly timeout: number }) {
  const egress = await openEgress(settings);
  const launch = () => openBrowser({ ...egress.launchOptions, ...IGNORE_SIGNALS });
  const browser = createLongLivedBrowser(launch, timeout * 1000);

  const captureInSession = async <T>(
    request: CaptureRequest,
    signal: AbortSignal,
    read: (page: Page, result: CaptureResult) => Promise<T>,
  ): Promise<T> => {
    await egress.checkTarget(request.url);
    const opened = await browser.use();
    const session = await egress.openSession();
    let stuck: NodeJS.Timeout | undefined;
    const giveUpIfStuck = () => {
      stuck = setTimeout(() => browser.giveUp(opened.browser), CLOSE_CONTEXT_MS).unref();
    };
    signal.addEventListener('abort', giveUpIfStuck, { once: true });
    const limited = { ...request, fields: { ...request.fields, timeout: PAGE_SHARE * timeout } };
    try {
      return await captureUrl(limited, { opened, bounds: session.contextOptions, signal }, read);
    } catch (cause) {
      signal.throwIfAborted();
      // The error of a page whose browser ended equals that of an unreachable page.
      if (!(await isAlive(opened.browser))) throw withUrlAdvice(browserGone(request.url));
      if (!(cause instanceof ProofsheetError)) throw interrupted(request.url, cause);
      // The browser only knows that the connection failed.
      const isConnectionError = cause.code === 'page-unreachable' || cause.code === 'page-redirected';
      throw (isConnectionError && session.lastError()) || cause;
    } finally {
      signal.removeEventListener('abort', giveUpIfStuck);
      clearTimeout(stuck);
      session.close();
    }
  };

  return {
    /** Launches the browser before the first capture. @throws ProofsheetError `browser-missing` */
    async start() {
      await browser.use();
    },
    /** Captures a page that answers with a success status. @throws ProofsheetError if it cannot be captured */
    capture(request: PageRequest, signal: AbortSignal) {
      const accepts = { anyStatus: false, anyAddress: true };
      return captureInSession({ ...request, accepts }, signal, (page, result) => readPage(page, result, request));
    },
    /** Captures and measures a page. Accepts every HTTP status and blank pages: the findings contain them. */
    inspect(request: PageRequest, quality: boolean, signal: AbortSignal) {
      let watch: PageWatch | null = null;
      const onPageCreated = (page: Page) => {
        watch = watchPage(page);
      };
      const accepts = { anyStatus: true, anyAddress: true, solidColor: true };
      return captureInSession({ ...request, accepts, onPageCreated }, signal, async (page, result) => ({
        ...(await readPage(page, result, request)),
        findings: await inspectPage(page, watch ?? watchPage(page), quality),
      }));
    },
    fetch: egress.fetch,
    /** Returns how many browsers were launched so far. */
    launches: browser.launches,
    async close() {
      await browser.close();
      await egress.close();
    },
  };
}

/** Redirects and images that did not become stable are warnings. `html` is null if it was not requested. */
async function readPage(page: Page, { kind, capture }: CaptureResult, { url, html }: PageRequest) {
  const warnings = [...capture.warnings];
  if (kind === 'unstable') warnings.unshift({ code: 'page-unstable', message: unstableError(capture).problem.found });
  if (!isAt(page, url))
    warnings.unshift({ code: 'page-redirected', message: `the page was redirected to ${page.url()}` });
  return {
    capture,
    warnings: warnings.map(({ code, message }) => ({ code, message: withoutCredentials(message) })),
    html: html ? await page.content() : null,
  };
}

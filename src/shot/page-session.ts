import { describeDefect, inspectFile } from '../image/index.js';
import {
  type CaptureResult,
  type CaptureSettings,
  type Emulation,
  type EncodedImage,
  firstLineOf,
  messageOf,
  ProofsheetError,
  type Target,
} from '../model/index.js';
import {
  type CaptureOptions,
  type ControlledPage,
  captureFailure,
  captureOpenPage,
  capturePage,
  createStopwatch,
  findMatches,
  isAlive,
  type LaunchedBrowser,
  liveDuring,
  type Match,
  openContext,
  openControlledPage,
} from '../page/index.js';

type Browser = LaunchedBrowser['browser'];
export type Page = Parameters<typeof capturePage>[0];

/** A page that was acquired for one capture. */
export interface AcquiredPage {
  readonly page: Page;
  /** Null if nothing of the page is controlled. */
  readonly controlled: ControlledPage | null;
  release(): Promise<void>;
}

/** The error of a page that could not be captured, and what the page shows instead. */
export class PageFailure extends ProofsheetError {
  constructor(
    problem: ProofsheetError['problem'],
    readonly image: EncodedImage,
  ) {
    super(problem);
  }
}

interface PageCapture {
  readonly target: Target;
  readonly settings: CaptureSettings;
  readonly options: Omit<CaptureOptions, 'readImage' | 'controlled'>;
  /** Takes an image of a page that cannot be captured as asked. @default false */
  readonly capturesFailure?: boolean;
}

/**
 * Acquires a page without state of other captures, captures it, and releases it. Every page that proofsheet opens, for the plugin,
 * the commands and the service, goes through this function. {@link openedPage} captures pages that a test opened.
 *
 * @param inspect - reads further data from the captured page before it is released
 * @throws ProofsheetError if the page cannot be captured; {@link PageFailure} with its image, if there is one
 */
export async function captureAcquired<T>(
  acquire: () => Promise<AcquiredPage>,
  { target, settings, options, capturesFailure = false }: PageCapture,
  inspect: (page: Page, result: CaptureResult) => Promise<T>,
): Promise<T> {
  const { page, controlled, release } = await acquire();
  try {
    const captured = capturePage(page, target, settings, { ...options, controlled, readImage });
    const result = await captured.catch(async (cause: unknown) => {
      if (!capturesFailure || !(cause instanceof ProofsheetError)) throw cause;
      const bytes = await captureFailure(page, controlled, settings, cause.code);
      throw bytes ? new PageFailure(cause.problem, await readImage(bytes)) : cause;
    });
    return await inspect(page, result);
  } finally {
    await release();
  }
}

async function readImage(bytes: Buffer): Promise<EncodedImage> {
  const inspection = await inspectFile(bytes);
  if (inspection.kind === 'image') return inspection.image;
  const tooLarge = inspection.kind === 'too-large';
  throw new ProofsheetError({
    code: tooLarge ? 'image-too-large' : 'image-damaged',
    where: 'the screenshot',
    found: describeDefect(inspection, 'the image from the browser', 'PNG, JPEG, WebP or PDF').found,
    advice: tooLarge ? 'Capture only the viewport (`fullSize: false`), or a smaller page.' : 'Try again.',
  });
}

/** A page of a shot: the one to test, or in a two-state shot the one before the change. */
export interface PageRequest {
  readonly target: Target;
  readonly settings: CaptureSettings;
  readonly emulation: Emulation;
  readonly timeoutMs: number;
  /** Origin of the page to test. A page before the change gets the credentials of the project only if it has the same one. */
  readonly origin: string;
}

/** What a capture needs to know. If `isExpected` returns true for an image, no further image is needed. */
type CaptureRequest = Required<Pick<CaptureOptions, 'structure' | 'stopwatch'>> &
  Pick<CaptureOptions, 'isExpected' | 'texts' | 'knownTexts' | 'takeParameters' | 'recordLoad'>;

export interface ShotPages {
  capture(page: PageRequest, request: CaptureRequest): Promise<CaptureResult>;
  /** Each capture loads the page. False if the test opened it. */
  readonly canReload: boolean;
}

/** What Playwright records of a test. */
export interface Recording {
  /** A trace, which must show each step. */
  readonly trace: boolean;
  /** A screenshot of each page when it closes. It is kept if the test fails, or always. */
  readonly screenshot: boolean;
}

interface PagesOptions {
  /** Launches the browser, unless it runs. It is called for the first capture. */
  readonly open: () => Promise<LaunchedBrowser>;
  /** Runs calls on pages of a browser without reporting them as steps of the test. */
  readonly callQuietly: <T>(browser: Browser, work: () => Promise<T>) => Promise<T>;
  readonly recording: Recording;
  /** The source maps that the pages of a list share. */
  readonly sourceMaps: NonNullable<CaptureOptions['sourceMaps']>;
}

export type Pages = ReturnType<typeof createPages>;

/** Creates what opens the pages of shots. Each load has a context of its own: no state of other pages, loads or sides reaches it. */
export function createPages({ open, callQuietly, recording, sourceMaps }: PagesOptions) {
  const closing: Promise<void>[] = [];
  const call = <T>(browser: Browser, work: () => Promise<T>) => (recording.trace ? work() : callQuietly(browser, work));
  const acquire = async (
    { target, emulation, origin }: PageRequest,
    { browser, control }: LaunchedBrowser,
  ): Promise<AcquiredPage> => {
    const openNew = () => openContext(browser, emulation, target, new URL(target.url).origin !== origin);
    const { page, controlled } = await openControlledPage(browser, control, openNew);
    const close = async () => void (await page.context().close().catch(messageOf));
    // Playwright's screenshot needs frames.
    const end = () => (controlled && recording.screenshot ? liveDuring(controlled, close) : close());
    return { page, controlled, release: async () => void closing.push(call(browser, end)) };
  };
  const captureIn = async <T>(
    asked: PageRequest,
    request: CaptureRequest,
    inspect: (page: Page, result: CaptureResult) => Promise<T>,
  ): Promise<T> => {
    const { target, settings, timeoutMs } = asked;
    const launched = await open();
    const options = { ...request, timeoutMs, sourceMaps };
    const capture = { target, settings, options, capturesFailure: true };
    const acquireInTime = () => request.stopwatch.time('queue', acquire(asked, launched));
    const captured = call(launched.browser, () => captureAcquired(acquireInTime, capture, inspect));
    return captured.catch(async (cause: unknown) => {
      if (mayBeGone(cause) && !(await isAlive(launched.browser))) throw browserGone(target.url);
      throw nameRefusingHost(cause, target);
    });
  };
  return {
    capture: (asked: PageRequest, request: CaptureRequest) => captureIn(asked, request, async (_, result) => result),
    canReload: true,
    findMatches(asked: PageRequest, byIndex: boolean): Promise<Match[]> {
      const { settings } = asked;
      const whole = { ...asked, settings: { ...settings, element: null, fullSize: true } };
      const request = { isExpected: () => true, structure: null, stopwatch: createStopwatch() };
      return captureIn(whole, request, (page) => findMatches(page, settings.element ?? 'body', byIndex));
    },
    /** Playwright reads all open pages of a recorded test, when they close or at its end. Otherwise, they close in the background. */
    async end(): Promise<void> {
      if (recording.trace || recording.screenshot) await Promise.all(closing);
    },
  };
}

/** The error of a page whose browser ended can be that of an unreachable page. */
function mayBeGone(cause: unknown): boolean {
  return !(cause instanceof ProofsheetError) || cause.code === 'page-unreachable';
}

/** Chromium may crash together with a renderer that runs out of memory. */
export function browserGone(where: string): ProofsheetError {
  return new ProofsheetError({
    code: 'browser-gone',
    where,
    found: 'the browser closed during the capture',
    advice: 'The page may need more memory than is available. Run it alone with --workers=1.',
  });
}

/** Returns the error for a capture that ended with an error of Playwright. Only a page that closed explains such an error. */
export function interrupted(where: string, cause: unknown): ProofsheetError {
  const message = firstLineOf(cause);
  return new ProofsheetError({
    code: 'shot-interrupted',
    where,
    found: `the capture was interrupted (${message})`,
    advice: PAGE_CLOSED.test(message)
      ? 'The page closed during the capture. Try again.'
      : 'Report this as a bug of proofsheet, with the output of: npx proofsheet doctor',
  });
}

/** The words of Playwright for a page, a context or a browser that closed or crashed, or that it closed at the end of a test. */
const PAGE_CLOSED = /\bclosed\b|\bcrash(ed)?\b|\bTest ended\b|\bTest timeout\b/i;

/** All shots of a host that refuses have one text, except for the page: the summary of the run shows it once. */
export function nameRefusingHost(
  cause: unknown,
  { url, baseURLSource }: Pick<Target, 'url' | 'baseURLSource'>,
): unknown {
  const isRefused =
    cause instanceof ProofsheetError && cause.code === 'page-unreachable' && REFUSED.test(cause.message);
  if (!isRefused) return cause;
  return new ProofsheetError({
    code: 'page-unreachable',
    where: url,
    found: `${new URL(url).origin} refused the connection`,
    advice: `Is the server running?${baseURLSource === undefined ? '' : ` baseURL is set in ${baseURLSource}.`}`,
  });
}

/** The words of Chromium, Firefox and WebKit. */
const REFUSED = /ERR_CONNECTION_REFUSED|NS_ERROR_CONNECTION_REFUSED|Connection refused|Could not connect/i;

/** Returns the page that a test has opened, or one element of it. */
export function openedPage(subject: Parameters<typeof captureOpenPage>[0]): ShotPages {
  return {
    capture: ({ settings, timeoutMs }, request) =>
      captureOpenPage(subject, settings, { ...request, timeoutMs, readImage }),
    canReload: false,
  };
}

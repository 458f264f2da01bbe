import type { LaunchedBrowser } from '../../browser/launch.js';
import { isAlive } from '../../browser/open-browser.js';
import { createPagePool, type PagePool } from '../../browser/page-pool.js';
import type { Stopwatch } from '../../browser/timing.js';
import { type CaptureOptions, captureOpenPage, capturePage } from '../../capture/capture-page.js';
import { describeDefect, inspectFile } from '../../image/inspect-file.js';
import type { CaptureResult } from '../../model/capture.js';
import type { CaptureTime } from '../../model/environment.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import type { EncodedImage } from '../../model/image.js';
import type { Shot, Target } from '../../model/shot.js';
import type { StructureRequest } from '../../model/structure.js';
import type { PageRules } from './page-rules.js';

/** A running browser. */
export type Browser = LaunchedBrowser['browser'];

/** A page of a browser. */
export type Page = Parameters<typeof capturePage>[0];

/** A page that was acquired for one capture. */
export interface AcquiredPage {
  readonly page: Page;
  /** The state that the pool keeps for a page of several captures. */
  readonly state?: CaptureOptions['state'];
  /** Releases the page. A page whose capture failed must not be used again. */
  release(isCaptured: boolean): Promise<void>;
}

/** What to capture, and how. */
export interface PageCapture {
  readonly target: Target;
  readonly settings: Shot['capture'];
  readonly options: Omit<CaptureOptions, 'readImage' | 'state'>;
}

/**
 * Runs the lifecycle of a page: acquires it, captures it, and releases it. Every page that proofsheet opens, for the plugin,
 * the commands and the service, goes through this function. {@link captureOpened} captures pages that a test opened.
 *
 * @param acquire - returns a page without state of other captures
 * @param inspect - reads further data from the captured page before it is released
 * @throws ProofsheetError if the page cannot be captured
 */
export async function captureAcquired<T>(
  acquire: () => Promise<AcquiredPage>,
  { target, settings, options }: PageCapture,
  inspect: (page: Page, result: CaptureResult) => Promise<T>,
): Promise<T> {
  const { page, state, release } = await acquire();
  let isCaptured = false;
  try {
    const result = await capturePage(page, target, settings, { ...options, ...(state && { state }), readImage });
    isCaptured = true;
    return await inspect(page, result);
  } finally {
    await release(isCaptured);
  }
}

/** Reads the image header of a captured image. @throws ProofsheetError `image-damaged`, `image-too-large` */
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

/** Captures one side of a shot. If `isExpected` returns true for an image, no further image is needed. */
export type CaptureFunction = (request: {
  readonly timeoutMs: number;
  readonly isExpected: (bytes: Buffer) => boolean;
  readonly time: CaptureTime;
  /** Asks for the structure of the page; null: it is not read. */
  readonly structure: StructureRequest | null;
  /** The page is loaded in a new context, without anything that an earlier load left behind. */
  readonly isFresh: boolean;
  readonly stopwatch: Stopwatch;
}) => Promise<CaptureResult>;

/** The capture functions of both sides. `before` is null if the capture is compared with the baseline on disk. */
export interface CaptureFunctions {
  readonly after: CaptureFunction;
  readonly before: CaptureFunction | null;
  /** Each capture loads the page. False if the test opened it. */
  readonly canReload: boolean;
}

/**
 * Options of a load that confirms another one. It waits longer for responses. Each response is delayed, so that a script that races with
 * it always runs first. Animations are held until the page is loaded, so that a slow script does not miss their end.
 */
const CONFIRMING_LOAD = { patience: 'long', networkDelayMs: 50, holdsAnimations: true } as const;

/** The capture functions of one shot, and the cleanup of their pages. */
export interface PageSession {
  readonly captureFunctions: CaptureFunctions;
  /**
   * Ends the session; call it after the last capture. Captured pages are reset or closed in the background. `end` waits for
   * that only if the test is recorded, because Playwright then reads all open pages at the end of the test.
   */
  end(): Promise<void>;
  /** Closes all pages of the pool, and waits for that as `end` does. Call it after a failure. */
  closePages(): Promise<void>;
}

/** Provides the pages for the shots of one list. */
export interface Pages {
  /**
   * @param open - launches the browser, unless it runs. It is called for the first capture
   * @param recordLoad - receives the requests of each load of the page
   */
  begin(
    open: () => Promise<LaunchedBrowser>,
    shot: Shot,
    rules: PageRules,
    recordLoad?: CaptureOptions['recordLoad'],
  ): PageSession;
}

/**
 * Creates the page pools that all shots of a list share in one worker: one for each browser.
 *
 * @param callQuietly - runs calls on pages of a browser without reporting them as steps of the test
 */
export function createPages(callQuietly: <T>(browser: Browser, work: () => Promise<T>) => Promise<T>): Pages {
  const pools = new WeakMap<Browser, PagePool>();
  const longPolls: CaptureOptions['longPolls'] = new Map();
  const sourceMaps: NonNullable<CaptureOptions['sourceMaps']> = new Map();
  return {
    begin(open, shot, { kind, isRecorded }, recordLoad) {
      const used = new Map<Browser, PagePool>();
      const poolOf = (launched: LaunchedBrowser) => {
        const { browser } = launched;
        const pool = pools.get(browser) ?? createPagePool(launched);
        pools.set(browser, pool);
        used.set(browser, pool);
        return pool;
      };
      const pendingReleases: Promise<void>[] = [];
      // A recording must show each step.
      const call = <T>(browser: Browser, work: () => Promise<T>) => (isRecorded ? work() : callQuietly(browser, work));
      const acquire = async (pool: PagePool, target: Target, isShared: boolean): Promise<AcquiredPage> => {
        const crossOrigin = new URL(target.url).origin !== new URL(shot.after.url).origin;
        const required = { emulation: shot.emulation, target, crossOrigin, kind: isShared ? kind : null };
        const page = await pool.take(required);
        return {
          page,
          state: pool.stateOf(page),
          // The page of a failed capture stays in use until `closePages`: its state is unknown.
          release: async (isCaptured) => void (isCaptured && pendingReleases.push(pool.giveBack(page))),
        };
      };
      // Each side has a separate page. No state of other pages or of the other side reaches it.
      const captureFunctionOf = (target: Target): CaptureFunction => {
        return async ({ isFresh, ...request }) => {
          const launched = await open();
          const { browser, drawsBeyondWindow, isHeaded } = launched;
          const pool = poolOf(launched);
          const options = {
            ...{ ...request, longPolls, sourceMaps, drawsBeyondWindow, isSeen: isRecorded || isHeaded === true },
            ...(isFresh && CONFIRMING_LOAD),
            // A load that another one must confirm does not pay for its structure, unless the page is unstable.
            ...(launched.controlsFrames
              ? { time: 'real' as const }
              : !isFresh && { structure: ifUnstable(request.structure) }),
            ...(recordLoad && { recordLoad }),
          };
          // A page whose time is controlled has other scripts.
          const isShared = !isFresh && request.time === 'real';
          const capture = { target, settings: shot.capture, options };
          const captured = call(browser, () =>
            captureAcquired(
              () => request.stopwatch.time('queue', acquire(pool, target, isShared)),
              capture,
              async (_, result) => result,
            ),
          );
          return captured.catch(async (cause: unknown) => {
            if (mayBeGone(cause) && !(await isAlive(browser))) throw browserGone(target.url);
            throw nameRefusingHost(cause, target);
          });
        };
      };
      return {
        captureFunctions: {
          after: captureFunctionOf(shot.after),
          before: shot.before && captureFunctionOf(shot.before),
          canReload: true,
        },
        async end() {
          if (isRecorded) await Promise.all(pendingReleases);
        },
        async closePages() {
          const closed = Promise.all(Array.from(used, ([browser, pool]) => call(browser, pool.close)));
          if (isRecorded) await closed;
          else closed.catch(messageOf);
        },
      };
    },
  };
}

function ifUnstable(request: StructureRequest | null): StructureRequest | null {
  return request && { ...request, isNeeded: (_, isStable) => !isStable };
}

/** Checks whether an error may be that of a page whose browser ended: it equals that of an unreachable page. */
function mayBeGone(cause: unknown): boolean {
  return !(cause instanceof ProofsheetError) || cause.code === 'page-unreachable';
}

/** Returns the error for a capture whose browser ended. Chromium may crash together with a renderer that runs out of memory. */
export function browserGone(where: string): ProofsheetError {
  return new ProofsheetError({
    code: 'browser-gone',
    where,
    found: 'the browser closed during the capture',
    advice: 'The page may need more memory than is available. Run it alone with --workers=1.',
  });
}

/** Returns the error for a capture that ended with an error that is not of proofsheet. Only a page that closed explains such an error. */
export function interrupted(where: string, cause: unknown): ProofsheetError {
  const message = messageOf(cause).split('\n')[0] ?? '';
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

/**
 * Names the host that refused the connection, and the place that sets its base URL. Except for the page, all shots of the host
 * have the same text, so that the summary of the run shows it once.
 */
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

/** Creates the capture function for a page that the test has opened, or for one element of it. */
export function captureOpened(
  subject: Parameters<typeof captureOpenPage>[0],
  settings: Shot['capture'],
): CaptureFunction {
  // The browser of a test draws only the viewport, so that wheel and keys scroll its pages.
  const options = { drawsBeyondWindow: false, longPolls: new Map(), readImage };
  return (request) => captureOpenPage(subject, settings, { ...request, ...options });
}

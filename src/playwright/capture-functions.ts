import type { Browser, Page, PlaywrightWorkerOptions } from '@playwright/test';
import { isDrawing } from '../browser/launch.js';
import { createPagePool, type PagePool } from '../browser/page-pool.js';
import { capturePage } from '../capture/capture-page.js';
import { isLeftAlone } from '../capture/prepare-page.js';
import type { CaptureFunction, CaptureFunctions } from '../core/shot/gather-evidence.js';
import type { CaptureResult } from '../model/capture.js';
import type { Shot, Target } from '../model/shot.js';
import { callQuietly } from './internals.js';

/** The capture functions of one shot, and the cleanup of their pages. */
export interface Session {
  readonly captureFunctions: CaptureFunctions;
  /**
   * Ends the session; call it after the last capture. A captured page is reset or closed in the background. This waits for
   * it only if the test is recorded, because Playwright then reads all open pages at the end of the test.
   */
  end(): Promise<void>;
  /** Closes all pages of the pool. Call it after a failure. */
  closePages(): Promise<void>;
}

/** Provides the pages for the shots of one list. */
export interface Pages {
  begin(browser: Browser, shot: Shot, rules: PageRules): Session;
}

/** Creates the page pools that all shots of a list share in one worker: one for each browser. */
export function createPages(): Pages {
  const pools = new WeakMap<Browser, PagePool>();
  const longPolls = new Set<string>();
  return {
    begin(browser, shot, rules) {
      const pool = pools.get(browser) ?? createPagePool(browser);
      pools.set(browser, pool);
      const returned: Promise<void>[] = [];
      // A recording must show each step.
      const call = <T>(work: () => Promise<T>) => (rules.isRecorded ? work() : callQuietly(browser, work));
      const captureFunctionOf = (target: Target): CaptureFunction => {
        return (help) =>
          call(async () => {
            const side = { target, kind: rules.kind };
            const { page, result } = await capture(browser, pool, shot, side, { ...help, longPolls });
            returned.push(pool.giveBack(page));
            return result;
          });
      };
      return {
        captureFunctions: {
          after: captureFunctionOf(shot.after),
          before: shot.before && captureFunctionOf(shot.before),
        },
        async end() {
          if (rules.isRecorded) await Promise.all(returned);
        },
        closePages: () => call(pool.close),
      };
    },
  };
}

interface Side {
  readonly target: Target;
  readonly kind: string | null;
}

/** Captures one side on a separate page. No state of other pages or of the other side reaches it. */
async function capture(
  browser: Browser,
  pool: PagePool,
  { after, emulation, capture: settings }: Shot,
  { target, kind }: Side,
  help: Parameters<CaptureFunction>[0] & { readonly longPolls: Set<string> },
): Promise<{ page: Page; result: CaptureResult }> {
  const crossOrigin = new URL(target.url).origin !== new URL(after.url).origin;
  const page = await pool.take({ emulation, target, crossOrigin, kind });
  return {
    page,
    result: await capturePage(page, target, settings, { ...help, drawsBeyondWindow: isDrawing(browser) }),
  };
}

/** The options of a project for the page of a test and for its recording. */
export interface PageOptions {
  /** Context options. Tests share a page only if these are equal. */
  readonly look: object;
  /** Credentials of the project: HTTP credentials, storage state, client certificates. */
  readonly credentials: readonly unknown[];
  readonly screenshot: PlaywrightWorkerOptions['screenshot'];
  readonly trace: PlaywrightWorkerOptions['trace'];
  /** Number of previous attempts of the test. */
  readonly retry: number;
}

/** Rules for the pages of a shot. */
export interface PageRules {
  /**
   * Only shots of an equal kind share a page. Null: the shot gets a separate page. The reason is credentials of the
   * project, a recording, or a change to the page that a reset cannot revert.
   */
  readonly kind: string | null;
  /** The trace or a screenshot of the test is recorded, so every step must be reported. */
  readonly isRecorded: boolean;
}

/** Decides which pages a shot may share and whether its steps are reported. */
export function pageRulesOf(options: PageOptions, { capture }: Shot): PageRules {
  const { clock, delayMs, contentHeight, hideCookie, settle, element, format } = capture;
  // After a page was printed, Chromium draws the element at (0, 0) of the next page as hovered.
  const isPrinted = format === 'pdf';
  const isSeparate = options.credentials.some(isSet) || clock !== null || delayMs > 0 || contentHeight || isPrinted;
  const kind = JSON.stringify([options.look, hideCookie, settle, element !== null, isLeftAlone(capture)]);
  const recorded = isRecorded(options);
  return { kind: isSeparate || recorded ? null : kind, isRecorded: recorded };
}

function isSet(credential: unknown): boolean {
  return Array.isArray(credential) ? credential.length > 0 : Boolean(credential);
}

/** Checks for recordings of every test. Recordings of failures do not count: no page is reused after a failure. */
function isRecorded({ screenshot, trace, retry }: PageOptions): boolean {
  const traces = modeOf(trace);
  const isTraced = retry === 0 ? !['off', 'on-first-retry', 'on-all-retries'].includes(traces) : traces !== 'off';
  return modeOf(screenshot) === 'on' || isTraced;
}

/** Returns the mode of a `screenshot` or `trace` option, which is either the mode or an object with it. */
export function modeOf(option: string | { readonly mode: string }): string {
  return typeof option === 'string' ? option : option.mode;
}

import type { Browser, Page, PlaywrightWorkerOptions } from '@playwright/test';
import { isDrawing } from '../browser/launch.js';
import { createPagePool, type PagePool } from '../browser/page-pool.js';
import { capturePage } from '../capture/capture-page.js';
import { isLeftAlone } from '../capture/prepare-page.js';
import type { CaptureFunction, CaptureFunctions } from '../core/shot/gather-evidence.js';
import type { CaptureResult } from '../model/capture.js';
import type { Shot, Target } from '../model/shot.js';
import { callQuietly } from './internals.js';

/** The captureFunctions of one shot, and what becomes of their pages. */
export interface Session {
  readonly captureFunctions: CaptureFunctions;
  /**
   * To be waited for at the end. Pages are handed on to the next shot as soon as they are captured, and cleaned, or closed,
   * meanwhile: that they are is waited for only where Playwright itself looks at all pages next, since this one is recorded.
   */
  end(): Promise<void>;
  /** Closes all pages. */
  abandon(): Promise<void>;
}

/** Where the shots of one list get their pages from. */
export interface Pages {
  begin(browser: Browser, shot: Shot, rules: PageRules): Session;
}

/** Creates what all shots of a list share in one worker: a pool of pages for each browser. */
export function createPages(): Pages {
  const pools = new WeakMap<Browser, PagePool>();
  const longPolls = new Set<string>();
  return {
    begin(browser, shot, rules) {
      const pool = pools.get(browser) ?? createPagePool(browser);
      pools.set(browser, pool);
      const handed: Promise<void>[] = [];
      // What is recorded is to show each step.
      const call = <T>(work: () => Promise<T>) => (rules.isRecorded ? work() : callQuietly(browser, work));
      const captureFunctionOf = (target: Target): CaptureFunction => {
        return (help) =>
          call(async () => {
            const side = { target, kind: rules.kind };
            const { page, result } = await capture(browser, pool, shot, side, { ...help, longPolls });
            handed.push(pool.giveBack(page));
            return result;
          });
      };
      return {
        captureFunctions: {
          after: captureFunctionOf(shot.after),
          before: shot.before && captureFunctionOf(shot.before),
        },
        async end() {
          if (rules.isRecorded) await Promise.all(handed);
        },
        abandon: () => call(pool.close),
      };
    },
  };
}

interface Side {
  readonly target: Target;
  readonly kind: string | null;
}

/** Captures one side on a page of its own: nothing of another page, or of the other side, reaches it. */
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

/** What a project says of a test's page, and of what is recorded of it. */
export interface PageOptions {
  /** What its context is made from; tests whose files differ in it have different pages. */
  readonly look: object;
  /** What it is let in by, by the project. */
  readonly credentials: readonly unknown[];
  readonly screenshot: PlaywrightWorkerOptions['screenshot'];
  readonly trace: PlaywrightWorkerOptions['trace'];
  /** How often the test was run before. */
  readonly retry: number;
}

/** What may be done with the pages of a shot. */
export interface PageRules {
  /**
   * Shots of different kinds never have the same page. Null: this one has a page of its own, since it is let in by the
   * project, is recorded from its opening to its end, or has something done to it that cannot be undone.
   */
  readonly kind: string | null;
  /** Somebody will look at every step. */
  readonly isRecorded: boolean;
}

/** Decides what may be done with the pages of a shot. */
export function pageRulesOf(options: PageOptions, { capture }: Shot): PageRules {
  const { clock, delayMs, contentHeight, hideCookie, settle, element, format } = capture;
  // Chromium draws what is at (0, 0) of the next page as hovered once a page was printed.
  const isPrinted = format === 'pdf';
  const isOwn = options.credentials.some(isGiven) || clock !== null || delayMs > 0 || contentHeight || isPrinted;
  const kind = JSON.stringify([options.look, hideCookie, settle, element !== null, isLeftAlone(capture)]);
  const recorded = isRecorded(options);
  return { kind: isOwn || recorded ? null : kind, isRecorded: recorded };
}

function isGiven(credential: unknown): boolean {
  return Array.isArray(credential) ? credential.length > 0 : Boolean(credential);
}

/** After a failure no page is kept: only what is recorded of every test is in the way. */
function isRecorded({ screenshot, trace, retry }: PageOptions): boolean {
  const traces = modeOf(trace);
  const isTraced = retry === 0 ? !['off', 'on-first-retry', 'on-all-retries'].includes(traces) : traces !== 'off';
  return modeOf(screenshot) === 'on' || isTraced;
}

/** Returns when a project records something: its option is a mode, or says more. */
export function modeOf(option: string | { readonly mode: string }): string {
  return typeof option === 'string' ? option : option.mode;
}

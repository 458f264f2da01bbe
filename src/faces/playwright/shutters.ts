import type { Browser, Page } from '@playwright/test';
import { isDrawing } from '../../browser/launch.js';
import { createPagePool, type PagePool } from '../../browser/page-pool.js';
import { callQuietly } from '../../browser/quiet.js';
import { capturePage } from '../../capture/capture.js';
import type { Shutter, Shutters } from '../../core/gather-evidence.js';
import type { CaptureResult } from '../../model/capture.js';
import type { Shot, Target } from '../../model/plan.js';
import type { PageRules } from './page-rules.js';

/** The shutters of one shot, and what becomes of their pages. */
export interface Session {
  readonly shutters: Shutters;
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
      const shutterOf = (target: Target): Shutter => {
        return (help) =>
          call(async () => {
            const side = { target, kind: rules.kind };
            const { page, result } = await capture(browser, pool, shot, side, { ...help, longPolls });
            handed.push(pool.giveBack(page));
            return result;
          });
      };
      return {
        shutters: { after: shutterOf(shot.after), before: shot.before && shutterOf(shot.before) },
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
  help: Parameters<Shutter>[0] & { readonly longPolls: Set<string> },
): Promise<{ page: Page; result: CaptureResult }> {
  const stranger = new URL(target.url).origin !== new URL(after.url).origin;
  const page = await pool.take({ emulation, target, stranger, kind });
  return {
    page,
    result: await capturePage(page, target, settings, { ...help, drawsBeyondWindow: isDrawing(browser) }),
  };
}

import type { Browser, Page } from '@playwright/test';
import { isRepeatable } from '../../browser/launch.js';
import { createPagePool, type PagePool } from '../../browser/page-pool.js';
import { capturePage } from '../../capture/capture.js';
import type { Shutter, Shutters } from '../../core/gather-evidence.js';
import type { Shot, Target } from '../../model/plan.js';

/** The shutters of one shot, and what becomes of their pages. */
export interface Session {
  readonly shutters: Shutters;
  /** Hands the pages on to the next shot. */
  end(): Promise<void>;
  /** Closes all pages: Playwright takes pictures of those that are open when a test has failed. */
  abandon(): Promise<void>;
}

/** Where the shots of one list get their pages from. */
export interface Pages {
  /** @param kind shots of different kinds never have the same page; null: this one has a page of its own */
  begin(browser: Browser, shot: Shot, kind: string | null): Session;
}

/** Creates what all shots of a list share in one worker: a pool of pages for each browser. */
export function createPages(): Pages {
  const pools = new WeakMap<Browser, PagePool>();
  return {
    begin(browser, shot, kind) {
      const pool = pools.get(browser) ?? createPagePool(browser);
      pools.set(browser, pool);
      const used: Page[] = [];
      const shutterOf = (target: Target) => createShutter(browser, pool, shot, target, kind, used);
      return {
        shutters: { after: shutterOf(shot.after), before: shot.before && shutterOf(shot.before) },
        end: async () => void (await Promise.all(used.map(pool.giveBack))),
        abandon: pool.close,
      };
    },
  };
}

/** Captures one side on a page of its own: nothing of another page, or of the other side, reaches it. */
function createShutter(
  browser: Browser,
  pool: PagePool,
  { after, emulation, capture }: Shot,
  target: Target,
  kind: string | null,
  used: Page[],
): Shutter {
  return async (help) => {
    const stranger = new URL(target.url).origin !== new URL(after.url).origin;
    const page = await pool.take({ emulation, target, stranger, kind });
    used.push(page);
    return capturePage(page, target, capture, { ...help, drawsBeyondWindow: isRepeatable(browser) });
  };
}

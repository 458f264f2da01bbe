import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';
import type { Emulation, Target } from '../model/shot.js';
import { isAnonymous, openContext } from './context.js';
import { type IsolationCheck, watchIsolation } from './isolation-check.js';
import { isDrawing } from './launch.js';
import { atMost, RESET_INIT_SCRIPT, readCalls, resetPage, WINDOW_BOUNDS } from './reset-page.js';

/** What a page is to be like, all of it but its address. */
export interface PageWish {
  readonly emulation: Emulation;
  readonly target: Target;
  /** Its page is of another site than the project's own: what the project's `use` holds to be let in is not for it. */
  readonly crossOrigin: boolean;
  /** Two shots that differ in this never have the same page; null: it is for this shot alone. */
  readonly kind: string | null;
}

/** The pages of one browser. A page that left nothing behind is used again: to open one costs as much as to load one. */
export interface PagePool {
  /** Returns a page on which there is nothing of any other: in a new context, or cleaned. */
  take(wish: PageWish): Promise<Page>;
  /** Takes a page back: cleans it for another shot where that can be, else closes it. To wait for it is not needed. */
  giveBack(page: Page): Promise<void>;
  /** Closes all pages, those in use too. */
  close(): Promise<void>;
}

/** How many pages wait for another shot, one a kind: viewports take turns. */
const MOST_KEPT = 4;

/** How often a page is used: renderers grow. */
const MOST_USES = 50;

/** How long a shot waits for a page that is being cleaned; one that hangs keeps nobody longer than opening another. */
const PATIENCE_MS = 3_000;

/** How long an answer that is still to come is waited for, before its page is given up. */
const ANSWERED_MS = 250;

interface Kept {
  readonly context: BrowserContext;
  /** Only shots of this kind may have it; null: none any more. */
  readonly kind: string | null;
  /** The window as it was opened. */
  readonly bounds: string;
  readonly isolation: IsolationCheck | null;
  session: CDPSession | null;
  uses: number;
}

/** Creates the pool of a browser that is running. */
export function createPagePool(browser: Browser): PagePool {
  const inUse = new Map<Page, Kept>();
  const idle = new Map<Page, Kept>();
  const returning = new Set<Promise<void>>();
  const closePage = async (page: Page) => {
    const kept = inUse.get(page) ?? idle.get(page);
    inUse.delete(page);
    idle.delete(page);
    await kept?.context.close().catch(ignoreGone);
  };
  const clean = async (page: Page) => {
    const kept = inUse.get(page);
    if (!kept || !(await isReset(page, kept).catch(() => false))) return closePage(page);
    // All were closed meanwhile.
    if (!inUse.delete(page)) return;
    idle.set(page, kept);
    const [oldest] = idle.keys();
    if (idle.size > MOST_KEPT && oldest) await closePage(oldest);
  };
  return {
    async take(wish) {
      await atMost(PATIENCE_MS, Promise.all(returning));
      const kind = kindOf(browser, wish);
      const found = Array.from(idle).find(([, kept]) => kind !== null && kept.kind === kind);
      const [page, kept] = found ?? (await openPage(browser, wish, kind));
      idle.delete(page);
      inUse.set(page, kept);
      return page;
    },
    giveBack(page) {
      const way = clean(page).finally(() => returning.delete(way));
      returning.add(way);
      return way;
    },
    async close() {
      // One that is being cleaned is in use: closed, it is cleaned no further.
      await Promise.all([...inUse.keys(), ...idle.keys()].map(closePage));
      await Promise.all(returning);
    },
  };
}

/** Null where the page cannot be used again: it is let in, or its browser has no protocol to wipe it. */
function kindOf(browser: Browser, { kind, target, emulation, crossOrigin }: PageWish): string | null {
  if (kind === null || !isDrawing(browser) || !isAnonymous(target)) return null;
  return JSON.stringify([kind, emulation, crossOrigin]);
}

async function openPage(browser: Browser, wish: PageWish, kind: string | null): Promise<[Page, Kept]> {
  const context = await openContext(browser, wish.emulation, wish.target, wish.crossOrigin);
  const page = await context.newPage();
  if (kind === null) return [page, { context, kind, bounds: '', isolation: null, session: null, uses: 0 }];
  const [bounds] = await Promise.all([page.evaluate<string>(WINDOW_BOUNDS), page.addInitScript(RESET_INIT_SCRIPT)]);
  return [page, { context, kind, bounds, isolation: watchIsolation(context, page), session: null, uses: 0 }];
}

async function isReset(page: Page, kept: Kept): Promise<boolean> {
  const { isolation } = kept;
  if (!isolation || ++kept.uses >= MOST_USES) return false;
  // Of an answer that is there the browser tells from two processes: a page may be loaded before all is told.
  await atMost(ANSWERED_MS, isolation.answered());
  const first = isolation.decide();
  if (first.kind === 'close') return false;
  const calls = await atMost(PATIENCE_MS, readCalls(page));
  if (calls?.length !== 0) return false;
  kept.session ??= await kept.context.newCDPSession(page);
  const bounds = await resetPage(page, kept.session, first.origin);
  if (bounds === null) return false;
  // What it did last may have been told only now.
  isolation.note({ kind: 'window', bounds: kept.bounds });
  isolation.note({ kind: 'window', bounds });
  const last = isolation.decide();
  if (last.kind === 'close' || last.origin !== first.origin) return false;
  isolation.reset();
  return true;
}

/** A browser that went away has closed all there was. */
function ignoreGone(): void {}

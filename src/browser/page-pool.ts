import type { BrowserContext, Page } from '@playwright/test';
import type { Size } from '../model/image.js';
import type { Emulation, Target } from '../model/shot.js';
import { isAnonymous, openContext } from './context.js';
import { openFramePage } from './frame-control.js';
import { type IsolationCheck, WATCH_CALLS_SCRIPT, watchIsolation } from './isolation-check.js';
import type { LaunchedBrowser } from './launch.js';
import { createPageState, type PageState } from './page-state.js';
import { clearState, leavePage, WINDOW_BOUNDS } from './reset-page.js';
import { withTimeLimit } from './timing.js';

/** The properties of the page that a shot needs, except its URL. */
export interface PageRequirements {
  readonly emulation: Emulation;
  readonly target: Target;
  /** The page is on another site than the project. It gets no credentials from the project's `use`. */
  readonly crossOrigin: boolean;
  /** Only shots of an equal kind share a page. null: the page is never reused. */
  readonly kind: string | null;
}

/** The pages of one browser. An isolated page is reused, because opening a page takes as long as loading one. */
export interface PagePool {
  /** Returns a page without state of other shots: in a new context, or after a reset. */
  take(required: PageRequirements): Promise<Page>;
  /** Returns the state of a page that was taken, for its captures. */
  stateOf(page: Page): PageState;
  /** Resets a page for reuse, or closes it when that is not possible. Callers need not await the result. */
  giveBack(page: Page): Promise<void>;
  /** Closes all pages, including those in use. */
  close(): Promise<void>;
}

/** Maximum number of idle pages. Several are needed because shots alternate between viewports. */
const MAX_IDLE_PAGES = 4;

/** Maximum number of uses of one page, because the memory of a renderer grows. */
const MAX_USES = 25;

/** How long a shot waits for pages that are being reset, before a new page is opened. */
const RESET_WAIT_MS = 3_000;

/** How long to wait for pending responses before the page is closed. */
const PENDING_RESPONSES_MS = 250;

interface PooledPage {
  readonly context: BrowserContext;
  /** Only shots of this kind may use the page; null: none may. */
  readonly kind: string | null;
  /** Size and position of the window when the page was opened. */
  readonly bounds: string;
  readonly isolation: IsolationCheck | null;
  readonly state: PageState;
  /** The viewport when the page was opened. A capture may change it. */
  readonly viewport: Size | null;
  uses: number;
}

/** Creates a page pool for a running browser. */
export function createPagePool(launched: LaunchedBrowser): PagePool {
  const inUse = new Map<Page, PooledPage>();
  const idle = new Map<Page, PooledPage>();
  const resetting = new Set<Promise<void>>();
  const closePage = async (page: Page) => {
    const pooled = inUse.get(page) ?? idle.get(page);
    inUse.delete(page);
    idle.delete(page);
    await pooled?.context.close().catch(ignoreGone);
  };
  const recycle = async (page: Page) => {
    const pooled = inUse.get(page);
    if (!pooled || !(await tryReset(page, pooled).catch(() => false))) return closePage(page);
    // The pool was closed in the meantime.
    if (!inUse.delete(page)) return;
    idle.set(page, pooled);
    const [oldest] = idle.keys();
    if (idle.size > MAX_IDLE_PAGES && oldest) await closePage(oldest);
  };
  return {
    async take(required) {
      await withTimeLimit(RESET_WAIT_MS, Promise.all(resetting), () => null);
      const kind = kindOf(launched, required);
      const idlePage = Array.from(idle).find(([, pooled]) => kind !== null && pooled.kind === kind);
      const [page, pooled] = idlePage ?? (await openPage(launched, required, kind));
      idle.delete(page);
      inUse.set(page, pooled);
      return page;
    },
    stateOf: (page) => inUse.get(page)?.state ?? createPageState(page),
    giveBack(page) {
      const done = recycle(page).finally(() => resetting.delete(done));
      resetting.add(done);
      return done;
    },
    async close() {
      // Pages that are being reset count as in use. Closing them ends the reset.
      await Promise.all([...inUse.keys(), ...idle.keys()].map(closePage));
      await Promise.all(resetting);
    },
  };
}

/** Returns null for a page that cannot be reused: it has credentials, or its browser cannot be reset over CDP. */
function kindOf(
  { drawsBeyondWindow }: LaunchedBrowser,
  { kind, target, emulation, crossOrigin }: PageRequirements,
): string | null {
  if (kind === null || !drawsBeyondWindow || !isAnonymous(target)) return null;
  return JSON.stringify([kind, emulation, crossOrigin]);
}

async function openPage(
  { browser, controlsFrames }: LaunchedBrowser,
  required: PageRequirements,
  kind: string | null,
): Promise<[Page, PooledPage]> {
  const open = () => openContext(browser, required.emulation, required.target, required.crossOrigin);
  const frames = controlsFrames ? await openFramePage(browser, open) : null;
  const page = frames ? frames.page : await (await open()).newPage();
  const context = page.context();
  const state = createPageState(page, frames);
  const [bounds] = await Promise.all([page.evaluate<string>(WINDOW_BOUNDS), page.addInitScript(WATCH_CALLS_SCRIPT)]);
  const isolation = kind === null ? null : watchIsolation(context, page);
  return [page, { context, kind, bounds, isolation, state, viewport: page.viewportSize(), uses: 0 }];
}

async function tryReset(page: Page, pooled: PooledPage): Promise<boolean> {
  const { isolation } = pooled;
  if (!isolation || ++pooled.uses >= MAX_USES) return false;
  // Two processes report a response. A page may finish loading before both have reported.
  await withTimeLimit(PENDING_RESPONSES_MS, isolation.answered(), () => null);
  const first = isolation.decide();
  if (first.kind === 'close') return false;
  const session = await pooled.state.session();
  const left = await leavePage(page, session, first.origin);
  if (left?.calls.length !== 0) return false;
  // A response that the page got with cookies, or after a login, may be personal.
  const keepsCache = first.onlyRead && !left.hasCookies;
  if (pooled.state.frames && pooled.viewport) await page.setViewportSize(pooled.viewport);
  const bounds = await clearState(session, { origin: first.origin, keepsCache });
  if (bounds === null) return false;
  // Late events of the page may have arrived during the reset.
  isolation.note({ kind: 'window', bounds: pooled.bounds });
  isolation.note({ kind: 'window', bounds });
  const last = isolation.decide();
  if (last.kind === 'close' || last.origin !== first.origin) return false;
  isolation.reset();
  return true;
}

/** Ignores the error of closing a page of a browser that has exited. */
function ignoreGone(): void {}

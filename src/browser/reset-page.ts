import type { CDPSession, Page } from '@playwright/test';
import { READ_CALLS } from './isolation-check.js';
import { pause, withTimeLimit } from './timing.js';

/** Expression for the size and position of a window. A page can change them, and the change persists after navigation. */
export const WINDOW_BOUNDS = "[outerWidth, outerHeight, screenX, screenY].join(' ')";

/** What is known about a page that was stopped. */
export interface StoppedPage {
  /** The calls that `WATCH_CALLS_SCRIPT` recorded. */
  readonly calls: readonly string[];
  readonly hasCookies: boolean;
}

/**
 * Disables the scripts of a page, so that nothing of it runs any more, not even an `unload` handler. Clears its session storage, which
 * is only possible while its document exists.
 *
 * @param origin the only origin whose documents the page contained
 * @returns null: the page is closed, or does not respond.
 */
export function stopPage(page: Page, session: CDPSession, origin: string): Promise<StoppedPage | null> {
  // The renderer executes the commands in this order. They need one round trip.
  const stopped = Promise.all([
    session.send('Runtime.evaluate', { expression: READ_CALLS, returnByValue: true }),
    session.send('Emulation.setScriptExecutionDisabled', { value: true }),
    session.send('DOMStorage.clear', { storageId: { securityOrigin: origin, isLocalStorage: false } }),
    page.context().cookies(),
  ]);
  const read = stopped.then(([{ result }, , , cookies]) =>
    Array.isArray(result.value) ? { calls: result.value.map(String), hasCookies: cookies.length > 0 } : null,
  );
  return withTimeLimit(
    STOP_TIMEOUT_MS,
    read.catch(() => null),
    () => null,
  );
}

/** Limit for stopping a page: its scripts may keep its renderer busy. */
const STOP_TIMEOUT_MS = 3_000;

/**
 * Navigates a stopped page to `about:blank` and clears its state: cookies, all storage, service workers, history and the window
 * name. Enables scripts again.
 *
 * The HTTP cache may stay, as for a visitor who goes from page to page. The cache of the renderer never does: how Chromium scales a photo
 * depends on how it was decoded before.
 *
 * @param origin the only origin whose documents the page contained
 * @returns the window bounds as {@link WINDOW_BOUNDS} returns them; null: the page is closed, or does not respond.
 */
export async function resetPage(
  page: Page,
  session: CDPSession,
  { origin, keepsCache }: { readonly origin: string; readonly keepsCache: boolean },
): Promise<string | null> {
  const reset = resetState(page, session, origin, keepsCache).catch(() => null);
  return withTimeLimit(RESET_TIMEOUT_MS, reset, () => null);
}

async function resetState(page: Page, session: CDPSession, origin: string, keepsCache: boolean): Promise<string> {
  await page.goto('about:blank', { waitUntil: 'commit', timeout: RESET_TIMEOUT_MS });
  const [{ result }] = await Promise.all([
    session
      .send('Emulation.setScriptExecutionDisabled', { value: false })
      .then(() => session.send('Runtime.evaluate', { expression: `name = ''; ${WINDOW_BOUNDS}` })),
    session.send('Network.clearBrowserCookies'),
    keepsCache ? null : session.send('Network.clearBrowserCache'),
    // Disabling the cache also clears the cache of the renderer.
    session.send('Network.setCacheDisabled', { cacheDisabled: true }),
    session.send('Network.setCacheDisabled', { cacheDisabled: false }),
    session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
    resetHistory(session),
  ]);
  return String(result.value);
}

/**
 * Leaves one entry in the history, `about:blank`. Retries, because Chromium may still be about to add this entry, and may treat the page as
 * inactive for a moment after a navigation.
 */
async function resetHistory(session: CDPSession): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const [, { entries }] = await Promise.all([
        session.send('Page.resetNavigationHistory'),
        session.send('Page.getNavigationHistory'),
      ]);
      if (entries.length === 1 && entries[0]?.url === 'about:blank') return;
      throw new Error(`the history has ${entries.length} entries`);
    } catch (cause) {
      if (tries === MAX_TRIES) throw cause;
      await pause(20 * tries);
    }
  }
}

const MAX_TRIES = 5;

/** Limit for the whole reset. It normally takes 20 ms; under heavy load, 4 s were measured. */
const RESET_TIMEOUT_MS = 10_000;

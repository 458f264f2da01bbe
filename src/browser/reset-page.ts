import type { CDPSession, Page } from '@playwright/test';
import { READ_CALLS } from './isolation-check.js';
import { pause, withTimeLimit } from './timing.js';

/** Expression for the size and position of a window. A page can change them, and the change persists after navigation. */
export const WINDOW_BOUNDS = "[outerWidth, outerHeight, screenX, screenY].join(' ')";

/** What is known about a page that was left. */
export interface LeftPage {
  /** The calls that `WATCH_CALLS_SCRIPT` recorded. */
  readonly calls: readonly string[];
  readonly hasCookies: boolean;
}

/**
 * Disables the scripts of a page, so that nothing of it runs any more, not even an `unload` handler, and navigates it to `about:blank`.
 * Clears its session storage, which is only possible while its document exists.
 *
 * @param origin the only origin whose documents the page contained
 * @returns null: the page is closed, does not respond, or was replaced before it was stopped.
 */
export function leavePage(page: Page, session: CDPSession, origin: string): Promise<LeftPage | null> {
  // The renderer executes the commands in this order. The navigation reaches it later, because the browser has to prepare it.
  const left = Promise.all([
    session.send('Runtime.evaluate', { expression: `[location.href, ...${READ_CALLS}]`, returnByValue: true }),
    session.send('Emulation.setScriptExecutionDisabled', { value: true }),
    session.send('DOMStorage.clear', { storageId: { securityOrigin: origin, isLocalStorage: false } }),
    page.context().cookies(),
    page.goto(BLANK, { waitUntil: 'commit', timeout: LEAVE_TIMEOUT_MS }),
  ]);
  const read = left.then(([{ result }, , , cookies]) => {
    const [url, ...calls]: unknown[] = Array.isArray(result.value) ? result.value : [BLANK];
    return url === BLANK ? null : { calls: calls.map(String), hasCookies: cookies.length > 0 };
  });
  return withTimeLimit(
    LEAVE_TIMEOUT_MS,
    read.catch(() => null),
    () => null,
  );
}

const BLANK = 'about:blank';

/** Limit for leaving a page: its scripts may keep its renderer busy. */
const LEAVE_TIMEOUT_MS = 3_000;

/**
 * Clears the state of a page that was left: cookies, all storage, service workers, history and the window name. Enables scripts again.
 *
 * The HTTP cache may stay, as for a visitor who goes from page to page. The cache of the renderer never does: how Chromium scales a photo
 * depends on how it was decoded before.
 *
 * @param origin the only origin whose documents the page contained
 * @returns the window bounds as {@link WINDOW_BOUNDS} returns them; null: the page is closed, or does not respond.
 */
export async function clearState(
  session: CDPSession,
  { origin, keepsCache }: { readonly origin: string; readonly keepsCache: boolean },
): Promise<string | null> {
  const cleared = Promise.all([
    session.send('Emulation.setScriptExecutionDisabled', { value: false }),
    session.send('Runtime.evaluate', { expression: `name = ''; ${WINDOW_BOUNDS}` }),
    session.send('Network.clearBrowserCookies'),
    keepsCache ? null : session.send('Network.clearBrowserCache'),
    // Disabling the cache also clears the cache of the renderer.
    session.send('Network.setCacheDisabled', { cacheDisabled: true }),
    session.send('Network.setCacheDisabled', { cacheDisabled: false }),
    session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
    resetHistory(session),
  ]);
  const read = cleared.then(([, { result }]) => String(result.value));
  return withTimeLimit(
    CLEAR_TIMEOUT_MS,
    read.catch(() => null),
    () => null,
  );
}

/** Limit for clearing the state. It normally takes 10 ms; under heavy load, a whole reset took 4 s. */
const CLEAR_TIMEOUT_MS = 10_000;

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
      if (entries.length === 1 && entries[0]?.url === BLANK) return;
      throw new Error(`the history has ${entries.length} entries`);
    } catch (cause) {
      if (tries === MAX_TRIES) throw cause;
      await pause(20 * tries);
    }
  }
}

const MAX_TRIES = 5;

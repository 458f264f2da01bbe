import type { CDPSession, Page } from '@playwright/test';
import { atMost } from './at-most.js';

declare global {
  interface Window {
    /** The page gave a name or a password to a request of its own: the browser keeps that as long as the context lives. */
    __proofsheetGavePassword?: boolean;
  }
}

/** Script to put in before the page: it remembers what could not be wiped away. */
export const WIPE_INIT_SCRIPT: string = `(${String(watchPasswords)})();`;

/**
 * Leaves a page for an empty one, and wipes away what it has stored: cookies, storage of all kinds, service workers, caches,
 * its history and its window's name. Its scripts run no more once this began, those that run when a page is left neither.
 *
 * @param origin the only one that the page had documents of
 * @returns whether all is as in a new context; false: the context is to be closed.
 */
export async function wipePage(page: Page, session: CDPSession, origin: string): Promise<boolean> {
  // A page that is gone is closed as well as one that hangs.
  const isWiped = await atMost(
    WIPE_MS,
    wipe(page, session, origin).catch(() => false),
  );
  return isWiped ?? false;
}

async function wipe(page: Page, session: CDPSession, origin: string): Promise<boolean> {
  if (await page.evaluate(() => window.__proofsheetGavePassword === true)) return false;
  await session.send('Emulation.setScriptExecutionDisabled', { value: true });
  await session.send('DOMStorage.clear', { storageId: { securityOrigin: origin, isLocalStorage: false } });
  await page.goto('about:blank', { waitUntil: 'commit', timeout: WIPE_MS });
  await Promise.all([
    session.send('Network.clearBrowserCookies'),
    session.send('Network.clearBrowserCache'),
    // The renderer's own cache is emptied when it is switched off.
    session.send('Network.setCacheDisabled', { cacheDisabled: true }),
    session.send('Network.setCacheDisabled', { cacheDisabled: false }),
    session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
    resetHistory(session),
    session.send('Emulation.setScriptExecutionDisabled', { value: false }),
    session.send('Runtime.evaluate', { expression: 'name = ""' }),
  ]);
  return true;
}

/** For a moment after a page was left, while its frame changes hands, Chromium takes it for one that is not active. */
async function resetHistory(session: CDPSession): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await session.send('Page.resetNavigationHistory');
      return;
    } catch (cause) {
      if (tries === MOST_TRIES) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 20 * tries));
    }
  }
}

const MOST_TRIES = 5;

/** How long all of it may take: beside heavy work it took 4 s where it takes 20 ms else. */
const WIPE_MS = 10_000;

/** Runs in the page, before its own scripts. */
function watchPasswords(): void {
  const remember = () => {
    try {
      if (window.top) window.top.__proofsheetGavePassword = true;
    } catch {
      // A frame of another origin: a page that has one is not used again.
    }
  };
  XMLHttpRequest.prototype.open = new Proxy(XMLHttpRequest.prototype.open, {
    apply(target, receiver, args) {
      if (args.length > 3) remember();
      return Reflect.apply(target, receiver, args);
    },
  });
}

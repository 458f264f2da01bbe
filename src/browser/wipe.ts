import type { CDPSession, Page } from '@playwright/test';

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
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, WIPE_MS, false);
  });
  try {
    // A page that is gone is closed as well as one that hangs.
    return await Promise.race([wipe(page, session, origin).catch(() => false), late]);
  } finally {
    clearTimeout(timer);
  }
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
    session.send('Page.resetNavigationHistory'),
    session.send('Emulation.setScriptExecutionDisabled', { value: false }),
    session.send('Runtime.evaluate', { expression: 'name = ""' }),
  ]);
  return true;
}

/** How long a page may take to be left; one that hangs is not worth more. */
const WIPE_MS = 4_000;

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

import type { CDPSession, Page } from '@playwright/test';

declare global {
  interface Window {
    /** Calls of the page, or of one of its frames, that no event of Playwright reports. */
    __proofsheetCalls?: (call?: string) => string[];
  }
}

/** Script to put in before the page: it records calls that no event of Playwright reports. */
export const RESET_INIT_SCRIPT: string = `(${String(watchCalls)})();`;

/** Expression for the size and place of a window. A page can change them, and they outlive it. */
export const WINDOW_BOUNDS = "[outerWidth, outerHeight, screenX, screenY].join(' ')";

/** Reads the calls of a page that {@link RESET_INIT_SCRIPT} recorded. */
export function readCalls(page: Page): Promise<string[]> {
  return page.evaluate(() => window.__proofsheetCalls?.() ?? []);
}

/**
 * Leaves a page for an empty one, and wipes away what it has stored: cookies, storage of all kinds, service workers, caches,
 * its history and its window's name. Its scripts run no more once this began, those that run when a page is left neither.
 *
 * @param origin the only one that the page had documents of
 * @returns the window's bounds as {@link WINDOW_BOUNDS} gives them; null: the page is gone, or hangs.
 */
export async function resetPage(page: Page, session: CDPSession, origin: string): Promise<string | null> {
  const bounds = await atMost(
    WIPE_MS,
    wipe(page, session, origin).catch(() => null),
  );
  return bounds ?? null;
}

async function wipe(page: Page, session: CDPSession, origin: string): Promise<string> {
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
  ]);
  const { result } = await session.send('Runtime.evaluate', { expression: `name = ''; ${WINDOW_BOUNDS}` });
  return String(result.value);
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

/**
 * Runs in every frame of the page, before its own scripts. `XMLHttpRequest` takes a password that the browser keeps; the
 * connections of the classes below are not among the requests and sockets of a page.
 */
function watchCalls(): void {
  const calls: string[] = [];
  const record = (call?: string) => {
    if (call !== undefined) calls.push(call);
    return [...calls];
  };
  // The page cannot replace it.
  Object.defineProperty(window, '__proofsheetCalls', { value: record });
  const note = (call: string) => {
    try {
      window.top?.__proofsheetCalls?.(call);
    } catch {
      // A frame of another origin: such a page is not used again.
    }
  };
  XMLHttpRequest.prototype.open = new Proxy(XMLHttpRequest.prototype.open, {
    apply(target, receiver, args) {
      if (args.length > 3) note('a password for XMLHttpRequest');
      return Reflect.apply(target, receiver, args);
    },
  });
  for (const name of ['SharedWorker', 'WebTransport', 'RTCPeerConnection']) {
    const original: unknown = Reflect.get(window, name);
    if (typeof original !== 'function') continue;
    const value = new Proxy(original, {
      construct(target, args, asked) {
        note(name);
        return Reflect.construct(target, args, asked);
      },
    });
    Object.defineProperty(window, name, { value, writable: true, configurable: true });
  }
}

/** Waits for `work`, but no longer than `ms`: undefined where it is not done by then. What it does is not ended. */
export async function atMost<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    clearTimeout(timer);
  }
}

import { type Browser, chromium, type LaunchOptions } from '@playwright/test';
import { messageOf, ProofsheetError } from '../model/errors.js';
import { type BrowserChoice, chooseBrowser, drawingFlags, noteDrawing, repeatableFlags } from './launch.js';

/** A browser that runs, and how it was chosen. */
export interface OpenBrowser {
  readonly browser: Browser;
  readonly choice: BrowserChoice;
}

type OwnOptions = Pick<LaunchOptions, 'args' | 'proxy' | 'handleSIGINT' | 'handleSIGTERM' | 'handleSIGHUP'>;

/**
 * Launches a headless Chromium outside of a test run, as a run would.
 *
 * @param own flags of the caller's own, the proxy that all goes through, and whose matter the end of the browser is.
 * @throws ProofsheetError `browser-missing` when there is none, or none that starts.
 */
export async function openBrowser(own: OwnOptions = {}): Promise<OpenBrowser> {
  const wish = {
    browserName: 'chromium',
    headless: true,
    channel: undefined,
    executablePath: undefined,
    remote: false,
  };
  const choice = chooseBrowser(wish, process);
  const { executablePath } = choice;
  try {
    const args = drawingFlags(repeatableFlags(own.args ?? []));
    const browser = await chromium.launch({ ...own, ...(executablePath && { executablePath }), args });
    noteDrawing(browser);
    return { browser, choice };
  } catch (cause) {
    throw new ProofsheetError({
      code: 'browser-missing',
      where: executablePath ?? 'browser',
      found: `it does not start (${messageOf(cause).split('\n')[0]})`,
      advice: 'Run: npx playwright install --with-deps chromium',
    });
  }
}

/** A browser that is there whenever it is asked for: where one has died, or was given up, the next takes its place. */
export interface LongLivedBrowser {
  /** Returns the browser that runs. @throws ProofsheetError `browser-missing` */
  use(): Promise<OpenBrowser>;
  /** Returns a browser to nobody any more; who has it has time to finish. */
  giveUp(browser: Browser): void;
  /** How many browsers were launched so far. */
  launches(): number;
  close(): Promise<void>;
}

/** Asks a browser whether it is there: that it has died is told only a moment later. */
export async function isAlive(browser: Browser): Promise<boolean> {
  try {
    await (await browser.newBrowserCDPSession()).detach();
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates it; nothing is launched before it is asked for.
 *
 * @param graceMs how long a browser that was given up may still be used by who has it.
 */
export function createLongLivedBrowser(launch: () => Promise<OpenBrowser>, graceMs: number): LongLivedBrowser {
  let current: Promise<OpenBrowser> | null = null;
  const givenUp = new Set<Browser>();
  let count = 0;
  const forget = (gone: Promise<OpenBrowser>) => {
    if (current === gone) current = null;
  };
  const begin = (): Promise<OpenBrowser> => {
    count += 1;
    const launched = launch().then((opened) => {
      opened.browser.once('disconnected', () => forget(launched));
      return opened;
    });
    launched.catch(() => forget(launched));
    return launched;
  };
  return {
    async use() {
      current ??= begin();
      const used = current;
      const opened = await used;
      if (opened.browser.isConnected() && !givenUp.has(opened.browser)) return opened;
      forget(used);
      current ??= begin();
      return current;
    },
    giveUp(browser) {
      if (givenUp.has(browser) || !browser.isConnected()) return;
      givenUp.add(browser);
      browser.once('disconnected', () => givenUp.delete(browser));
      setTimeout(() => browser.close().catch(() => {}), graceMs).unref();
    },
    launches: () => count,
    async close() {
      const last = current;
      current = null;
      const browsers = [...givenUp, ...((await last?.then(({ browser }) => [browser]).catch(() => [])) ?? [])];
      await Promise.all(browsers.map((browser) => browser.close().catch(() => {})));
    },
  };
}

import { type Browser, chromium, errors, type LaunchOptions } from '@playwright/test';
import { messageOf, ProofsheetError } from '../../model/index.js';
import { type BrowserChoice, chooseBrowser, repeatableFlags } from './launch.js';
import { type LaunchedBrowser, launchControlled } from './page-control.js';
import { withTimeLimit } from './timing.js';

/** The error of a Playwright call that exceeds its time limit. */
export const { TimeoutError } = errors;

/** A running browser, and how it was chosen. */
export interface OpenBrowser extends LaunchedBrowser {
  readonly choice: BrowserChoice;
}

type OwnOptions = Pick<LaunchOptions, 'args' | 'proxy' | 'handleSIGINT' | 'handleSIGTERM' | 'handleSIGHUP'>;

/**
 * Launches a headless Chromium outside of a test run, with the same flags as in a test run.
 *
 * @param own further flags, the proxy, and which signals Playwright handles.
 * @throws ProofsheetError `browser-missing` when no browser is found, or when it does not start.
 */
export async function openBrowser(own: OwnOptions = {}): Promise<OpenBrowser> {
  const options = { browserName: 'chromium', headless: true, channel: undefined, executablePath: undefined };
  const choice = chooseBrowser({ ...options, remote: false }, process);
  const { executablePath } = choice;
  try {
    const launch = (args: string[]) => chromium.launch({ ...own, ...(executablePath && { executablePath }), args });
    return { ...(await launchControlled(launch, repeatableFlags(own.args ?? []), false)), choice };
  } catch (cause) {
    throw new ProofsheetError({
      code: 'browser-missing',
      where: executablePath ?? 'browser',
      found: `the browser did not start (${messageOf(cause).split('\n')[0]})`,
      advice: 'Run: npx playwright install --with-deps chromium',
    });
  }
}

/**
 * Checks whether a browser still runs: Chromium with a command, because `isConnected()` is still true for a moment after
 * it crashed. A browser that does not respond in time runs.
 */
export function isAlive(browser: Browser): Promise<boolean> {
  if (browser.browserType().name() !== 'chromium') return Promise.resolve(browser.isConnected());
  const answer = browser.newBrowserCDPSession().then((session) => session.detach());
  return withTimeLimit(
    RESPONSE_MS,
    answer.then(
      () => true,
      () => false,
    ),
    () => true,
  );
}

/** How long a browser is given to respond, in milliseconds. */
const RESPONSE_MS = 3_000;

/**
 * Creates a browser that is launched on demand, and launched again after it disconnected or was given up.
 *
 * @param graceMs milliseconds until a browser that was given up is closed.
 */
export function createLongLivedBrowser(launch: () => Promise<OpenBrowser>, graceMs: number) {
  let current: Promise<OpenBrowser> | null = null;
  const givenUp = new Set<Browser>();
  let count = 0;
  const forget = (gone: Promise<OpenBrowser>) => {
    if (current === gone) current = null;
  };
  const start = (): Promise<OpenBrowser> => {
    count += 1;
    const launched = launch();
    launched.catch(() => forget(launched));
    return launched;
  };
  return {
    /** Returns the running browser, and launches one if necessary. @throws ProofsheetError `browser-missing` */
    async use(): Promise<OpenBrowser> {
      current ??= start();
      const used = current;
      const opened = await used;
      if (opened.browser.isConnected() && !givenUp.has(opened.browser)) return opened;
      forget(used);
      current ??= start();
      return current;
    },
    /** Stops returning a browser, and closes it after a grace period. */
    giveUp(browser: Browser): void {
      if (givenUp.has(browser) || !browser.isConnected()) return;
      givenUp.add(browser);
      browser.once('disconnected', () => givenUp.delete(browser));
      setTimeout(() => browser.close().catch(() => {}), graceMs).unref();
    },
    /** Returns how many browsers were launched so far. */
    launches: () => count,
    async close(): Promise<void> {
      const last = current;
      current = null;
      const browsers = [...givenUp, ...((await last?.then(({ browser }) => [browser]).catch(() => [])) ?? [])];
      await Promise.all(browsers.map((browser) => browser.close().catch(() => {})));
    },
  };
}

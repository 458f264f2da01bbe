import type { Browser } from '@playwright/test';
import type { OpenBrowser } from './open-browser.js';

/** A browser that is there whenever it is asked for: where one has died, or was given up, the next takes its place. */
export interface SteadyBrowser {
  /** Gives the browser that runs. @throws ProofsheetError `browser-missing` */
  use(): Promise<OpenBrowser>;
  /** Gives up a browser that does not answer any more. */
  giveUp(browser: Browser): void;
  /** How many browsers were launched so far. */
  launches(): number;
  close(): Promise<void>;
}

/** Creates it; nothing is launched before it is asked for. */
export function createSteadyBrowser(launch: () => Promise<OpenBrowser>): SteadyBrowser {
  let current: Promise<OpenBrowser> | null = null;
  let count = 0;
  const forget = (gone: Promise<OpenBrowser>) => {
    if (current === gone) current = null;
  };
  const begin = (): Promise<OpenBrowser> => {
    count += 1;
    const launched = launch().then((opened) => {
      opened.browser.once('disconnected', () => forget(launched));
      if (!opened.browser.isConnected()) forget(launched);
      return opened;
    });
    launched.catch(() => forget(launched));
    return launched;
  };
  return {
    use() {
      current ??= begin();
      return current;
    },
    giveUp(browser) {
      current = null;
      // It may take its time to end; nobody waits for that.
      browser.close().catch(() => {});
    },
    launches: () => count,
    async close() {
      const last = current;
      current = null;
      await last?.then(({ browser }) => browser.close()).catch(() => {});
    },
  };
}

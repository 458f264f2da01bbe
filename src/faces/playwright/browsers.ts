import type { Browser, LaunchOptions, PlaywrightWorkerArgs, PlaywrightWorkerOptions } from '@playwright/test';
import { drawingFlags, noteDrawing } from '../../browser/launch.js';

/** The browsers that a worker captures listed pages in, launched when first asked for. */
export interface Browsers {
  /** One that draws what lies beyond its window; its pages cannot be scrolled by wheel or key. */
  drawing(): Promise<Browser>;
  /** One whose pages can be used as by a visitor. */
  usable(): Promise<Browser>;
  close(): Promise<void>;
}

/** How a project launches its browser, or where that one runs. */
export type BrowserSetting = Pick<PlaywrightWorkerArgs, 'playwright'> &
  Pick<PlaywrightWorkerOptions, 'browserName' | 'connectOptions'> & {
    readonly launchOptions: LaunchOptions;
  };

/** Creates the browsers of a worker. Of Firefox, WebKit and a browser that runs elsewhere there is one for both. */
export function createBrowsers(setting: BrowserSetting): Browsers {
  const { playwright, browserName, connectOptions, launchOptions } = setting;
  const opened: Promise<Browser>[] = [];
  const once = (open: () => Promise<Browser>) => {
    let browser: Promise<Browser> | null = null;
    return () => {
      if (browser === null) {
        browser = open();
        opened.push(browser);
      }
      return browser;
    };
  };
  const usable = once(() => (connectOptions ? connect(setting) : playwright[browserName].launch()));
  const isOurs = browserName === 'chromium' && !connectOptions;
  const drawing = once(async () => {
    const args = drawingFlags(launchOptions.args ?? []);
    const browser = await playwright.chromium.launch({ args });
    noteDrawing(browser);
    return browser;
  });
  return {
    usable,
    drawing: isOurs ? drawing : usable,
    async close() {
      for (const browser of await Promise.allSettled(opened)) {
        if (browser.status === 'fulfilled') await browser.value.close();
      }
    },
  };
}

/** As Playwright connects its own fixture. */
function connect({ playwright, browserName, connectOptions, launchOptions }: BrowserSetting): Promise<Browser> {
  const { wsEndpoint = '', headers, ...options } = connectOptions ?? {};
  const told = { 'x-playwright-launch-options': JSON.stringify(launchOptions) };
  return playwright[browserName].connect(wsEndpoint, { ...options, headers: { ...told, ...headers } });
}

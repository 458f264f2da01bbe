import type { Browser, LaunchOptions, PlaywrightWorkerArgs, PlaywrightWorkerOptions } from '@playwright/test';
import { drawingFlags, noteDrawing, repeatableFlags } from '../browser/launch.js';
import { readMissingFlags, renderMissingFlags } from '../browser/remote-flags.js';
import { tolerateMissingMedia } from './internals.js';

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
    /** Tells the user something, once a run. */
    tell(notice: string): void;
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
  const usable = once(async () => {
    const browser = await (connectOptions ? connect(setting) : playwright[browserName].launch());
    await checkAbilities(browser, setting);
    return browser;
  });
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

/** Tells what a browser cannot do that captures rely on: flags that it was launched without, media that it does not emulate. */
export async function checkAbilities(
  browser: Browser,
  { connectOptions, launchOptions, tell }: Pick<BrowserSetting, 'connectOptions' | 'launchOptions' | 'tell'>,
): Promise<void> {
  tolerateMissingMedia(browser, () => tell(renderMissingMedia(browser)));
  if (!connectOptions) return;
  const missing = await readMissingFlags(browser, launchOptions.args ?? []);
  if (missing.length > 0) tell(renderMissingFlags(missing, repeatableFlags([])));
}

function renderMissingMedia(browser: Browser): string {
  const name = `${browser.browserType().name()} ${browser.version()}`;
  return `${name} does not emulate media over WebDriver BiDi: \`colorScheme\` has no effect, and pages are not asked for reduced motion.`;
}

/** As Playwright connects its own fixture. */
function connect({ playwright, browserName, connectOptions, launchOptions }: BrowserSetting): Promise<Browser> {
  const { wsEndpoint = '', headers, ...options } = connectOptions ?? {};
  const told = { 'x-playwright-launch-options': JSON.stringify(launchOptions) };
  return playwright[browserName].connect(wsEndpoint, { ...options, headers: { ...told, ...headers } });
}

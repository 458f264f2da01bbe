import type { Browser, LaunchOptions, PlaywrightWorkerArgs, PlaywrightWorkerOptions } from '@playwright/test';
import { drawingFlags, noteDrawing, repeatableFlags } from '../browser/launch.js';
import { readMissingFlags, renderMissingFlags } from '../browser/remote-flags.js';
import { launchOptionsHeader, tolerateMissingMedia } from './internals.js';

/** The browsers in which a worker captures listed pages. Each is launched on first use. */
export interface Browsers {
  /** Returns the browser that draws content outside the window. Wheel and keys do not scroll its pages. */
  drawing(): Promise<Browser>;
  /** Returns the browser whose pages can be scrolled by wheel and keys. */
  usable(): Promise<Browser>;
  close(): Promise<void>;
}

/** How a project launches its browser or connects to it. */
export type BrowserSetting = Pick<PlaywrightWorkerArgs, 'playwright'> &
  Pick<PlaywrightWorkerOptions, 'browserName' | 'connectOptions'> & {
    readonly launchOptions: LaunchOptions;
    /** Prints a notice once per run. */
    notify(notice: string): void;
  };

/** Creates the browsers of a worker. For Firefox, WebKit and remote browsers, both functions return the same browser. */
export function createBrowsers(setting: BrowserSetting): Browsers {
  const { playwright, browserName, connectOptions, launchOptions } = setting;
  const launched: Promise<Browser>[] = [];
  const once = (open: () => Promise<Browser>) => {
    let browser: Promise<Browser> | null = null;
    return () => {
      if (browser === null) {
        browser = open();
        launched.push(browser);
      }
      return browser;
    };
  };
  const usable = once(async () => {
    const browser = await (connectOptions ? connect(setting) : playwright[browserName].launch());
    await checkAbilities(browser, setting);
    return browser;
  });
  const isLocalChromium = browserName === 'chromium' && !connectOptions;
  const drawing = once(async () => {
    const args = drawingFlags(launchOptions.args ?? []);
    const browser = await playwright.chromium.launch({ args });
    noteDrawing(browser);
    return browser;
  });
  return {
    usable,
    drawing: isLocalChromium ? drawing : usable,
    async close() {
      for (const browser of await Promise.allSettled(launched)) {
        if (browser.status === 'fulfilled') await browser.value.close();
      }
    },
  };
}

/** Prints a notice for missing launch flags and for missing media emulation. Captures rely on both. */
export async function checkAbilities(
  browser: Browser,
  { connectOptions, launchOptions, notify }: Pick<BrowserSetting, 'connectOptions' | 'launchOptions' | 'notify'>,
): Promise<void> {
  tolerateMissingMedia(browser, () => notify(renderMissingMedia(browser)));
  if (!connectOptions) return;
  const missing = await readMissingFlags(browser, launchOptions.args ?? []);
  if (missing.length > 0) notify(renderMissingFlags(missing, repeatableFlags([])));
}

function renderMissingMedia(browser: Browser): string {
  const name = `${browser.browserType().name()} ${browser.version()}`;
  return `${name} does not emulate media over WebDriver BiDi: \`colorScheme\` has no effect, and pages are not asked for reduced motion.`;
}

/** Connects in the same way as Playwright's `browser` fixture. */
function connect({ playwright, browserName, connectOptions, launchOptions }: BrowserSetting): Promise<Browser> {
  const { wsEndpoint = '', headers, ...options } = connectOptions ?? {};
  return playwright[browserName].connect(wsEndpoint, {
    ...options,
    headers: { ...launchOptionsHeader(launchOptions), ...headers },
  });
}

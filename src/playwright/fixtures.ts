import { randomUUID } from 'node:crypto';
import { type Browser, test as base, type LaunchOptions, type WorkerInfo } from '@playwright/test';
import { acquireLock } from '../baselines/claims.js';
import { chooseBrowser, repeatableFlags } from '../browser/launch.js';
import type { Environment } from '../model/environment.js';
import { type Browsers, checkAbilities, createBrowsers } from './browsers.js';
import { locksFolder } from './runner-context.js';

interface WorkerFixtures {
  browser: Browser;
  launchOptions: LaunchOptions;
  /** Where listed pages are captured: not for tests of your own. */
  browsersOfLists: Browsers;
}

/**
 * Playwright's `test` with a browser that is found where Playwright's own is not installed, and that draws text the same
 * on every machine with the same fonts.
 *
 * @example
 * import { expect, test } from 'proofsheet';
 * test('cart', async ({ page }) => {
 *   await page.goto('/cart');
 *   await expect(page).toMatchBaseline('cart');
 * });
 */
export const test = base.extend<object, WorkerFixtures>({
  // Not an option: what a project sets in its `use` is handed in here, and not put over it.
  launchOptions: [
    async ({ launchOptions, browserName, connectOptions }, use, worker) => {
      // The fixtures `channel` and `headless` are made from this one: what the project sets for them is in its `use`.
      const { channel, headless } = worker.project.use;
      const choice = chooseBrowser(
        {
          browserName,
          channel: channel ?? launchOptions.channel,
          headless: headless ?? launchOptions.headless ?? true,
          executablePath: launchOptions.executablePath,
          remote: connectOptions !== undefined || process.env.PW_TEST_CONNECT_WS_ENDPOINT !== undefined,
        },
        process,
      );
      headlessKind = choice.headless;
      if (choice.notice) printOnce(locksFolder(worker.config), choice.notice);
      await use({
        ...launchOptions,
        ...(choice.executablePath && { executablePath: choice.executablePath }),
        ...(browserName === 'chromium' && { args: repeatableFlags(launchOptions.args ?? []) }),
      });
    },
    { scope: 'worker' },
  ],
  browser: [
    async ({ browser, connectOptions, launchOptions }, use, worker) => {
      await checkAbilities(browser, { connectOptions, launchOptions, tell: tellOnceIn(worker) });
      await use(browser);
    },
    { scope: 'worker', timeout: 0, box: true },
  ],
  browsersOfLists: [
    async ({ playwright, browserName, connectOptions, launchOptions }, use, worker) => {
      const setting = { playwright, browserName, connectOptions, launchOptions, tell: tellOnceIn(worker) };
      const browsers = createBrowsers(setting);
      await use(browsers);
      await browsers.close();
    },
    { scope: 'worker', timeout: 0, box: true },
  ],
});

/** Returns which kind of headless browser this worker runs; `unknown` under a `test` that is not ours. */
export function currentHeadlessKind(): Environment['headless'] {
  return headlessKind;
}

let headlessKind: Environment['headless'] = 'unknown';

function tellOnceIn({ config }: WorkerInfo): (notice: string) => void {
  return (notice) => printOnce(locksFolder(config), notice);
}

/** Tells something once a run: the first call of the first worker does. */
export function printOnce(folder: string, notice: string): void {
  const self = randomUUID();
  if (acquireLock(folder, notice, self) === self) process.stderr.write(`proofsheet: ${notice}\n`);
}

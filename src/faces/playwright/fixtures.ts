import { test as base, type LaunchOptions } from '@playwright/test';
import { chooseBrowser, repeatableFlags } from '../../browser/launch.js';
import type { Environment } from '../../model/environment.js';
import { claim } from '../../record/claims.js';
import { type Browsers, createBrowsers } from './browsers.js';
import { claimsFolder } from './host.js';

interface WorkerFixtures {
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
      if (choice.notice) tellOnce(claimsFolder(worker.config), choice.notice);
      await use({
        ...launchOptions,
        ...(choice.executablePath && { executablePath: choice.executablePath }),
        ...(browserName === 'chromium' && { args: repeatableFlags(launchOptions.args ?? []) }),
      });
    },
    { scope: 'worker' },
  ],
  browsersOfLists: [
    async ({ playwright, browserName, connectOptions, launchOptions }, use) => {
      const browsers = createBrowsers({ playwright, browserName, connectOptions, launchOptions });
      await use(browsers);
      await browsers.close();
    },
    { scope: 'worker', timeout: 0, box: true },
  ],
});

/** Gives which kind of headless browser this worker runs; `unknown` under a `test` that is not ours. */
export function currentHeadlessKind(): Environment['headless'] {
  return headlessKind;
}

let headlessKind: Environment['headless'] = 'unknown';

/** Tells something once a run, by whichever worker comes first. */
export function tellOnce(folder: string, notice: string): void {
  const self = String(process.pid);
  if (claim(folder, notice, self) === self) process.stderr.write(`proofsheet: ${notice}\n`);
}

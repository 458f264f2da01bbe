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
  /** The browsers in which listed pages are captured. Not intended for other tests. */
  browsersOfLists: Browsers;
}

/**
 * Extends Playwright's `test`. It finds an installed browser if Playwright's browser is not installed. The browser draws
 * text identically on all machines with the same fonts.
 *
 * @example
 * import { expect, test } from 'proofsheet';
 * test('cart', async ({ page }) => {
 *   await page.goto('/cart');
 *   await expect(page).toMatchBaseline('cart');
 * });
 */
export const test = base.extend<object, WorkerFixtures>({
  // Not declared as an option: the value from the project's `use` is an input here and does not override this fixture.
  launchOptions: [
    async ({ launchOptions, browserName, connectOptions }, use, worker) => {
      // The fixtures `channel` and `headless` depend on this one. The values of the project are therefore read from `use`.
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
      await checkAbilities(browser, { connectOptions, launchOptions, notify: createNotifier(worker) });
      await use(browser);
    },
    { scope: 'worker', timeout: 0, box: true },
  ],
  browsersOfLists: [
    async ({ playwright, browserName, connectOptions, launchOptions }, use, worker) => {
      const setting = { playwright, browserName, connectOptions, launchOptions, notify: createNotifier(worker) };
      const browsers = createBrowsers(setting);
      await use(browsers);
      await browsers.close();
    },
    { scope: 'worker', timeout: 0, box: true },
  ],
});

/** Returns the kind of headless browser in this worker, or `unknown` if the spec does not use the `test` of proofsheet. */
export function currentHeadlessKind(): Environment['headless'] {
  return headlessKind;
}

let headlessKind: Environment['headless'] = 'unknown';

function createNotifier({ config }: WorkerInfo): (notice: string) => void {
  return (notice) => printOnce(locksFolder(config), notice);
}

/** Prints a notice once per run: only the first call in any worker prints it. */
export function printOnce(folder: string, notice: string): void {
  const owner = randomUUID();
  if (acquireLock(folder, notice, owner) === owner) process.stderr.write(`proofsheet: ${notice}\n`);
}

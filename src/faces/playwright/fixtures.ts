import { type Browser, test as base, type LaunchOptions } from '@playwright/test';
import { chooseBrowser, noteRepeatable, repeatableFlags } from '../../browser/launch.js';
import type { Environment } from '../../model/environment.js';
import { claim } from '../../record/claims.js';
import { claimsFolder } from './host.js';

interface WorkerFixtures {
  launchOptions: LaunchOptions;
  browser: Browser;
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
          remote: isRemote(connectOptions),
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
  browser: [
    async ({ browser, browserName, connectOptions }, use) => {
      if (browserName === 'chromium' && !isRemote(connectOptions)) noteRepeatable(browser);
      await use(browser);
    },
    { scope: 'worker', timeout: 0 },
  ],
});

/** The browser runs elsewhere, and was launched by somebody else. */
function isRemote(connectOptions: unknown): boolean {
  return connectOptions !== undefined || process.env.PW_TEST_CONNECT_WS_ENDPOINT !== undefined;
}

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

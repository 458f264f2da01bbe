import { type Browser, test as base } from '@playwright/test';
import { createFolderServers, type FolderServers, PROJECT_OPTIONS } from '../reuse/index.js';
import { checkPlaywright, runNameOf } from '../run/index.js';
import { checkAbilities, launchListBrowser, type OpenListBrowser, printOnce, resolveLaunch } from './list-browser.js';
import { isRemote, locksFolder, readUpgrade } from './runner-context.js';

// A spec that imports this package fails here, before an older version fails at what it does not have.
checkPlaywright();
// The runner loads the specs before it starts workers.
if (process.env.TEST_WORKER_INDEX === undefined) runNameOf(process.pid, process.env);

interface WorkerFixtures {
  browser: Browser;
  /** The browsers in which listed pages are captured. Not intended for other tests. */
  browserOfLists: OpenListBrowser;
  /** The folders of `serve` and `stories`. Not intended for other tests. */
  foldersOfLists: FolderServers;
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
  // A function without options stays an option of Playwright, but the value from the project's `use` is an input here and does not
  // override it.
  launchOptions: async ({ launchOptions, browserName, connectOptions }, use, worker) => {
    // The fixtures `channel` and `headless` depend on this one. The values of the project are therefore read from `use`.
    const { channel, headless } = worker.project.use;
    const earlier = browserName === 'chromium' ? readUpgrade()?.executablePath : null;
    const wish = {
      browserName,
      channel: earlier ? undefined : (channel ?? launchOptions.channel),
      headless: headless ?? launchOptions.headless ?? true,
      executablePath: earlier ?? launchOptions.executablePath,
      remote: isRemote(connectOptions),
    };
    const { launch, notice } = resolveLaunch(wish, {
      ...launchOptions,
      ...(earlier && { executablePath: earlier }),
    });
    if (notice) printOnce(locksFolder(worker.config), notice);
    await use(launch);
  },
  browser: [
    async ({ browser, connectOptions, launchOptions }, use, worker) => {
      await checkAbilities(browser, { connectOptions, launchOptions }, worker);
      await use(browser);
    },
    { scope: 'worker', timeout: 0, box: true },
  ],
  browserOfLists: [
    async ({ playwright, browserName, connectOptions, headless, launchOptions }, use, worker) => {
      const setting = { playwright, browserName, connectOptions, headless, launchOptions };
      const own: { launched?: ReturnType<OpenListBrowser> } = {};
      await use(() => {
        own.launched ??= launchListBrowser(setting, worker);
        return own.launched;
      });
      const opened = await own.launched?.catch(() => null);
      await opened?.browser.close();
    },
    { scope: 'worker', timeout: 0, box: true },
  ],
  foldersOfLists: [
    async ({}, use) => {
      const servers = createFolderServers();
      await use(servers);
      await servers.close();
    },
    { scope: 'worker', box: true },
  ],
});

const { context, credentials, neutral } = PROJECT_OPTIONS;

/**
 * The `test` of listed pages. `undefined` keeps the value of an option, and declares one that an older version lacks: a test cannot name a
 * fixture that does not exist. `box: 'self'` keeps Playwright from adding two steps with a stack trace to each test for each option.
 */
export const listTest = test.extend<object>(
  Object.fromEntries(
    [...context, ...credentials, ...neutral].map((name) => [name, [undefined, { option: true, box: 'self' }]]),
  ),
);

import {
  type Browser,
  test as base,
  type FullConfig,
  type LaunchOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
} from '@playwright/test';
import { acquireLock, isFirstNotice, ownerOf } from '../baselines/index.js';
import { printRemark } from '../model/index.js';
import {
  chooseBrowser,
  controlOf,
  type LaunchedBrowser,
  launchControlled,
  readMissingFlags,
  renderMissingFlags,
  repeatableFlags,
  repeatablePreferences,
  shareMachine,
} from '../page/index.js';
import { createFolderServers, type FolderServers, hashOf, PROJECT_OPTIONS } from '../reuse/index.js';
import { checkPlaywright, runNameOf } from '../run/index.js';
import { launchOptionsHeader, tolerateMissingMedia } from './internals.js';
import { isRemote, locksFolder, readUpgrade } from './runner-context.js';

// A spec that imports this package fails here, before an older version fails at what it does not have.
checkPlaywright();
// The runner loads the specs before it starts workers.
if (process.env.TEST_WORKER_INDEX === undefined) runNameOf(process.pid, process.env);

/** Returns the browser in which a worker captures listed pages. The first call launches it. */
export type OpenListBrowser = () => Promise<LaunchedBrowser>;

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
  launchOptions: async ({ launchOptions, browserName, connectOptions }, use, { config, project }) => {
    // The fixtures `channel` and `headless` depend on this one. The values of the project are therefore read from `use`.
    const { channel, headless } = project.use;
    const earlier = (browserName === 'chromium' && readUpgrade()?.executablePath) || undefined;
    const wish = {
      browserName,
      channel: earlier ? undefined : (channel ?? launchOptions.channel),
      headless: headless ?? launchOptions.headless ?? true,
      executablePath: earlier ?? launchOptions.executablePath,
      remote: isRemote(connectOptions),
    };
    const { executablePath = earlier, notice } = chooseBrowser(wish, process);
    printOnce(config, notice);
    const { args = [], firefoxUserPrefs } = launchOptions;
    await use({
      ...launchOptions,
      ...(executablePath && { executablePath }),
      // These make the rendering reproducible.
      ...(browserName === 'chromium' && { args: repeatableFlags(args) }),
      ...(browserName === 'firefox' && { firefoxUserPrefs: repeatablePreferences(firefoxUserPrefs) }),
    });
  },
  browser: [
    async ({ browser, connectOptions, launchOptions }, use, { config }) => {
      await checkAbilities(browser, { connectOptions, launchOptions }, config);
      await use(browser);
    },
    { scope: 'worker', timeout: 0, box: true },
  ],
  browserOfLists: [
    async ({ playwright, browserName, connectOptions, headless, launchOptions }, use, { config }) => {
      const setting = { playwright, browserName, connectOptions, headless, launchOptions };
      const own: { launched?: ReturnType<OpenListBrowser> } = {};
      await use(() => {
        own.launched ??= launchListBrowser(setting, config);
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

type ConnectSetting = Pick<PlaywrightWorkerOptions, 'connectOptions' | 'launchOptions'>;
type BrowserSetting = Pick<PlaywrightWorkerArgs & PlaywrightWorkerOptions, 'playwright' | 'browserName' | 'headless'>;

/** Launches the browser in which a worker captures listed pages, or connects to it in the same way as Playwright's `browser` fixture. */
async function launchListBrowser(
  setting: BrowserSetting & ConnectSetting,
  config: FullConfig,
): Promise<LaunchedBrowser> {
  const { playwright, browserName, connectOptions, headless, launchOptions } = setting;
  const browserType = playwright[browserName];
  const start = (options?: LaunchOptions) => {
    if (!connectOptions) return browserType.launch(options);
    const { wsEndpoint, headers, ...others } = connectOptions;
    return browserType.connect(wsEndpoint, {
      ...others,
      headers: { ...launchOptionsHeader(launchOptions), ...headers },
    });
  };
  if (browserName !== 'chromium' || connectOptions) {
    const browser = await start();
    await checkAbilities(browser, setting, config);
    return { browser, control: controlOf(browser) };
  }
  const { args: flags = [] } = launchOptions;
  const local = await launchControlled((args) => start({ args }), flags, !headless);
  await checkAbilities(local.browser, setting, config);
  const folder = locksFolder(config);
  // With equal options, all workers of a run launch the same browser.
  const key = hashOf(['machine', !headless, launchOptions, local.browser.version()]);
  shareMachine(local.browser, {
    flags,
    read() {
      const known = ownerOf(folder, key);
      return known === null ? undefined : JSON.parse(known);
    },
    write: (machine) => void acquireLock(folder, key, JSON.stringify(machine)),
  });
  return local;
}

/** Prints a notice for missing launch flags and for missing media emulation. Captures rely on both. */
async function checkAbilities(
  browser: Browser,
  { connectOptions, launchOptions: { args = [] } }: ConnectSetting,
  config: FullConfig,
): Promise<void> {
  tolerateMissingMedia(browser, () => {
    const name = `${browser.browserType().name()} ${browser.version()}`;
    const fields = '`colorScheme`, `reducedMotion`, `forcedColors`, `contrast`, `media` and `settle: { motion }`';
    printOnce(config, `${name} cannot emulate media over WebDriver BiDi: ${fields} have no effect.`);
  });
  // A browser that runs elsewhere may have been launched without the flags.
  const missing = connectOptions ? await readMissingFlags(browser, args) : [];
  if (missing.length > 0) printOnce(config, renderMissingFlags(missing, repeatableFlags([])));
}

/** Prints a notice once per run: only the first call in any worker prints it. Null is no notice. */
export function printOnce(config: FullConfig, notice: string | null): void {
  if (notice !== null && isFirstNotice(locksFolder(config), notice)) printRemark(notice);
}

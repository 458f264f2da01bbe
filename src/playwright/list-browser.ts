import type {
  Browser,
  LaunchOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  WorkerInfo,
} from '@playwright/test';
import { acquireLock, isFirstNotice, ownerOf } from '../baselines/index.js';
import { printRemark } from '../model/index.js';
import {
  type BrowserOptions,
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
import { hashOf } from '../reuse/index.js';
import { launchOptionsHeader, tolerateMissingMedia } from './internals.js';
import { locksFolder } from './runner-context.js';

/**
 * Chooses the browser of a project, and adds the flags or preferences that make its rendering reproducible.
 *
 * @returns the options of its launch, and a message to the user about the choice, or null
 * @throws ProofsheetError `browser-missing` if there is none
 */
export function resolveLaunch(wish: BrowserOptions, options: LaunchOptions) {
  const { executablePath, notice } = chooseBrowser(wish, process);
  const launch: LaunchOptions = {
    ...options,
    ...(executablePath && { executablePath }),
    ...(wish.browserName === 'chromium' && { args: repeatableFlags(options.args ?? []) }),
    ...(wish.browserName === 'firefox' && { firefoxUserPrefs: repeatablePreferences(options.firefoxUserPrefs) }),
  };
  return { launch, notice };
}

type ConnectSetting = Pick<PlaywrightWorkerOptions, 'connectOptions' | 'launchOptions'>;
type BrowserSetting = ConnectSetting &
  Pick<PlaywrightWorkerArgs, 'playwright'> &
  Pick<PlaywrightWorkerOptions, 'browserName' | 'headless'>;

/** Returns the browser in which a worker captures listed pages. The first call launches it. */
export type OpenListBrowser = () => Promise<LaunchedBrowser>;

/** Launches the browser in which a worker captures listed pages, or connects to it. */
export async function launchListBrowser(setting: BrowserSetting, worker: WorkerInfo): Promise<LaunchedBrowser> {
  const { browserName, connectOptions, headless, launchOptions } = setting;
  const { args = [] } = launchOptions;
  if (browserName !== 'chromium' || connectOptions) {
    const browser = await start(setting);
    await checkAbilities(browser, setting, worker);
    return { browser, control: controlOf(browser) };
  }
  const local = await launchControlled((flags) => start(setting, flags), args, !headless);
  await checkAbilities(local.browser, setting, worker);
  const folder = locksFolder(worker.config);
  // With equal options, all workers of a run launch the same browser.
  const key = hashOf(['machine', !headless, launchOptions, local.browser.version()]);
  shareMachine(local.browser, {
    flags: args,
    read() {
      const known = ownerOf(folder, key);
      return known === null ? undefined : JSON.parse(known);
    },
    write: (machine) => void acquireLock(folder, key, JSON.stringify(machine)),
  });
  return local;
}

/** Launches the browser, or connects to it in the same way as Playwright's `browser` fixture. */
function start(
  { playwright, browserName, connectOptions, launchOptions }: BrowserSetting,
  args?: string[],
): Promise<Browser> {
  const browserType = playwright[browserName];
  if (!connectOptions) return browserType.launch(args && { args });
  const { wsEndpoint, headers, ...options } = connectOptions;
  return browserType.connect(wsEndpoint, {
    ...options,
    headers: { ...launchOptionsHeader(launchOptions), ...headers },
  });
}

/** Prints a notice for missing launch flags and for missing media emulation. Captures rely on both. */
export async function checkAbilities(
  browser: Browser,
  { connectOptions, launchOptions: { args = [] } }: ConnectSetting,
  { config }: WorkerInfo,
): Promise<void> {
  const folder = locksFolder(config);
  tolerateMissingMedia(browser, () => printOnce(folder, formatMissingMedia(browser)));
  // A browser that runs elsewhere may have been launched without the flags.
  const missing = connectOptions ? await readMissingFlags(browser, args) : [];
  if (missing.length > 0) printOnce(folder, renderMissingFlags(missing, repeatableFlags([])));
}

function formatMissingMedia(browser: Browser): string {
  const name = `${browser.browserType().name()} ${browser.version()}`;
  const fields = '`colorScheme`, `reducedMotion`, `forcedColors`, `contrast`, `media` and `settle: { motion }`';
  return `${name} cannot emulate media over WebDriver BiDi: ${fields} have no effect.`;
}

/** Prints a notice once per run: only the first call in any worker prints it. */
export function printOnce(folder: string, notice: string): void {
  if (isFirstNotice(folder, notice)) printRemark(notice);
}

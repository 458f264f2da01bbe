import { acquireLock, ownerOf } from '../baselines/index.js';
import {
  type BrowserOptions,
  chooseBrowser,
  controlOf,
  type LaunchedBrowser,
  launchControlled,
  readMissingFlags,
  renderMissingFlags,
  repeatableFlags,
  shareMachine,
} from '../page/index.js';
import { hashOf } from '../reuse/index.js';

type Browser = LaunchedBrowser['browser'];

/** The launch options of a project that matter here. */
export interface LaunchOptions {
  readonly args?: string[];
  readonly executablePath?: string;
}

/** How a project launches its browser. */
export interface Launch<Options extends LaunchOptions> {
  readonly options: Options;
  /** A message to the user about the choice of the browser, or null. */
  readonly notice: string | null;
}

/**
 * Chooses the browser of a project, and adds the flags that make its rendering reproducible.
 *
 * @throws ProofsheetError `browser-missing` if there is none
 */
export function resolveLaunch<Options extends LaunchOptions>(wish: BrowserOptions, options: Options): Launch<Options> {
  const { executablePath, notice } = chooseBrowser(wish, process);
  return {
    options: {
      ...options,
      ...(executablePath && { executablePath }),
      ...(wish.browserName === 'chromium' && { args: repeatableFlags(options.args ?? []) }),
    },
    notice,
  };
}

/** The browser in which a worker captures listed pages. */
export interface ListBrowser {
  /** Returns the browser. The first call launches it. */
  open(): Promise<LaunchedBrowser>;
  close(): Promise<void>;
}

/** How the test runner starts the browser of a project. */
export interface BrowserStart {
  /** The browser is a Chromium that runs on this machine. */
  readonly isLocalChromium: boolean;
  /** The browser has a window. */
  readonly isHeaded: boolean;
  /** Launch flags of the project. */
  readonly args: readonly string[];
  /** Launches a local browser, or connects to a remote one. `args` replaces the flags of the project. */
  start(args?: string[]): Promise<Browser>;
  /** Prepares a started browser. */
  prepare(browser: Browser): Promise<void>;
  /** The options of the launch: with equal ones, all workers of a run launch the same browser. */
  readonly launchOptions: object;
  /** The folder that the workers of a run share. */
  readonly sharedFolder: string;
}

/** Creates the browser of a worker. */
export function createListBrowser({
  isLocalChromium,
  isHeaded,
  args,
  start,
  prepare,
  launchOptions,
  sharedFolder,
}: BrowserStart): ListBrowser {
  let launched: Promise<LaunchedBrowser> | null = null;
  const launch = async (): Promise<LaunchedBrowser> => {
    if (!isLocalChromium) {
      const browser = await start();
      await prepare(browser);
      return { browser, control: controlOf(browser) };
    }
    const local = await launchControlled(start, args, isHeaded);
    await prepare(local.browser);
    const key = hashOf(['machine', isHeaded, launchOptions, local.browser.version()]);
    shareMachine(local.browser, {
      flags: args,
      read() {
        const known = ownerOf(sharedFolder, key);
        return known === null ? undefined : JSON.parse(known);
      },
      write: (machine) => void acquireLock(sharedFolder, key, JSON.stringify(machine)),
    });
    return local;
  };
  return {
    open() {
      launched ??= launch();
      return launched;
    },
    async close() {
      const opened = await launched?.catch(() => null);
      await opened?.browser.close();
    },
  };
}

/** Returns a notice if a remote browser was launched without the flags that captures rely on; otherwise null. */
export async function checkRemoteFlags(browser: Browser, args: readonly string[]): Promise<string | null> {
  const missing = await readMissingFlags(browser, [...args]);
  return missing.length > 0 ? renderMissingFlags(missing, repeatableFlags([])) : null;
}

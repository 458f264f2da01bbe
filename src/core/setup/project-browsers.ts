import { openRunNotes } from '../../baselines/run-notes.js';
import { controlsFrames, frameFlags } from '../../browser/frame-control.js';
import {
  type BrowserOptions,
  chooseBrowser,
  drawingFlags,
  type LaunchedBrowser,
  readMissingFlags,
  renderMissingFlags,
  repeatableFlags,
} from '../../browser/launch.js';
import { openBrowser } from '../../browser/open-browser.js';
import { type Machine, readBrowserEnvironment, shareMachine } from '../../capture/environment.js';
import { engineVersion } from '../../compare/engines/engine.js';
import type { Environment } from '../../model/environment.js';
import { DEFAULTS } from '../../model/list/defaults.js';
import { hashOf } from '../reuse/key.js';

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

/** The browsers in which a worker captures listed pages. Each is launched on first use. */
export interface Browsers {
  /** Returns the browser that draws content outside the window. Wheel and keys do not scroll its pages. */
  drawing(): Promise<LaunchedBrowser>;
  /** Returns the browser whose pages can be scrolled by wheel and keys. */
  usable(): Promise<LaunchedBrowser>;
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

/** Creates the browsers of a worker. For Firefox, WebKit and remote browsers, both functions return the same browser. */
export function createBrowsers({
  isLocalChromium,
  isHeaded,
  args,
  start,
  prepare,
  launchOptions,
  sharedFolder,
}: BrowserStart): Browsers {
  const launched: Promise<LaunchedBrowser>[] = [];
  const once = (open: () => Promise<LaunchedBrowser>) => {
    let browser: Promise<LaunchedBrowser> | null = null;
    return () => {
      if (browser === null) {
        browser = open();
        launched.push(browser);
      }
      return browser;
    };
  };
  // With a window, or on macOS, no browser lets frames be controlled.
  const mayControl = isLocalChromium && !isHeaded && process.platform !== 'darwin';
  const launch = async (flags: readonly string[]): Promise<Pick<LaunchedBrowser, 'browser' | 'controlsFrames'>> => {
    const plain = () => start(isLocalChromium ? [...flags] : undefined);
    if (!mayControl) return { browser: await plain() };
    const browser = await start(frameFlags(flags));
    if (await controlsFrames(browser)) return { browser, controlsFrames: true };
    await browser.close();
    return { browser: await plain() };
  };
  const usable = once(async () => {
    const launched = await launch(args);
    await prepare(launched.browser);
    return { ...launched, drawsBeyondWindow: false };
  });
  const drawing = once(async () => {
    const { browser, ...control } = await launch(drawingFlags(args));
    const notes = openRunNotes<Machine>(sharedFolder);
    const key = hashOf(['machine', isHeaded, launchOptions, browser.version()]);
    shareMachine(browser, { read: () => notes.read(key), write: (machine) => notes.write(key, machine) });
    return { browser, drawsBeyondWindow: true, isHeaded, ...control };
  });
  return {
    usable,
    drawing: isLocalChromium ? drawing : usable,
    async close() {
      for (const browser of await Promise.allSettled(launched)) {
        if (browser.status === 'fulfilled') await browser.value.browser.close();
      }
    },
  };
}

/** Returns a notice if a remote browser was launched without the flags that captures rely on; otherwise null. */
export async function checkRemoteFlags(browser: Browser, args: readonly string[]): Promise<string | null> {
  const missing = await readMissingFlags(browser, [...args]);
  return missing.length > 0 ? renderMissingFlags(missing, repeatableFlags([])) : null;
}

/** Launches the browser that a run uses, and reads its environment. @throws ProofsheetError `browser-missing` */
export async function readLocalEnvironment(): Promise<{ environment: Environment; notice: string | null }> {
  const { browser, choice } = await openBrowser();
  try {
    const drawing = await readBrowserEnvironment(browser, 1);
    return { environment: { ...drawing, engine: engineVersion(DEFAULTS.engine) }, notice: choice.notice };
  } finally {
    await browser.close();
  }
}

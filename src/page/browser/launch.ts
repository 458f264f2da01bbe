import { existsSync } from 'node:fs';
import { type Browser, chromium, errors, firefox, type LaunchOptions, webkit } from '@playwright/test';
import { firstLineOf, ProofsheetError } from '../../model/index.js';
import {
  type ExecutableOptions,
  findFirefox,
  findHeadlessShell,
  findSystemBrowser,
  type SystemInfo,
} from './find-browser.js';
import { joinFlags, type LaunchedBrowser, launchControlled } from './page-control.js';
import { withTimeLimit } from './timing.js';

/**
 * Renderer settings of Chromium. The first four repeat what Playwright sets, because only the last such flag counts. The last one shows the first
 * frame of animated images (GIF, APNG, WebP).
 */
const RENDERER_SETTINGS = [
  'primaryHoverType=2',
  'availableHoverTypes=2',
  'primaryPointerType=4',
  'availablePointerTypes=4',
  'imageAnimationPolicy=2',
];

const SETTINGS_FLAG = '--blink-settings=';

const FLAGS = [
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--force-color-profile=srgb',
  // A changed layer is drawn again as a whole. Edges that are drawn in two steps can differ slightly in color.
  '--disable-partial-raster',
  // Images that take long to decode are not left out of a frame.
  '--disable-checker-imaging',
  // A frame is drawn when it is complete. Otherwise, a timer of the page says when, and a page whose time stands might never be drawn.
  '--run-all-compositor-stages-before-draw',
];

/**
 * Returns launch flags that make Chromium's rendering reproducible, followed by the project's own flags. Renderer settings of both are joined into
 * one flag.
 */
export function repeatableFlags(own: readonly string[]): string[] {
  return joinFlags(SETTINGS_FLAG, RENDERER_SETTINGS, [...FLAGS, ...own]);
}

/**
 * Preferences of Firefox that make its rendering reproducible, with those of the project. All contexts of a Firefox share one history: a link to
 * a page that another test has opened would be drawn as visited.
 */
export function repeatablePreferences(own: LaunchOptions['firefoxUserPrefs'] = {}) {
  return { 'layout.css.visited_links_enabled': false, ...own };
}

export interface BrowserOptions extends ExecutableOptions {
  readonly browserName: string;
  /** Playwright connects to a running browser instead of launching one. */
  readonly remote: boolean;
}

interface BrowserChoice {
  readonly executablePath: string | undefined;
  readonly notice: string | null;
}

/**
 * Chooses the browser: the project's executable, otherwise Playwright's Chromium, otherwise one installed on this machine.
 *
 * Playwright itself chooses Firefox, WebKit, channels and remote browsers. The exception is the channel `moz-firefox`.
 *
 * @throws ProofsheetError `browser-missing` when there is none, or when Playwright's Firefox or WebKit is not installed.
 */
export function chooseBrowser(options: BrowserOptions, systemInfo: SystemInfo): BrowserChoice {
  const { browserName, channel, headless, executablePath, remote } = options;
  if (remote) return { executablePath, notice: null };
  if (browserName !== 'chromium') {
    const isMozillaFirefox = browserName === 'firefox' && channel === 'moz-firefox' && !executablePath;
    const chosen = isMozillaFirefox ? findFirefox(systemInfo) : executablePath;
    const own = chosen || channel ? undefined : OWN_BROWSERS.find(({ type }) => type.name() === browserName);
    // Playwright has no path on a platform without the browser.
    const path = own?.type.executablePath() ?? '';
    if (own && path !== '' && !existsSync(path))
      throw browserMissing(`Playwright's ${own.title} is not installed`, own.type.name());
    return { executablePath: chosen, notice: null };
  }
  if (executablePath || channel) return { executablePath, notice: null };
  if (headless && findHeadlessShell() !== null) return { executablePath: undefined, notice: null };
  const fullChromium = chromium.executablePath();
  if (existsSync(fullChromium)) return { executablePath: fullChromium, notice: null };
  const system = findSystemBrowser(systemInfo, headless);
  if (!system)
    throw browserMissing(
      "Playwright's Chromium is not installed, and no Chrome, Chromium or Edge was found",
      'chromium',
    );
  return {
    executablePath: system.executablePath,
    notice: `Playwright's own browser is not installed: using ${system.name} at ${system.executablePath}.`,
  };
}

/** The browsers that only Playwright's own download provides. */
const OWN_BROWSERS = [
  { type: firefox, title: 'Firefox' },
  { type: webkit, title: 'WebKit' },
];

function browserMissing(found: string, browserName: string): ProofsheetError {
  const advice = `Run: npx playwright install ${browserName}`;
  return new ProofsheetError({ code: 'browser-missing', where: 'browser', found, advice });
}

/**
 * Returns the wanted launch flags that a running Chromium lacks. `playwright run-server` without `--unsafe` drops the flags
 * that its clients request.
 *
 * @returns an empty list when the browser does not report its command line.
 */
export async function readMissingFlags(browser: Browser, wanted: readonly string[]): Promise<string[]> {
  if (browser.browserType().name() !== 'chromium') return [];
  const session = await browser.newBrowserCDPSession();
  const { commandLine } = await session.send('SystemInfo.getInfo').finally(() => session.detach());
  return commandLine === '' ? [] : wanted.filter((flag) => !`${commandLine} `.includes(` ${flag} `));
}

/** Formats a message about the flags that a remote browser lacks. The value of a flag of the project may be a password, so it is not shown. */
export function renderMissingFlags(missing: readonly string[], ours: readonly string[]): string {
  const isPublic = (flag: string) => ours.includes(flag) || flag.startsWith(SETTINGS_FLAG);
  const names = missing.map((flag) => (isPublic(flag) ? flag : flag.replace(/=.*/s, '')));
  return `the remote browser was launched without ${names.join(', ')}: screenshots may differ between runs and machines. Start its server with \`npx playwright run-server --unsafe\`, or launch it with these flags.`;
}

/** The error of a Playwright call that exceeds its time limit. */
export const { TimeoutError } = errors;

export interface OpenBrowser extends LaunchedBrowser {
  readonly choice: BrowserChoice;
}

type OwnOptions = Pick<LaunchOptions, 'args' | 'proxy' | 'handleSIGINT' | 'handleSIGTERM' | 'handleSIGHUP'>;

/**
 * Launches a headless Chromium outside of a test run, with the same flags as in a test run.
 *
 * @param own further flags, the proxy, and which signals Playwright handles.
 * @throws ProofsheetError `browser-missing` when no browser is found, or when it does not start.
 */
export async function openBrowser(own: OwnOptions = {}): Promise<OpenBrowser> {
  const options = { browserName: 'chromium', headless: true, channel: undefined, executablePath: undefined };
  const choice = chooseBrowser({ ...options, remote: false }, process);
  const { executablePath } = choice;
  try {
    const launch = (args: string[]) => chromium.launch({ ...own, ...(executablePath && { executablePath }), args });
    return { ...(await launchControlled(launch, repeatableFlags(own.args ?? []), false)), choice };
  } catch (cause) {
    throw new ProofsheetError({
      code: 'browser-missing',
      where: executablePath ?? 'browser',
      found: `the browser did not start (${firstLineOf(cause)})`,
      advice: 'Run: npx playwright install --with-deps chromium',
    });
  }
}

/**
 * Checks whether a browser still runs: Chromium with a command, because `isConnected()` is still true for a moment after
 * it crashed. A browser that does not respond in time runs.
 */
export function isAlive(browser: Browser): Promise<boolean> {
  if (browser.browserType().name() !== 'chromium') return Promise.resolve(browser.isConnected());
  const asked = browser.newBrowserCDPSession().then((session) => session.detach());
  const answer = asked.then(() => true).catch(() => false);
  return withTimeLimit(RESPONSE_MS, answer, () => true);
}

const RESPONSE_MS = 3_000;

/** Creates a browser that is launched on demand, and again after it disconnected or was given up: it is closed `graceMs` milliseconds later. */
export function createLongLivedBrowser(launch: () => Promise<OpenBrowser>, graceMs: number) {
  let current: Promise<OpenBrowser> | null = null;
  const givenUp = new Set<Browser>();
  let count = 0;
  const forget = (gone: Promise<OpenBrowser>) => {
    if (current === gone) current = null;
  };
  const start = (): Promise<OpenBrowser> => {
    count += 1;
    const launched = launch();
    launched.catch(() => forget(launched));
    return launched;
  };
  return {
    /** Returns the running browser, and launches one if necessary. @throws ProofsheetError `browser-missing` */
    async use(): Promise<OpenBrowser> {
      current ??= start();
      const used = current;
      const opened = await used;
      if (opened.browser.isConnected() && !givenUp.has(opened.browser)) return opened;
      forget(used);
      current ??= start();
      return current;
    },
    giveUp(browser: Browser): void {
      if (givenUp.has(browser) || !browser.isConnected()) return;
      givenUp.add(browser);
      browser.once('disconnected', () => givenUp.delete(browser));
      setTimeout(() => browser.close().catch(() => {}), graceMs).unref();
    },
    launches: () => count,
    async close(): Promise<void> {
      const last = current;
      current = null;
      const browsers = [...givenUp, ...((await last?.then(({ browser }) => [browser]).catch(() => [])) ?? [])];
      await Promise.all(browsers.map((browser) => browser.close().catch(() => {})));
    },
  };
}

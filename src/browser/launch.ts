import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import type { Environment } from '../model/environment.js';
import { ProofsheetError } from '../model/errors.js';
import { findFirefox, findSystemBrowser, type Machine } from './find-browser.js';

/**
 * Settings of Chromium's renderer. The first four are what Playwright itself sets: of two such flags, the last one counts.
 *
 * `imageAnimationPolicy`: animated pictures (GIF, APNG, WebP) show their first frame.
 */
const RENDERER_SETTINGS = [
  'primaryHoverType=2',
  'availableHoverTypes=2',
  'primaryPointerType=4',
  'availablePointerTypes=4',
  'imageAnimationPolicy=2',
];

/** The flag that holds {@link RENDERER_SETTINGS}. */
export const SETTINGS_FLAG = '--blink-settings=';

const FLAGS = [
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--force-color-profile=srgb',
  // What changed a little is drawn anew as a whole: edges drawn in two steps come out a shade different, by chance.
  '--disable-partial-raster',
  // No image is left out for later because it takes long to decode.
  '--disable-checker-imaging',
];

/**
 * Returns the flags under which Chromium draws the same page to the same bytes on every machine that has the same fonts, and a
 * project's own after them. Its settings of the renderer are joined with ours.
 */
export function repeatableFlags(own: readonly string[]): string[] {
  const isSettings = (flag: string) => flag.startsWith(SETTINGS_FLAG);
  const settings = own.filter(isSettings).map((flag) => flag.slice(SETTINGS_FLAG.length));
  return [
    ...FLAGS,
    ...own.filter((flag) => !isSettings(flag)),
    SETTINGS_FLAG + [...RENDERER_SETTINGS, ...settings].join(','),
  ];
}

/**
 * Adds to {@link repeatableFlags} what has Chromium draw beyond its window when it is asked to. Else a whole page takes a
 * window that is made 1x1 and large again, and a page that is laid out and drawn three times. The price: wheel and keys scroll
 * such a page no more; its scripts do.
 */
export function drawingFlags(flags: readonly string[]): string[] {
  return flags.map((flag) => (flag.startsWith(SETTINGS_FLAG) ? `${flag},mainFrameClipsContent=false` : flag));
}

const drawing = new WeakSet<Browser>();

/** Takes note that a browser was launched with {@link drawingFlags}. */
export function noteDrawing(browser: Browser): void {
  drawing.add(browser);
}

/** Was this browser launched with {@link drawingFlags}, as far as we know? A browser does not tell its flags. */
export function isDrawing(browser: Browser | null): boolean {
  return browser !== null && drawing.has(browser);
}

/** What a project asks of its browser. */
export interface BrowserWish {
  readonly browserName: string;
  readonly channel: string | undefined;
  readonly headless: boolean;
  readonly executablePath: string | undefined;
  /** The browser runs elsewhere and is only connected to. */
  readonly remote: boolean;
}

/** Which browser a project gets. */
export interface BrowserChoice {
  /** What to launch; undefined: what Playwright itself would. */
  readonly executablePath: string | undefined;
  readonly headless: Environment['headless'];
  /** What the user should know of the choice, or null. */
  readonly notice: string | null;
}

/**
 * Chooses the browser: the one that the project names, else the one that Playwright installed, else one of the machine's.
 *
 * Firefox, WebKit, channels and remote browsers are left to Playwright, but for Firefox as Mozilla and Debian ship it.
 * @throws ProofsheetError `browser-missing` when there is none.
 */
export function chooseBrowser(wish: BrowserWish, machine: Machine): BrowserChoice {
  const { browserName, channel, headless, executablePath, remote } = wish;
  if (remote) return { executablePath, headless: 'unknown', notice: null };
  if (browserName !== 'chromium') {
    const isMozillas = browserName === 'firefox' && channel === 'moz-firefox' && !executablePath;
    const chosen = isMozillas ? findFirefox(machine) : executablePath;
    return { executablePath: chosen, headless: headless ? 'new' : 'headed', notice: null };
  }
  if (executablePath || channel)
    return { executablePath, headless: headlessKind(headless, executablePath ?? channel), notice: null };
  if (headless && hasHeadlessShell()) return { executablePath: undefined, headless: 'shell', notice: null };
  const whole = chromium.executablePath();
  if (existsSync(whole)) {
    return { executablePath: whole, headless: headlessKind(headless, whole), notice: null };
  }
  const system = findSystemBrowser(machine, headless);
  if (!system) throw browserMissing();
  return {
    executablePath: system.executablePath,
    headless: headlessKind(headless, system.executablePath),
    notice: `Playwright's own browser is not installed: using ${system.name} at ${system.executablePath}.`,
  };
}

/** @param browser its path, or the channel that stands for it. */
function headlessKind(headless: boolean, browser = ''): Environment['headless'] {
  if (!headless) return 'headed';
  return /headless[-_]shell/.test(browser) ? 'shell' : 'new';
}

/**
 * Playwright has no call that tells the path of its headless shell. It lies beside the whole browser, in a folder of the
 * same revision, which holds a marker file once its download is complete.
 */
function hasHeadlessShell(): boolean {
  let folder = dirname(chromium.executablePath());
  while (!/^chromium-\d+$/.test(basename(folder))) {
    if (folder === dirname(folder)) return false;
    folder = dirname(folder);
  }
  const shell = basename(folder).replace('chromium-', 'chromium_headless_shell-');
  return existsSync(join(dirname(folder), shell, 'INSTALLATION_COMPLETE'));
}

function browserMissing(): ProofsheetError {
  return new ProofsheetError({
    code: 'browser-missing',
    where: 'browser',
    found: 'neither the Chromium of Playwright nor one of this machine (Chrome, Chromium, Edge) was found',
    advice: 'Run: npx playwright install chromium',
  });
}

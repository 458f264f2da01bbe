import { createHash } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import type { Capture } from '../model/capture.js';
import type { Environment } from '../model/environment.js';

/** Reads the environment in which a page is drawn. */
export async function readEnvironment(page: Page, deviceScale: number): Promise<Drawing> {
  return toDrawing(await readMachine(page), page.context().browser(), deviceScale);
}

/** Reads the environment in which a browser draws its pages. */
export async function readBrowserEnvironment(browser: Browser, deviceScale: number): Promise<Drawing> {
  return toDrawing(await readBrowserMachine(browser), browser, deviceScale);
}

type Drawing = Capture['environment'];

/** What belongs to the machine, and is the same as long as a browser runs. */
export type Machine = Pick<Environment, 'os' | 'arch' | 'fonts'>;

function toDrawing(machine: Machine, browser: Browser | null, scale: number): Drawing {
  return {
    ...machine,
    browser: browser?.browserType().name() ?? 'unknown',
    browserVersion: browser?.version() ?? 'unknown',
    scale,
  };
}

/** Reads the machine of a page's browser. */
export async function readMachine(page: Page): Promise<Machine> {
  const browser = page.context().browser();
  // A context that was launched by itself (`launchPersistentContext`) has no browser in which another could be opened.
  return browser ? readBrowserMachine(browser) : toMachine(await probePage(page), null);
}

const machines = new WeakMap<Browser, Promise<Machine>>();

function readBrowserMachine(browser: Browser): Promise<Machine> {
  const known = machines.get(browser);
  if (known) return known;
  const machine = probeBrowser(browser).then((probe) => {
    if (!probe) machines.delete(browser);
    return toMachine(probe, browser);
  });
  machines.set(browser, machine);
  return machine;
}

/**
 * Measures on a blank page of a new context. What was captured before has no effect there: an image beyond the window changes
 * the fonts of its page (see `pinFonts`).
 */
async function probeBrowser(browser: Browser): Promise<Probe | null> {
  try {
    const context = await browser.newContext(PLAIN_CONTEXT);
    const probe = await probePage(await context.newPage());
    await context.close();
    return probe;
  } catch {
    return null;
  }
}

/** The same for every project: Playwright fills in the options of its `use` where a key is missing. */
const PLAIN_CONTEXT: BrowserContextOptions = Object.fromEntries([
  ['locale', 'en-US'],
  ['viewport', { width: 300, height: 150 }],
  ...['deviceScaleFactor', 'isMobile', 'hasTouch', 'userAgent', 'javaScriptEnabled', 'storageState'].map(leaveOut),
  ...['httpCredentials', 'extraHTTPHeaders', 'recordVideo', 'recordHar', 'colorScheme', 'reducedMotion'].map(leaveOut),
]);

function leaveOut(option: string): [string, undefined] {
  return [option, undefined];
}

type Probe = NonNullable<ReturnType<typeof measureFonts>>;

function probePage(page: Page): Promise<Probe | null> {
  return page.evaluate(measureFonts, PROBE).catch(() => null);
}

function toMachine(probe: Probe | null, browser: Browser | null): Machine {
  return { ...placeOf(probe?.platform, browser), fonts: probe && fingerprint(probe.widths) };
}

/** The browser may run on another machine than we do; Chromium says on which, whatever device it plays. */
function placeOf(platform = '', browser: Browser | null): Pick<Machine, 'os' | 'arch'> {
  const here = { os: process.platform, arch: process.arch };
  if (browser?.browserType().name() !== 'chromium') return here;
  const os = /^Win/.test(platform)
    ? 'win32'
    : /^Mac/.test(platform)
      ? 'darwin'
      : /^Linux/.test(platform)
        ? 'linux'
        : '';
  if (os === '' || os === here.os) return here;
  return { os, arch: /aarch64/.test(platform) ? 'arm64' : /x86_64/.test(platform) ? 'x64' : 'unknown' };
}

/** 12 hexadecimal digits. */
function fingerprint(widths: readonly number[]): string {
  return createHash('sha256').update(JSON.stringify(widths)).digest('hex').slice(0, 12);
}

/**
 * What is measured of the fonts: the families that every page falls back to, the scripts for which a browser has to look
 * further, and what pages and their fallbacks name most. Any of them that is installed, removed or of another version, and
 * so of other widths, makes another fingerprint; a font that nothing here names does not.
 */
const PROBE = {
  text: 'Hamburgefonstiv 0123456789',
  families: ['serif', 'sans-serif', 'monospace', 'system-ui', 'cursive', 'fantasy'],
  scripts: ['ÄßΩЖ', '文字', 'あ한', 'عربي', 'हिन्दी', '😀'],
  named: [
    ...['Arial', 'Helvetica', 'Helvetica Neue', 'Times New Roman', 'Courier New', 'Georgia', 'Verdana', 'Tahoma'],
    ...['Trebuchet MS', 'Segoe UI', 'Calibri', 'Consolas', 'Menlo', 'Roboto', 'Inter', 'Open Sans', 'Lato'],
    ...['Noto Sans', 'Ubuntu', 'Cantarell', 'DejaVu Sans', 'Liberation Sans', 'Fira Code'],
  ],
};

/** Runs in the page. Widths only: heights depend on the device's scale. */
function measureFonts({ text, families, scripts, named }: typeof PROBE): { widths: number[]; platform: string } | null {
  const pen = document.createElement('canvas').getContext('2d');
  if (!pen) return null;
  // Which font a script falls back to must not depend on the language of this page.
  Object.assign(pen, { lang: 'en' });
  const measure = (family: string, what: string) => {
    pen.font = `97px ${family}`;
    return pen.measureText(what).width;
  };
  const widths = [
    ...families.map((family) => measure(family, text)),
    ...scripts.map((script) => measure('sans-serif', script)),
    ...named.map((name) => measure(`"${name}", monospace`, text)),
  ];
  return { widths, platform: navigator.platform };
}

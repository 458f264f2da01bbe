import { createHash } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import type { Capture } from '../model/capture.js';
import type { Environment } from '../model/environment.js';

/** Reads in what environment a page is drawn. What belongs to the browser is read once as long as it runs. */
export async function readEnvironment(page: Page, deviceScale: number): Promise<Capture['environment']> {
  const browser = page.context().browser();
  return {
    ...(await readMachine(page, browser)),
    browser: browser?.browserType().name() ?? 'unknown',
    browserVersion: browser?.version() ?? 'unknown',
    scale: deviceScale,
  };
}

type Machine = Pick<Environment, 'os' | 'arch' | 'fonts'>;

// The fonts of a machine do not change while a browser runs.
const machines = new WeakMap<Browser, Machine>();

async function readMachine(page: Page, browser: Browser | null): Promise<Machine> {
  const known = browser && machines.get(browser);
  if (known) return known;
  const probe = await page.evaluate(measureFonts, PROBE).catch(() => null);
  const machine = { ...placeOf(probe?.platform, browser), fonts: probe && fingerprint(probe.widths) };
  if (browser && probe) machines.set(browser, machine);
  return machine;
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

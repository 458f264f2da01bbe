import { createHash } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import type { Capture } from '../model/capture.js';

/** Reads in what environment a page is drawn. */
export async function readEnvironment(page: Page, deviceScale: number): Promise<Capture['environment']> {
  const browser = page.context().browser();
  return {
    os: process.platform,
    arch: process.arch,
    browser: browser?.browserType().name() ?? 'unknown',
    browserVersion: browser?.version() ?? 'unknown',
    scale: deviceScale,
    fonts: await readFonts(page, browser),
  };
}

// The fonts of a machine do not change while a browser runs.
const fontsOf = new WeakMap<Browser, string>();

/**
 * Takes a fingerprint of the fonts that generic families fall back to: the widths of a probe text in each, hashed to 12
 * hexadecimal digits.
 */
async function readFonts(page: Page, browser: Browser | null): Promise<string | null> {
  const known = browser && fontsOf.get(browser);
  if (known) return known;
  const widths = await page.evaluate(measureProbe).catch(() => null);
  if (widths === null) return null;
  const fonts = createHash('sha256').update(JSON.stringify(widths)).digest('hex').slice(0, 12);
  if (browser) fontsOf.set(browser, fonts);
  return fonts;
}

/** Runs in the page. */
function measureProbe(): number[] | null {
  const pen = document.createElement('canvas').getContext('2d');
  if (!pen) return null;
  return ['serif', 'sans-serif', 'monospace', 'system-ui', 'cursive', 'fantasy'].map((family) => {
    pen.font = `97px ${family}`;
    return pen.measureText('Hamburgefonstiv 0123456789 ÄßΩЖ 文字 😀').width;
  });
}

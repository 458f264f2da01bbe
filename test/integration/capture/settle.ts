import { type Browser, expect, type Page } from '@playwright/test';
import { type SlowSite, serveSlowly } from '../../../fixtures/settle/server.js';
import { decodeImage } from '../../../src/image/decode.js';
import { resolveSettings } from '../../../src/list/resolve/resolve-settings.js';
import { NO_CREDENTIALS } from '../../../src/list/resolve/resolve-shot.js';
import type { CaptureResult } from '../../../src/model/capture.js';
import type { EncodedImage } from '../../../src/model/image.js';
import type { SettleSwitches } from '../../../src/model/page-fields.js';
import { DEFAULTS } from '../../../src/model/page-fields.js';
import type { CaptureSettings } from '../../../src/model/shot.js';
import { type Control, openControlledPage } from '../../../src/page/browser/page-control.js';
import { capturePage } from '../../../src/page/capture-page.js';
import { test as base, readImage } from '../../e2e/direct.js';

export interface Repetitions {
  /** How often a specimen is captured again. The soak tests do so 30 times. */
  captures: number;
}

/** The `test` of the specimens in `fixtures/settle`. */
export const test = base.extend<Repetitions, { site: SlowSite }>({
  // The browser of the lists.
  browser: [async ({ launched }, use) => use(launched.browser), { scope: 'worker' }],
  captures: [1, { option: true }],
  site: [
    async ({}, use) => {
      const site = await serveSlowly();
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
});

interface Wish {
  /** Every turn has another moment. */
  readonly turn?: number;
  readonly settle?: Partial<SettleSwitches>;
  readonly settings?: Partial<CaptureSettings>;
  /** @default never: images are taken until they stand still. */
  readonly isExpected?: (bytes: Buffer) => boolean;
  readonly timeoutMs?: number;
  /** What of the page is controlled. @default its frames, if the browser lets them */
  readonly control?: Control;
  readonly after?: (page: Page) => Promise<unknown>;
}

export async function take(browser: Browser, url: string, wish: Wish): Promise<CaptureResult> {
  const { turn = 0, isExpected = () => false, timeoutMs = 30_000, control = 'frames' } = wish;
  const open = () => browser.newContext({ viewport: { width: 640, height: 480 } });
  const { page, controlled } = await openControlledPage(browser, control, open);
  const context = page.context();
  try {
    await new Promise((resolve) => setTimeout(resolve, (turn * 53) % 41));
    const target = { url, httpStatus: null, finalUrl: null, credentials: NO_CREDENTIALS };
    const settings = { ...SETTINGS, ...wish.settings, settle: { ...DEFAULTS.settle, ...wish.settle } };
    const result = await capturePage(page, target, settings, {
      timeoutMs,
      controlled,
      isExpected,
      readImage: async (bytes: Buffer) => readImage(bytes),
    });
    await wish.after?.(page);
    return result;
  } finally {
    await context.close();
  }
}

export const SETTINGS: CaptureSettings = resolveSettings({ fullSize: true }).capture;

export async function takeBaseline(
  browser: Browser,
  url: string,
  settings: Partial<CaptureSettings> = {},
): Promise<Buffer> {
  const result = await take(browser, url, { settings });
  expect(result.kind).toBe('settled');
  return result.capture.image.bytes;
}

/** Captures after which a specimen that still equals its baseline counts as stable. */
const MOST_CAPTURES = 30;

/** Captures until one is not the baseline: what moves by chance may look the same now and then. */
export async function expectAlarm(
  browser: Browser,
  url: string,
  wish: Wish,
  baseline: Buffer | Promise<Buffer>,
): Promise<void> {
  let told = 'nothing';
  for (let turn = 1; turn <= MOST_CAPTURES && !/^(another|unstable)/.test(told); turn++) {
    const [result, expected] = await Promise.all([take(browser, url, { ...wish, turn }), baseline]);
    told = tell(result, expected);
  }
  expect(told).toMatch(/^(another|unstable)/);
}

/** Some at once, so that they are in each other's way. */
export async function inTurns(turns: number, atOnce: number, work: (turn: number) => Promise<void>): Promise<void> {
  const left = range(1, Math.ceil(turns) + 1);
  const workOff = async () => {
    for (let turn = left.shift(); turn !== undefined; turn = left.shift()) await work(turn);
  };
  await Promise.all(range(0, atOnce).map(workOff));
}

export function tell({ kind, capture: { image, attempts } }: CaptureResult, baseline: Buffer): string {
  if (kind === 'unstable') return `unstable after ${attempts} images`;
  const { width, height } = image.size;
  return image.bytes.equals(baseline)
    ? `the same, image ${attempts}`
    : `another of ${width}x${height}, image ${attempts}`;
}

export function warningsOf({ capture }: CaptureResult): string[] {
  return capture.warnings.map(({ code, message }) => `${code}: ${message}`);
}

/** Gives the colors of each row, at its left edge and where the button is. */
export async function readRows(image: EncodedImage): Promise<{ left: string; right: string }[]> {
  const { width, height, data } = await decodeImage(image);
  const color = (x: number, y: number) => [0, 1, 2].map((part) => data[(y * width + x) * 4 + part]).join();
  return range(0, height).map((y) => ({ left: color(0, y), right: color(width - 40, y) }));
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

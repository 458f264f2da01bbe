import { type Browser, type BrowserContextOptions, chromium, expect, type Page, test } from '@playwright/test';
import { decodeImage } from '../../../src/image/decode.js';
import { resolveSettings } from '../../../src/list/resolve/resolve-settings.js';
import type { Pixels } from '../../../src/model/image.js';
import type { CaptureSettings } from '../../../src/model/shot.js';
import { repeatableFlags } from '../../../src/page/browser/launch.js';
import { watchNetwork } from '../../../src/page/network.js';
import { SAFE_ROWS } from '../../../src/page/plain/plain-image.js';
import { createRealClock } from '../../../src/page/plain/real-clock.js';
import { createScreenshotBackend } from '../../../src/page/screenshot/create-backend.js';
import { MAX_HEIGHT } from '../../../src/page/screenshot/screenshot-backend.js';
import { readImage as read } from '../../e2e/direct.js';
import { LAUNCH_OPTIONS } from '../../e2e/project.js';

// The camera alone: what it gives is read back row by row.
let browser: Browser;

test.beforeAll(async () => {
  browser = await chromium.launch({ ...LAUNCH_OPTIONS, args: repeatableFlags([]) });
});

test.afterAll(() => browser.close());

for (const height of [16_384, 17_000, 60_000]) {
  test(`a page of ${height} px is captured right to its last row`, async () => {
    const image = await capture(bands(height));
    expect(image.size).toEqual({ width: WIDTH, height });
    expect(wrongRows(await decodeImage(image))).toEqual([]);
  });
}

test('a tall page is captured right on a screen of another density, at either scale', async () => {
  for (const deviceScaleFactor of [2, 2.625]) {
    const image = await capture(bands(9_000), { scale: 'device' }, { deviceScaleFactor });
    expect(image.size.height).toBe(9_000 * deviceScaleFactor);
    expect(wrongRows(await decodeImage(image), deviceScaleFactor)).toEqual([]);
  }
  // Of many tiles, a fraction of a row each would add up.
  const long = await capture(bands(13_000), { scale: 'device' }, { deviceScaleFactor: 2.625 });
  expect(long.size.height).toBe(13_000 * 2.625);
  const small = await capture(bands(17_000), { scale: 'css' }, { deviceScaleFactor: 2 });
  expect(small.size).toEqual({ width: WIDTH, height: 17_000 });
  expect(wrongRows(await decodeImage(small))).toEqual([]);
});

test('a window as tall as a page is captured right', async () => {
  const viewport = { width: WIDTH, height: 20_000 };
  const image = await capture(bands(21_000), { fullSize: false }, { viewport });
  expect(image.size).toEqual(viewport);
  expect(wrongRows(await decodeImage(image))).toEqual([]);
});

for (const { deviceScaleFactor, height } of [
  { deviceScaleFactor: 1, height: 20_000 },
  { deviceScaleFactor: 2.625, height: 8_000 },
]) {
  test(`every pixel of a page with fixed and sticky parts is where a single shot has it, at ${deviceScaleFactor}`, async () => {
    const page = await open(`${STICKY}${bands(height)}`, { deviceScaleFactor });
    const camera = await cameraOf(page, { scale: 'device' });
    const joined = await decodeImage(read(await camera.shoot()));
    const single = await decodeImage(read(await page.screenshot({ fullPage: true })));
    await page.close();
    expect(joined.height).toBeGreaterThan(SAFE_ROWS);
    expect([joined.width, joined.height]).toEqual([single.width, single.height]);
    expect(Buffer.compare(joined.data, single.data)).toBe(0);
  });
}

test('an image with another height than the page is captured again, and is then an error', async () => {
  const page = await open(bands(1_000));
  const camera = await cameraOf(page);
  // Each measurement reads the height twice.
  const claim = (times: number) =>
    page.evaluate((left) => {
      const scrollHeight = { get: () => (left-- > 0 ? 1_100 : 1_000), configurable: true };
      Object.defineProperty(document.documentElement, 'scrollHeight', scrollHeight);
    }, 2 * times);
  await claim(2);
  expect(read(await camera.shoot()).size.height).toBe(1_000);
  await claim(3);
  const error = await camera.shoot().catch((cause: unknown) => cause);
  await page.close();
  expect(error).toMatchObject({ name: 'ProofsheetError', code: 'page-size' });
  expect(`${error}`).toContain(
    'about:blank: the screenshot is 1000 px tall, expected 1100 px, the height of the page. Wait until',
  );
});

test('a page above the limit is an error that names page, height and limit', async () => {
  const error = await capture(bands(60_100)).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ name: 'ProofsheetError', code: 'page-too-tall' });
  expect(`${error}`).toContain(`about:blank: the page is 60100 px tall; the maximum height is ${MAX_HEIGHT} px.`);
  expect(`${error}`).toContain('`fullSize: false`');
});

test('a tall page is a JPEG that is right, and no WebP, which cannot be so tall', async () => {
  const jpeg = await capture(bands(20_000), { format: 'jpeg' });
  expect(jpeg).toMatchObject({ codec: 'jpeg', size: { width: WIDTH, height: 20_000 } });
  expect(wrongRows(await decodeImage(jpeg))).toEqual([]);
  const webp = await capture(bands(16_383), { format: 'webp', quality: 100 });
  expect(wrongRows(await decodeImage(webp))).toEqual([]);
  const error = await capture(bands(16_384), { format: 'webp' }).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code: 'page-too-tall' });
  expect(`${error}`).toMatch(
    /the page is 16384 px tall; the maximum height of a webp image is 16383 px\. .*`format: png`/,
  );
});

const WIDTH = 320;
const SETTINGS: CaptureSettings = { ...resolveSettings({ fullSize: true }).capture, scale: 'css' };

const STICKY = `
  <div style="position: fixed; bottom: 0; width: 100%; height: 60px; background: #0af"></div>
  <div style="height: 100vh; background: #fa0"></div>
  <div style="position: sticky; top: 0; height: 50px; background: #a0f"></div>`;

/** A page whose every band of 100 px has its number in each of its rows: 16 squares, black for 1 and white for 0. */
function bands(height: number): string {
  const band = (number: number) =>
    `<i>${Array.from({ length: 16 }, (_, bit) => `<b class=b${(number >> bit) & 1}></b>`).join('')}</i>`;
  const style = `body { margin: 0 } i { display: flex; height: 100px } b { width: ${WIDTH / 16}px } .b1 { background: #000 }`;
  const all = Array.from({ length: Math.ceil(height / 100) }, (_, number) => band(number));
  return `<!doctype html><style>${style}</style><div style="height: ${height}px; overflow: hidden">${all.join('')}</div>`;
}

function wrongRows({ width, height, data }: Pixels, scale = 1): number[] {
  const square = (WIDTH / 16) * scale;
  return Array.from({ length: height }, (_, row) => row).filter((row) => {
    let number = 0;
    for (let bit = 0; bit < 16; bit++) {
      const x = Math.floor((bit + 0.5) * square);
      if ((data[(row * width + x) * 4] ?? 0) < 128) number |= 1 << bit;
    }
    // The middle of the row: at a broken scale, an edge goes through a row.
    return number !== Math.floor((row + 0.5) / scale / 100);
  });
}

async function open(content: string, options: BrowserContextOptions = {}) {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: 600 }, ...options });
  await page.setContent(content);
  return page;
}

/** The camera of a page whose frames are not controlled. */
function cameraOf(page: Page, settings: Partial<CaptureSettings> = {}) {
  const context = { page, locator: null, clock: createRealClock(watchNetwork(page)) };
  const session = () => page.context().newCDPSession(page);
  return createScreenshotBackend({ ...context, session, settings: { ...SETTINGS, ...settings } }, null);
}

async function capture(content: string, settings: Partial<CaptureSettings> = {}, options: BrowserContextOptions = {}) {
  const page = await open(content, options);
  try {
    const camera = await cameraOf(page, settings);
    return read(await camera.shoot());
  } finally {
    await page.close();
  }
}

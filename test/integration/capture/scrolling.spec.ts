import { expect, type Page } from '@playwright/test';
import { decodeImage } from '../../../src/image/decode.js';
import { captureOpenPage } from '../../../src/page/capture-page.js';
import { readImage } from '../../e2e/direct.js';
import { inTurns, range, readRows, SETTINGS, take, takeBaseline, tell, test, warningsOf } from './settle.js';

test('scroll: a feed without end is cut at the same height every time', async ({ browser, captures, site }) => {
  // Few, since each way down takes more than a second.
  const baseline = await takeBaseline(browser, `${site.url}/scroll/feed.html`);
  await inTurns(captures / 3, 3, async (turn) => {
    const result = await take(browser, `${site.url}/scroll/feed.html`, {
      turn,
      isExpected: (bytes) => bytes.equals(baseline),
    });
    expect(tell(result, baseline), `capture ${turn}`).toBe('the same, image 1');
    expect(result.capture.image.size.height).toBe(20_000);
    expect(warningsOf(result)).toEqual(['scroll: the page kept growing: the screenshot is cut off at 20000 px']);
  });
});

test('scroll: what comes while the page goes back to its top is scrolled to as well', async ({ browser, site }) => {
  const seen: unknown[] = [];
  const after = async (page: Page) => seen.push(await page.locator('.late').getAttribute('class'));
  await take(browser, `${site.url}/scroll/late.html`, { after });
  expect(seen).toEqual(['late seen']);
});

for (const [start, hash, positions] of [
  ['its top', '', [480, 960, 1020, 0]],
  // Its window grows then, and shows all of the page.
  ['an anchor', '#anchor', [480, 960, 1020, 700, 0]],
] as const)
  test(`scroll: a page that starts at ${start} is shown there last, and only then`, async ({ browser, serve }) => {
    const script = 'const shown = []; addEventListener("load", () => { onscroll = () => shown.push(scrollY) })';
    const { url } = await serve(
      () =>
        `<!doctype html><title>Page</title><style>body { margin: 0; height: 1500px }</style><p id="anchor" style="position: absolute; top: 700px; margin: 0">Page<script>${script}</script>`,
    );
    const seen: unknown[] = [];
    // The event of the anchor itself may come after the load event.
    const after = async (page: Page) =>
      seen.push(await page.evaluate('shown.filter((y, index) => y !== (shown[index - 1] ?? 700))'));
    await take(browser, `${url}/${hash}`, { isExpected: () => true, after });
    expect(seen).toEqual([positions]);
  });

test('a page as tall as the window keeps its height, and what sticks or floats is there once', async ({
  browser,
  captures,
  site,
}) => {
  await inTurns(captures / 3, 2, async (turn) => {
    const result = await take(browser, `${site.url}/hero/`, { turn });
    const rows = await readRows(result.capture.image);
    expect(rows.filter((row) => row.left === '29,59,83')).toHaveLength(480);
    expect(rows.flatMap((row, y) => (row.left === '255,0,0' ? [y] : []))).toEqual(range(480, 510));
    expect(rows.flatMap((row, y) => (row.right === '0,255,0' ? [y] : []))).toEqual(range(2460, 2500));
    expect(rows).toHaveLength(2510);
  });
});

test('what is seen in perspective is drawn, and drawn the same, wherever on the page it is', async ({
  browser,
  captures,
  site,
}) => {
  const baseline = await takeBaseline(browser, `${site.url}/depth/`);
  const size = { width: 640, height: 9000 };
  await inTurns(captures / 3, 3, async (turn) => {
    const result = await take(browser, `${site.url}/depth/`, { turn });
    expect(tell(result, baseline).replace(/, image .*/, ''), `capture ${turn}`).toBe('the same');
    expect(result.capture.image.size).toEqual(size);
  });
  const { data } = await decodeImage(readImage(baseline));
  for (const top of [600, 4300, 8200]) {
    const start = ((top + 180) * size.width + 300) * 4;
    expect([...data.subarray(start, start + 3)]).toEqual([10, 125, 77]);
  }
});

test('a real resize is told', async ({ browser, site }) => {
  const seen: unknown[] = [];
  const settings = { contentHeight: true, fullSize: false };
  const after = async (page: Page) => seen.push(await page.evaluate('resizes'));
  await take(browser, `${site.url}/hero/`, { settings, after });
  expect(seen).toEqual([['window 640x2510', 'viewport 2510', 'media query', 'hero 2510']]);
});

test('a page that is open already goes on as it was', async ({ launchOptions, playwright, site }) => {
  const browser = await playwright.chromium.launch(launchOptions);
  const page = await browser.newPage();
  await page.goto(`${site.url}/animations/`);
  await page.evaluate(() => Object.assign(window, { own: document.querySelector('marquee') }));
  const help = {
    timeoutMs: 30_000,
    isExpected: () => true,
    readImage: async (bytes: Buffer) => readImage(bytes),
  };
  await captureOpenPage({ page, locator: null }, SETTINGS, help);
  const left = await page.evaluate(() => ({
    isOwn: Reflect.get(window, 'own') === document.querySelector('marquee'),
    running: document.getAnimations().filter(({ playState }) => playState === 'running').length,
    sheets: document.adoptedStyleSheets.length,
  }));
  expect(left).toEqual({ isOwn: true, running: 3, sheets: 0 });
  await browser.close();
});

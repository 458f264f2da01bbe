import type { Page } from '@playwright/test';
import { readImageHeader } from '../../image/headers.js';
import { assertWithinLimit } from '../../image/inspect.js';
import { joinPngs } from '../../image/png/join.js';
import { ProofsheetError } from '../../model/errors.js';
import type { ImageCodec, Rectangle } from '../../model/image.js';

/** The tallest page that is captured, in CSS pixels. */
export const MOST_HEIGHT = 60_000;

/**
 * The most rows that are captured at once. A GPU draws on textures of 16,384 rows at most, and what is taller comes out cut
 * off, blank or with its head repeated, without an error: https://github.com/microsoft/playwright/issues/13496
 */
export const SAFE_ROWS = 16_000;

/** What an image is taken through: one browser's way to measure a page and to capture a part of it. */
export interface AreaCapture {
  /** Measures what is to be captured, in CSS pixels of the document. */
  measure(): Promise<Rectangle>;
  /** All of the page is captured, not the window alone. */
  readonly isWholePage: boolean;
  /** Captures all of what was measured, or one part of it. */
  shoot(part: Rectangle, isWhole: boolean): Promise<Buffer>;
  /** Rows of the image per CSS pixel. */
  readonly density: number;
  /** Rows that the browser draws per CSS pixel: at `scale: css`, it may draw more than the image gets. */
  readonly deviceScale: number;
  readonly codec: ImageCodec;
}

/** A page may grow or shrink between measuring and capturing: then it is measured anew. */
const MOST_TRIES = 3;

/**
 * Takes one image of a page, correct to its last row: a tall one in tiles, which are joined.
 *
 * @throws ProofsheetError `page-too-tall` above {@link MOST_HEIGHT} or the limit of the format, `image-too-large` above
 * MAX_PIXELS, `page-size` when the image is not as tall as the page was measured
 */
export async function captureTiles(page: Page, lens: AreaCapture): Promise<Buffer> {
  for (let tries = 1; ; tries++) {
    const area = await lens.measure();
    await checkArea(page, area, lens);
    const bytes = await shootArea(area, lens);
    const rows = readImageHeader(bytes)?.size?.height ?? 0;
    // Of the window, browsers cut off what a page that is shown smaller leaves of a row.
    if (!lens.isWholePage) return bytes;
    // A fraction of a row is drawn as a whole one, or not at all.
    if (Math.abs(rows - area.height * lens.density) < 1) return bytes;
    if (tries === MOST_TRIES) throw wrongSize(page, rows, area.height * lens.density);
  }
}

async function shootArea(area: Rectangle, lens: AreaCapture): Promise<Buffer> {
  const tiles = lens.codec === 'png' ? cutTiles(area, lens) : [area];
  return tiles.length === 1 ? lens.shoot(area, true) : joinPngs(shootTiles(tiles, lens));
}

async function* shootTiles(tiles: readonly Rectangle[], lens: AreaCapture): AsyncGenerator<Buffer> {
  for (const tile of tiles) yield await lens.shoot(tile, false);
}

function cutTiles(area: Rectangle, lens: AreaCapture): Rectangle[] {
  const step = tileHeight(lens);
  return Array.from({ length: Math.max(1, Math.ceil(area.height / step)) }, (_, index) => ({
    ...area,
    y: area.y + index * step,
    height: Math.min(step, area.height - index * step),
  }));
}

/** A tile must end at the end of a row: 1,000 CSS pixels of a screen of 2.625 are exactly 2,625 rows, 1,001 are no number. */
function tileHeight({ density, deviceScale }: AreaCapture): number {
  const most = Math.floor(SAFE_ROWS / deviceScale);
  for (let height = most; height > most / 2; height--) {
    const rows = height * density;
    if (Math.abs(rows - Math.round(rows)) < 0.001) return height;
  }
  return most;
}

async function checkArea(page: Page, { width, height }: Rectangle, lens: AreaCapture): Promise<void> {
  if (height > MOST_HEIGHT) throw tooTall(page, height, `at most ${MOST_HEIGHT} px are captured`, SHORTER);
  const { density, deviceScale, codec } = lens;
  const rows = Math.round(height * density);
  assertWithinLimit({ width: Math.round(width * density), height: rows }, page.url());
  if (codec === 'png') return;
  const most = MOST_ROWS[codec];
  if (rows > most) throw tooTall(page, rows, `a ${codec} image can have at most ${most} rows`, AS_PNG);
  if (height * deviceScale > SAFE_ROWS && (await mayDrawOnGpu(page))) {
    throw tooTall(page, rows, `a browser that draws on a GPU captures at most ${SAFE_ROWS} rows as ${codec}`, AS_PNG);
  }
}

/** https://developers.google.com/speed/webp/faq#what_is_the_maximum_size_a_webp_image_can_be, ITU T.81 B.2.2 */
const MOST_ROWS = { webp: 16_383, jpeg: 65_535 };
const AS_PNG = 'Capture it as `format: png`, which is captured in parts and joined.';
const SHORTER = 'Capture one `element` of it, or only the window (`fullSize: false`), or stop it from growing.';

function tooTall(page: Page, height: number, limit: string, advice: string): ProofsheetError {
  return new ProofsheetError({
    code: 'page-too-tall',
    where: page.url(),
    found: `the page is ${height} px tall; ${limit}`,
    advice,
  });
}

/**
 * Only a PNG can be joined from tiles. Other formats are taken at once, which is safe where the browser draws in software, as
 * it does without a screen: there 60,000 rows came out right.
 */
async function mayDrawOnGpu(page: Page): Promise<boolean> {
  const browser = page.context().browser();
  if (!browser) return true;
  // The others refuse what they cannot draw.
  if (browser.browserType().name() !== 'chromium') return false;
  const session = await browser.newBrowserCDPSession();
  const { gpu } = await session.send('SystemInfo.getInfo').finally(() => session.detach());
  return !/^(disabled|unavailable)/.test(`${Object(gpu.featureStatus).gpu_compositing}`);
}

function wrongSize(page: Page, rows: number, expected: number): ProofsheetError {
  return new ProofsheetError({
    code: 'page-size',
    where: page.url(),
    found: `its image is ${rows} px tall, expected ${Math.round(expected)} as the page was measured`,
    advice: 'Wait until the page has its size (`waitFor`, `delay`), or update the browser.',
  });
}

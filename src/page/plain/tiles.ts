import type { Page } from '@playwright/test';
import { assertWithinLimit, joinPngs, readImageHeader } from '../../image/index.js';
import { type ImageCodec, ProofsheetError, type Rectangle } from '../../model/index.js';
import { MAX_HEIGHT, SHORTER, tooTall } from '../screenshot/screenshot-backend.js';

/**
 * Maximum number of rows in one capture. GPU textures have at most 16,384 rows. A taller capture is cut off, blank or repeats
 * its top, without an error: https://github.com/microsoft/playwright/issues/13496
 */
export const SAFE_ROWS = 16_000;

/** The area to capture, in CSS pixels of the document. */
interface MeasuredArea extends Rectangle {
  /**
   * Height of what the root element scrolls. WebDriver BiDi cuts an image there, although the body may be taller.
   *
   * @default the height of the area
   */
  readonly rootHeight?: number;
}

/** Measures a page and captures parts of it. */
export interface AreaCapture {
  measure(): Promise<MeasuredArea>;
  /** Captures the whole page, not only the viewport. */
  readonly isWholePage: boolean;
  /** Captures the measured area or one part of it. */
  shoot(part: Rectangle, isWhole: boolean): Promise<Buffer>;
  /** Image rows per CSS pixel. */
  readonly density: number;
  /** Rendered rows per CSS pixel. With `scale: css` the image may have fewer rows. */
  readonly deviceScale: number;
  readonly codec: ImageCodec;
}

/** Maximum number of attempts. The page is measured again if its size changes between measuring and capturing. */
const MAX_ATTEMPTS = 3;

/**
 * Captures a page as one image. Captures a tall page in tiles and joins them.
 *
 * @throws ProofsheetError `page-too-tall` above {@link MAX_HEIGHT} or the limit of the format, `image-too-large` above
 * MAX_PIXELS, `page-size` if the height of the image differs from the measured height of the page.
 */
export async function captureTiles(page: Page, areaCapture: AreaCapture): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    const area = await areaCapture.measure();
    await checkArea(page, area, areaCapture);
    const bytes = await captureArea(area, areaCapture);
    const rows = readImageHeader(bytes)?.size?.height ?? 0;
    // Of a zoomed-out page, browsers cut off the last, partial row of the viewport. Its height is therefore not
    // checked.
    if (!areaCapture.isWholePage) return bytes;
    // Browsers round a partial row up or down.
    const isHeight = (height: number) => Math.abs(rows - height * areaCapture.density) < 1;
    if (isHeight(area.height) || isHeight(area.rootHeight ?? area.height)) return bytes;
    if (attempt === MAX_ATTEMPTS) throw sizeMismatch(page, rows, area.height * areaCapture.density);
  }
}

async function captureArea(area: Rectangle, areaCapture: AreaCapture): Promise<Buffer> {
  const tiles = areaCapture.codec === 'png' ? cutTiles(area, areaCapture) : [area];
  return tiles.length === 1 ? areaCapture.shoot(area, true) : joinPngs(captureEach(tiles, areaCapture));
}

async function* captureEach(tiles: readonly Rectangle[], areaCapture: AreaCapture): AsyncGenerator<Buffer> {
  for (const tile of tiles) yield await areaCapture.shoot(tile, false);
}

function cutTiles(area: Rectangle, areaCapture: AreaCapture): Rectangle[] {
  const step = tileHeight(areaCapture);
  return Array.from({ length: Math.max(1, Math.ceil(area.height / step)) }, (_, index) => ({
    ...area,
    y: area.y + index * step,
    height: Math.min(step, area.height - index * step),
  }));
}

/**
 * Returns a tile height with a whole number of rows. At a density of 2.625, 1,000 CSS pixels are 2,625 rows; 1,001 are
 * 2,627.6.
 */
function tileHeight({ density, deviceScale }: AreaCapture): number {
  const maxHeight = Math.floor(SAFE_ROWS / deviceScale);
  for (let height = maxHeight; height > maxHeight / 2; height--) {
    const rows = height * density;
    if (Math.abs(rows - Math.round(rows)) < 0.001) return height;
  }
  return maxHeight;
}

async function checkArea(page: Page, { width, height }: Rectangle, areaCapture: AreaCapture): Promise<void> {
  if (height > MAX_HEIGHT) throw tooTall(page, height, `the maximum height is ${MAX_HEIGHT} px`, SHORTER);
  const { density, deviceScale, codec } = areaCapture;
  const rows = Math.round(height * density);
  assertWithinLimit({ width: Math.round(width * density), height: rows }, page.url());
  if (codec === 'png') return;
  const maxRows = MAX_ROWS[codec];
  if (rows > maxRows) throw tooTall(page, rows, `the maximum height of a ${codec} image is ${maxRows} px`, AS_PNG);
  if (height * deviceScale > SAFE_ROWS && (await mayDrawOnGpu(page))) {
    throw tooTall(
      page,
      rows,
      `the maximum height of a ${codec} image is ${SAFE_ROWS} px if the browser uses a GPU`,
      AS_PNG,
    );
  }
}

/** https://developers.google.com/speed/webp/faq#what_is_the_maximum_size_a_webp_image_can_be, ITU T.81 B.2.2 */
const MAX_ROWS = { webp: 16_383, jpeg: 65_535 };
const AS_PNG = 'Use `format: png`, which has no such limit.';

/**
 * Returns false if the browser renders in software. Only PNG tiles can be joined, so other formats need a single
 * capture. That is safe with software rendering, which headless browsers use: captures of 60,000 rows were correct.
 */
async function mayDrawOnGpu(page: Page): Promise<boolean> {
  const browser = page.context().browser();
  if (!browser) return true;
  // Other browsers fail with an error if they cannot render the page.
  if (browser.browserType().name() !== 'chromium') return false;
  const session = await browser.newBrowserCDPSession();
  const { gpu } = await session.send('SystemInfo.getInfo').finally(() => session.detach());
  return !/^(disabled|unavailable)/.test(`${Object(gpu.featureStatus).gpu_compositing}`);
}

function sizeMismatch(page: Page, rows: number, expected: number): ProofsheetError {
  return new ProofsheetError({
    code: 'page-size',
    where: page.url(),
    found: `the screenshot is ${rows} px tall, expected ${Math.round(expected)} px, the height of the page`,
    advice: 'Wait until the page has its final size with `waitFor` or `delay`, or update the browser.',
  });
}

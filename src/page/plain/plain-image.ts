import type { Page, PageScreenshotOptions } from '@playwright/test';
import { assertWithinLimit, joinPngs, readImageHeader } from '../../image/index.js';
import { ProofsheetError, type Rectangle } from '../../model/index.js';
import {
  type BackendContext,
  encodingOptions,
  imageCodecOf,
  MAX_HEIGHT,
  type Part,
  retryRefused,
  SHORTER,
  tooTall,
} from '../screenshot/screenshot-backend.js';

/**
 * Maximum number of rows in one capture. Taller than the textures of a GPU, it is cut off, blank or repeats its top, without an error:
 * https://github.com/microsoft/playwright/issues/13496
 */
export const SAFE_ROWS = 16_000;

/** The page is measured again if its size changes between measuring and capturing. */
const MAX_ATTEMPTS = 3;

/** The pixels of an image for each CSS pixel, and those that are rendered: with `scale: css`, the image may have fewer. */
interface Densities {
  readonly density: number;
  readonly deviceScale: number;
}

/**
 * Takes the image that Playwright's `page.screenshot` shows. That of a tall page is joined of tiles.
 *
 * @throws ProofsheetError `page-too-tall` above {@link MAX_HEIGHT} or the limit of the format, `image-too-large` above
 * MAX_PIXELS, `page-size` if the height of the image differs from the measured height of the page.
 */
export async function shootPlain(
  { page, locator, clock, settings }: BackendContext,
  { cutAt, clip }: Part,
  deviceScale: number,
): Promise<Buffer> {
  const { fullSize, scale, settle } = settings;
  const options: PageScreenshotOptions = {
    ...encodingOptions(settings),
    caret: settle.caret ? 'hide' : 'initial',
    animations: settle.animations ? 'disabled' : 'allow',
  };
  const shoot = (take: () => Promise<Buffer>) => clock.standing(() => retryRefused(take));
  if (locator) return shoot(() => locator.screenshot(options));
  const densities = { density: scale === 'css' ? 1 : deviceScale, deviceScale };
  for (let attempt = 1; ; attempt++) {
    const measured = await page.evaluate(measurePage);
    const window = page.viewportSize() ?? measured.window;
    const whole = { x: 0, y: 0, ...measured.content, height: cutAt ?? measured.content.height };
    const area = clip ?? (fullSize ? whole : { ...measured.scroll, ...window });
    await checkArea(page, area, imageCodecOf(settings), densities);
    const tiles = imageCodecOf(settings) === 'png' ? cutTiles(area, densities) : [area];
    // Without a clip, Playwright would measure the page again.
    const isWindow = tiles.length === 1 && !fullSize;
    const shootTile = (tile: Rectangle) =>
      shoot(() => page.screenshot(isWindow ? options : { ...options, fullPage: true, clip: tile }));
    const bytes = await (tiles.length === 1 ? shootTile(area) : joinPngs(shootEach(tiles, shootTile)));
    // Of a zoomed-out page, browsers cut off the last, partial row of the viewport.
    if (!fullSize) return bytes;
    const rows = readImageHeader(bytes)?.size?.height ?? 0;
    // Browsers round a partial row up or down. WebDriver BiDi cuts an image where the root element ends, although the body may be taller.
    const heights = clip || cutAt !== null ? [area.height] : [area.height, measured.rootHeight];
    if (heights.some((height) => Math.abs(rows - height * densities.density) < 1)) return bytes;
    if (attempt < MAX_ATTEMPTS) continue;
    const expected = Math.round(area.height * densities.density);
    throw new ProofsheetError({
      code: 'page-size',
      where: page.url(),
      found: `the screenshot is ${rows} px tall, expected ${expected} px, the height of the page`,
      advice: 'Wait until the page has its final size with `waitFor` or `delay`, or update the browser.',
    });
  }
}

async function* shootEach(
  tiles: readonly Rectangle[],
  shoot: (tile: Rectangle) => Promise<Buffer>,
): AsyncGenerator<Buffer> {
  for (const tile of tiles) yield await shoot(tile);
}

/** Runs in the page. Uses the same formula as Playwright. */
function measurePage() {
  const boxes = [document.documentElement, ...(document.body ? [document.body] : [])];
  return {
    scroll: { x: scrollX, y: scrollY },
    window: { width: innerWidth, height: innerHeight },
    rootHeight: document.documentElement.scrollHeight,
    deviceScale: devicePixelRatio,
    content: {
      width: Math.max(...boxes.flatMap((box) => [box.scrollWidth, box.offsetWidth, box.clientWidth])),
      height: Math.max(...boxes.flatMap((box) => [box.scrollHeight, box.offsetHeight, box.clientHeight])),
    },
  };
}

/**
 * Cuts an area into tiles with a whole number of rows, if there is such a height. At a density of 2.625, 1,000 CSS pixels are 2,625 rows;
 * 1,001 are 2,627.6.
 */
function cutTiles(area: Rectangle, { density, deviceScale }: Densities): Rectangle[] {
  const maxHeight = Math.floor(SAFE_ROWS / deviceScale);
  const isWhole = (height: number) => Math.abs(height * density - Math.round(height * density)) < 0.001;
  let step = maxHeight;
  while (step > maxHeight / 2 && !isWhole(step)) step--;
  if (!isWhole(step)) step = maxHeight;
  return Array.from({ length: Math.max(1, Math.ceil(area.height / step)) }, (_, index) => ({
    ...area,
    y: area.y + index * step,
    height: Math.min(step, area.height - index * step),
  }));
}

/** https://developers.google.com/speed/webp/faq#what_is_the_maximum_size_a_webp_image_can_be, ITU T.81 B.2.2 */
const MAX_ROWS = { png: Number.POSITIVE_INFINITY, webp: 16_383, jpeg: 65_535 };
const AS_PNG = 'Use `format: png`, which has no such limit.';

async function checkArea(
  page: Page,
  { width, height }: Rectangle,
  codec: keyof typeof MAX_ROWS,
  { density, deviceScale }: Densities,
): Promise<void> {
  if (height > MAX_HEIGHT) throw tooTall(page, height, `the maximum height is ${MAX_HEIGHT} px`, SHORTER);
  const rows = Math.round(height * density);
  assertWithinLimit({ width: Math.round(width * density), height: rows }, page.url());
  const limit = `the maximum height of a ${codec} image is`;
  const maxRows = MAX_ROWS[codec];
  if (rows > maxRows) throw tooTall(page, rows, `${limit} ${maxRows} px`, AS_PNG);
  if (codec !== 'png' && height * deviceScale > SAFE_ROWS && (await mayDrawOnGpu(page)))
    throw tooTall(page, rows, `${limit} ${SAFE_ROWS} px if the browser uses a GPU`, AS_PNG);
}

/** Checks whether a window as tall as the page can be drawn: it cannot be joined of tiles. */
export async function fitsWindow(page: Page): Promise<boolean> {
  const { content, deviceScale } = await page.evaluate(measurePage);
  return content.height * deviceScale <= SAFE_ROWS || !(await mayDrawOnGpu(page));
}

/** With software rendering, which headless browsers use, captures of 60,000 rows were correct. */
async function mayDrawOnGpu(page: Page): Promise<boolean> {
  const browser = page.context().browser();
  if (!browser) return true;
  // Other browsers fail with an error if they cannot render the page.
  if (browser.browserType().name() !== 'chromium') return false;
  const session = await browser.newBrowserCDPSession();
  const { gpu } = await session.send('SystemInfo.getInfo').finally(() => session.detach());
  return !/^(disabled|unavailable)/.test(`${Object(gpu.featureStatus).gpu_compositing}`);
}

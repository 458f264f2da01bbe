import type { Locator, Page, PageScreenshotOptions } from '@playwright/test';
import { assertWithinLimit, cropPixels, decodePng, encodePng, isWithin, normalizePdf } from '../../image/index.js';
import { codecOf, type ImageCodec, ProofsheetError, type Rectangle, type Size } from '../../model/index.js';
import type { CaptureContext } from '../capture-context.js';
import { captureTiles } from './tiles.js';

/** Takes images of a page in its current state. */
export interface ScreenshotBackend {
  /** @throws ProofsheetError `page-too-tall`, `image-too-large` or `page-size` */
  shoot(): Promise<Buffer>;
  /** Device pixels per CSS pixel. */
  readonly deviceScale: number;
}

/** The page to capture, or one element of it. */
export type Subject = { readonly page: Page; readonly locator: Locator | null };

const NOTHING: Size = { width: 0, height: 0 };

type BackendContext = Pick<CaptureContext, 'page' | 'state' | 'clock' | 'settings'>;

/**
 * Creates the backend for a page. The clock draws the frame that is the image, where it draws frames. Playwright takes the image of all other
 * pages, and of a part of a page.
 *
 * @param cutAt - maximum height of a full page, in CSS pixels; null for no limit
 */
export async function createScreenshotBackend(
  context: BackendContext,
  subject: Subject,
  cutAt: number | null,
): Promise<ScreenshotBackend> {
  const { page, clock, settings } = context;
  if (settings.format === 'pdf') return createPrinter(context);
  const deviceScale = await page.evaluate(() => window.devicePixelRatio);
  return clock.drawsFrames
    ? createFrameBackend(context, subject, cutAt, deviceScale)
    : createPlainBackend(context, subject, deviceScale);
}

/** @throws ProofsheetError `page-selector` if the locator does not match exactly one visible element in time. */
export async function awaitElement(locator: Locator, waitMs: number): Promise<void> {
  try {
    await locator.waitFor({ state: 'visible', timeout: waitMs });
  } catch {
    const count = await locator.count();
    throw new ProofsheetError({
      code: 'page-selector',
      where: locator.page().url(),
      found: `${locator} ${count === 1 ? 'is not visible' : `matches ${count} elements, expected 1`}`,
      advice: 'Use a locator that matches exactly one visible element.',
    });
  }
}

/** The paper size of a page without `@page { size }`. */
const PAPER = 'A4';

/**
 * Creates a backend that prints the page as a PDF, with backgrounds and with the paper size of its style.
 *
 * Removes the timestamps that the browser writes into a PDF, so that the same page produces the same bytes.
 */
function createPrinter({ page, clock }: BackendContext): ScreenshotBackend {
  const options = { format: PAPER, printBackground: true, preferCSSPageSize: true };
  return { deviceScale: 1, shoot: async () => normalizePdf(await clock.during(page.pdf(options))) };
}

/** Creates the backend that takes the image of one frame, in a window that shows all that is to be captured. */
function createFrameBackend(
  { page, state, clock, settings }: BackendContext,
  { locator }: Subject,
  cutAt: number | null,
  deviceScale: number,
): ScreenshotBackend {
  const codec = imageCodecOf(settings);
  const areaOf = async (): Promise<Rectangle | null> => {
    const window = page.viewportSize() ?? NOTHING;
    const box = locator ? await locator.boundingBox() : null;
    if (box) return roundOut(box);
    const session = await state.session();
    const { cssContentSize } = await session.send('Page.getLayoutMetrics');
    const width = settings.fullSize ? Math.max(window.width, Math.ceil(cssContentSize.width)) : window.width;
    const height = cutAt ?? window.height;
    const isWindow = width === window.width && height === window.height;
    return isWindow ? null : { x: 0, y: 0, width, height };
  };
  return {
    deviceScale,
    async shoot() {
      const area = await areaOf();
      const { width, height } = area ?? page.viewportSize() ?? NOTHING;
      const density = settings.scale === 'css' ? 1 : deviceScale;
      assertWithinLimit({ width: Math.round(width * density), height: Math.round(height * density) }, page.url());
      if (deviceScale === 1 && area === null) return clock.shoot(codec, settings.quality);
      const window = { x: 0, y: 0, ...(page.viewportSize() ?? NOTHING) };
      if (deviceScale === 1 && codec === 'png' && area && isWithin(area, window))
        return cropPng(await clock.shoot('png', 100), area);
      return clock.standing(
        page.screenshot({
          ...plainOptions(settings),
          animations: 'allow',
          caret: 'initial',
          // What lies beyond the window is drawn only for a full page.
          ...(area && { clip: area, fullPage: true }),
        }),
      );
    },
  };
}

async function cropPng(bytes: Buffer, area: Rectangle): Promise<Buffer> {
  return encodePng(cropPixels(await decodePng(bytes), area));
}

/** Playwright rounds the box of an element in the same way. */
function roundOut({ x, y, width, height }: Rectangle): Rectangle {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}

/** Creates the backend that takes what Playwright's `page.screenshot` shows. */
function createPlainBackend(
  { page, clock, settings }: BackendContext,
  { locator }: Subject,
  deviceScale: number,
): ScreenshotBackend {
  const { fullSize, scale } = settings;
  const options = plainOptions(settings);
  if (locator) return { deviceScale, shoot: () => clock.during(locator.screenshot(options)) };
  const area = {
    codec: imageCodecOf(settings),
    isWholePage: fullSize,
    density: scale === 'css' ? 1 : deviceScale,
    deviceScale,
    async measure() {
      const { scroll, window, content } = await page.evaluate(measurePage);
      return fullSize ? { x: 0, y: 0, ...content } : { ...scroll, ...(page.viewportSize() ?? window) };
    },
    // Without a clip, Playwright would measure the page again.
    shoot: (part: Rectangle, isWhole: boolean) =>
      clock.during(page.screenshot(isWhole && !fullSize ? options : { ...options, fullPage: true, clip: part })),
  };
  return { deviceScale, shoot: () => captureTiles(page, area) };
}

/** Runs in the page. Uses the same formula as Playwright. */
function measurePage(): { scroll: { x: number; y: number }; window: Size; content: Size } {
  const boxes = [document.documentElement, ...(document.body ? [document.body] : [])];
  return {
    scroll: { x: scrollX, y: scrollY },
    window: { width: innerWidth, height: innerHeight },
    content: {
      width: Math.max(...boxes.flatMap((box) => [box.scrollWidth, box.offsetWidth, box.clientWidth])),
      height: Math.max(...boxes.flatMap((box) => [box.scrollHeight, box.offsetHeight, box.clientHeight])),
    },
  };
}

function imageCodecOf({ format }: Pick<CaptureContext['settings'], 'format'>): ImageCodec {
  return codecOf(format === 'pdf' ? 'png' : format);
}

function plainOptions({ format, quality, scale, settle }: CaptureContext['settings']): PageScreenshotOptions {
  const type = imageCodecOf({ format });
  return {
    type,
    scale,
    caret: settle.caret ? 'hide' : 'initial',
    animations: settle.animations ? 'disabled' : 'allow',
    ...(type === 'png' ? {} : { quality }),
  };
}

import type { CDPSession, Locator, Page, PageScreenshotOptions } from '@playwright/test';
import { isChromium, type PageState } from '../../browser/page-state.js';
import { pause } from '../../browser/timing.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import { codecOf, type ImageFormat, type Rectangle, type Size } from '../../model/image.js';
import type { CaptureSettings } from '../../model/shot.js';
import { pinFonts } from './pin-fonts.js';
import type { DrawPart } from './scaled-images.js';
import { type AreaCapture, captureTiles, SAFE_ROWS } from './tiles.js';

/** Captures screenshots of a page in its current state. */
export interface ScreenshotBackend {
  /**
   * Captures one image.
   *
   * @param prepare - runs directly before the image is taken; for a tall page, before each part of it. By default, nothing does
   * @throws ProofsheetError `page-too-tall`, `image-too-large` or `page-size`
   */
  shoot(prepare?: () => Promise<void>): Promise<Buffer>;
  /**
   * Forces the browser to render the page again. Otherwise it may reuse layers that it rendered earlier at another
   * scale.
   *
   * @param has3dTransforms the page has elements with perspective, whose layers render in two ways at random.
   */
  redraw(has3dTransforms: boolean): Promise<void>;
  /** Null if the backend cannot choose when the page is rendered. */
  readonly draw: DrawPart | null;
  /** Device pixels per CSS pixel. */
  readonly deviceScale: number;
}

/** The page to capture, or one element of it. */
export type Subject = { readonly page: Page; readonly locator: Locator | null };

/** Settings of a screenshot backend. */
export type BackendSettings = Pick<CaptureSettings, 'quality' | 'fullSize' | 'scale'> & {
  readonly format: ImageFormat;
  /** The browser renders beyond the viewport on request. */
  readonly drawsBeyondWindow: boolean;
  /** Maximum height of a full page, in CSS pixels; null for no limit. */
  readonly cutAt: number | null;
};

/**
 * Creates the screenshot backend for a page.
 *
 * Uses CDP in Chromium, which encodes PNG 1.3 to 2.8 times faster than Playwright's `page.screenshot`. Uses Playwright
 * for elements, for other browsers and for other device scale factors, which are unknown to a separate CDP session.
 */
export async function createScreenshotBackend(
  { page, locator }: Subject,
  state: PageState,
  settings: BackendSettings,
  waitMs: number,
): Promise<ScreenshotBackend> {
  if (locator) await awaitElement(locator, waitMs);
  const deviceScale = await readDeviceScale(page, state);
  const usesCdp = isChromium(page) && !locator && deviceScale === 1;
  const exceedsViewport = locator !== null || settings.fullSize;
  if (isChromium(page) && exceedsViewport && !(usesCdp && settings.drawsBeyondWindow)) await pinFonts(page, state);
  if (locator) {
    const shootElement = async (prepare?: () => Promise<void>) => {
      await prepare?.();
      return locator.screenshot(playwrightOptions(settings));
    };
    return { deviceScale, shoot: shootElement, redraw: async () => {}, draw: null };
  }
  const session = usesCdp ? await state.session() : null;
  const areaCapture = session ? cdpCapture(session, page, settings) : playwrightCapture(page, settings, deviceScale);
  const draw = session && ((part: Rectangle | null) => drawWithCdp(session, areaCapture, settings, part, () => 1));
  const redraw = async (has3dTransforms: boolean) => {
    // Playwright has no API to force a redraw.
    if (!session) return;
    await drawWithCdp(session, areaCapture, settings, null, redrawScale);
    // The first frame after a change of scale may lack a layer.
    if (has3dTransforms) await drawWithCdp(session, areaCapture, settings, null, () => 1);
  };
  const shoot = (prepare?: () => Promise<void>) => {
    const shootPart: AreaCapture['shoot'] = async (part, isWhole) => {
      await prepare?.();
      return areaCapture.shoot(part, isWhole);
    };
    return captureTiles(page, { ...areaCapture, shoot: shootPart });
  };
  return { deviceScale, shoot, redraw, draw };
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

/** Reads the device pixel ratio once per page. */
export async function readDeviceScale(page: Page, state: PageState): Promise<number> {
  state.deviceScale ??= await page.evaluate(() => window.devicePixelRatio);
  return state.deviceScale;
}

/**
 * Captures an image and discards it.
 *
 * @param part - in CSS pixels of the document; null: the whole area
 * @param scaleOf - returns the scale of the image
 */
async function drawWithCdp(
  session: CDPSession,
  areaCapture: AreaCapture,
  settings: BackendSettings,
  part: Rectangle | null,
  scaleOf: (area: Size) => number,
): Promise<void> {
  const whole = await areaCapture.measure();
  const { x, y, width, height } = part ? cutToArea(part, whole) : whole;
  if (width <= 0 || height <= 0) return;
  const area = { x, y, width, height: Math.min(height, SAFE_ROWS) };
  const captureBeyondViewport = areaCapture.isWholePage && !settings.drawsBeyondWindow;
  const clip = { ...area, scale: scaleOf(area) };
  const image = { format: 'jpeg', quality: 1, optimizeForSpeed: true, captureBeyondViewport, clip } as const;
  await retryBusy(() => session.send('Page.captureScreenshot', image));
}

/** Returns the part of a rectangle that is within an area, in whole pixels. Its size is 0 or less if nothing is. */
function cutToArea(part: Rectangle, area: Rectangle): Rectangle {
  const x = Math.max(Math.floor(part.x), area.x);
  const y = Math.max(Math.floor(part.y), area.y);
  const right = Math.min(Math.ceil(part.x + part.width), area.x + area.width);
  const bottom = Math.min(Math.ceil(part.y + part.height), area.y + area.height);
  return { x, y, width: right - x, height: bottom - y };
}

/**
 * Returns the scale of the image that forces a redraw: 1/64, or as much as leaves one pixel. It is very small, because layers rendered
 * for this scale and for the page cannot replace each other. It is a power of two, because Chromium may calculate the scale of the next
 * image from it: after 0.02, 7 % of the images of a busy browser had other pixels at the edges of SVG shapes.
 */
export function redrawScale({ width, height }: Size): number {
  return Math.max(1 / 64, 2 ** Math.ceil(-Math.log2(Math.min(width, height))));
}

/** Retries a capture: on a busy machine Chromium sometimes produces no frame in time. */
async function retryBusy<T>(shoot: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await shoot();
    } catch (cause) {
      if (attempt === MAX_ATTEMPTS || !/Unable to capture screenshot/.test(messageOf(cause))) throw cause;
      await pause(100 * attempt);
    }
  }
}

const MAX_ATTEMPTS = 5;

function cdpCapture(session: CDPSession, page: Page, settings: BackendSettings): AreaCapture {
  const { format, quality, fullSize, cutAt, drawsBeyondWindow } = settings;
  const codec = codecOf(format);
  let window: Size = { width: 0, height: 0 };
  return {
    codec,
    isWholePage: fullSize,
    density: 1,
    deviceScale: 1,
    async measure() {
      const { cssContentSize, cssVisualViewport } = await session.send('Page.getLayoutMetrics');
      const { pageX: x, pageY: y, clientWidth: width, clientHeight: height } = cssVisualViewport;
      window = page.viewportSize() ?? { width, height };
      return fullSize ? { x: 0, y: 0, ...cutOff(wholePage(cssContentSize, window), cutAt) } : { x, y, ...window };
    },
    shoot: (part, isWhole) =>
      retryBusy(async () => {
        const { data } = await session.send('Page.captureScreenshot', {
          format: codec,
          ...(codec === 'png' ? {} : { quality }),
          clip: { ...part, scale: 1 },
          // Set only if necessary: the browser resizes the viewport to 1x1 for a moment and renders everything again.
          captureBeyondViewport:
            !drawsBeyondWindow && (!isWhole || part.height > window.height || part.width > window.width),
          optimizeForSpeed: true,
        });
        return Buffer.from(data, 'base64');
      }),
  };
}

function wholePage(content: Size, window: Size): Size {
  return {
    width: Math.max(Math.ceil(content.width), window.width),
    height: Math.max(Math.ceil(content.height), window.height),
  };
}

function cutOff({ width, height }: Size, cutAt: number | null): Size {
  return { width, height: cutAt === null ? height : Math.min(height, cutAt) };
}

function playwrightCapture(page: Page, settings: BackendSettings, deviceScale: number): AreaCapture {
  const { format, fullSize, scale, cutAt } = settings;
  const options = playwrightOptions(settings);
  return {
    codec: codecOf(format),
    isWholePage: fullSize,
    density: scale === 'css' ? 1 : deviceScale,
    deviceScale,
    async measure() {
      const { scroll, window, content } = await page.evaluate(measurePage);
      return fullSize ? { x: 0, y: 0, ...cutOff(content, cutAt) } : { ...scroll, ...(page.viewportSize() ?? window) };
    },
    // Without a clip, Playwright would measure the page again.
    shoot: (part, isWhole) =>
      page.screenshot(isWhole && !fullSize ? options : { ...options, fullPage: true, clip: part }),
  };
}

/** Runs in the page. Uses the same formula as Playwright. */
function measurePage() {
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

function playwrightOptions({ format, quality, fullSize, scale }: BackendSettings): PageScreenshotOptions {
  const type = codecOf(format);
  return {
    type,
    fullPage: fullSize,
    scale,
    caret: 'hide',
    animations: 'disabled',
    ...(type === 'png' ? {} : { quality }),
  };
}

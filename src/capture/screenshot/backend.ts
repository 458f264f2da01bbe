import type { CDPSession, Locator, Page, PageScreenshotOptions } from '@playwright/test';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import { codecOf, type ImageFormat, type Size } from '../../model/image.js';
import type { CaptureSettings } from '../../model/shot.js';
import { pinFonts } from './pin-fonts.js';
import { type AreaCapture, captureTiles, SAFE_ROWS } from './tiles.js';

/** Takes one image of a page as it is now. */
export interface ScreenshotBackend {
  /** @throws ProofsheetError `page-too-tall`, `image-too-large` or `page-size` where there can be no right image. */
  shoot(): Promise<Buffer>;
  /**
   * Has the browser draw the page anew: what it has drawn before, at a scale that was right on the way to here, it may keep
   * for ever.
   *
   * @param isDeep something is seen in perspective: such a layer came out in two ways, by chance.
   */
  redraw(isDeep: boolean): Promise<void>;
  /** Returns the device pixels per CSS pixel. */
  readonly deviceScale: number;
}

/** What is captured: a page, or one element of it. */
export type Subject = { readonly page: Page; readonly locator: Locator | null };

/** What a camera needs to know of the settings. */
export type BackendSettings = Pick<CaptureSettings, 'quality' | 'fullSize' | 'scale'> & {
  readonly format: ImageFormat;
  /** The browser draws what lies beyond its window when it is asked to. */
  readonly drawsBeyondWindow: boolean;
  /** Where a whole page is cut, in CSS pixels from its top; null: nowhere. */
  readonly cutAt: number | null;
};

/**
 * Creates the camera for a page: Chromium's own protocol where there is one, which encodes PNG 1.3 to 2.8 times faster than
 * Playwright asks it to; Playwright's own call for an element, for other browsers, and for screens of another density, of
 * which a session of our own knows nothing.
 */
export async function createScreenshotBackend(
  { page, locator }: Subject,
  settings: BackendSettings,
  waitMs: number,
): Promise<ScreenshotBackend> {
  if (locator) await awaitElement(locator, waitMs);
  const deviceScale = await deviceScaleOf(page);
  const drawsByProtocol = isChromium(page) && !locator && deviceScale === 1;
  const reachesBeyond = locator !== null || settings.fullSize;
  if (isChromium(page) && reachesBeyond && !(drawsByProtocol && settings.drawsBeyondWindow)) await pinFonts(page);
  if (locator) return { deviceScale, shoot: () => locator.screenshot(playwrightOptions(settings)), redraw: noRedraw };
  const session = drawsByProtocol ? await sessionOf(page) : null;
  const lens = session ? cdpCapture(session, page, settings) : playwrightCapture(page, settings, deviceScale);
  const redraw = session ? (isDeep: boolean) => redrawByProtocol(session, lens, settings, isDeep) : noRedraw;
  return { deviceScale, shoot: () => captureTiles(page, lens), redraw };
}

/** @throws ProofsheetError `page-selector` where there is not exactly one element to be seen in time. */
async function awaitElement(locator: Locator, waitMs: number): Promise<void> {
  try {
    await locator.waitFor({ state: 'visible', timeout: waitMs });
  } catch {
    const count = await locator.count();
    throw new ProofsheetError({
      code: 'page-selector',
      where: locator.page().url(),
      found: `${locator} ${count === 0 ? 'matches nothing' : count === 1 ? 'is not visible' : `matches ${count} elements`}`,
      advice: 'Give a locator of one element that is on the page and visible.',
    });
  }
}

/** It is the context's: asked for once. */
async function deviceScaleOf(page: Page): Promise<number> {
  const scale = scales.get(page) ?? (await page.evaluate(() => window.devicePixelRatio));
  scales.set(page, scale);
  return scale;
}

const scales = new WeakMap<Page, number>();

function isChromium(page: Page): boolean {
  return page.context().browser()?.browserType().name() === 'chromium';
}

/** One for as long as the page lives. */
async function sessionOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  return session;
}

const sessions = new WeakMap<Page, CDPSession>();

/** Playwright has no way to ask for it. */
async function noRedraw(): Promise<void> {}

/**
 * A throw-away image that is so small that nothing which was drawn before can serve for it, nor for the next. In perspective
 * another one, of the page's own size: the first frame after a change of scale may lack a layer, which the next one has.
 */
async function redrawByProtocol(
  session: CDPSession,
  lens: AreaCapture,
  settings: BackendSettings,
  isDeep: boolean,
): Promise<void> {
  const whole = await lens.measure();
  const area = { ...whole, height: Math.min(whole.height, SAFE_ROWS) };
  const captureBeyondViewport = lens.isWholePage && !settings.drawsBeyondWindow;
  const small = Math.max(REDRAW_SCALE, 1 / area.width, 1 / area.height);
  for (const scale of isDeep ? [small, 1] : [small]) {
    const clip = { ...area, scale };
    const image = { format: 'jpeg', quality: 1, optimizeForSpeed: true, captureBeyondViewport, clip } as const;
    await retryBusy(() => session.send('Page.captureScreenshot', image));
  }
}

const REDRAW_SCALE = 0.02;

/** On a busy machine Chromium now and then has no frame to give in time; the next moment it has. */
async function retryBusy<T>(shoot: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await shoot();
    } catch (cause) {
      if (tries === MOST_TRIES || !/Unable to capture screenshot/.test(messageOf(cause))) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 100 * tries));
    }
  }
}

const MOST_TRIES = 5;

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
          // Set only where it is needed: it has the browser make its window 1x1 for a moment, and draw all anew.
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
    // Without a clip, it would measure the page once more by itself.
    shoot: (part, isWhole) =>
      page.screenshot(isWhole && !fullSize ? options : { ...options, fullPage: true, clip: part }),
  };
}

/** Runs in the page. Measures it as Playwright does. */
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

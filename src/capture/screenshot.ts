import type { CDPSession, Locator, Page, PageScreenshotOptions } from '@playwright/test';
import { messageOf, ProofsheetError } from '../model/errors.js';
import type { Size } from '../model/image.js';
import { codecOf } from '../model/image.js';
import type { CaptureSettings } from '../model/plan.js';

/** Takes one image of a page as it is now. */
export interface Camera {
  shoot(): Promise<Buffer>;
  /** Gives the device pixels per CSS pixel. */
  readonly deviceScale: number;
}

/** What is captured: a page, or one element of it. */
export type Subject = { readonly page: Page; readonly locator: Locator | null };

/**
 * Creates the camera for a page: Chromium's own protocol where there is one, which encodes PNG 1.3 to 2.8 times faster than
 * Playwright asks it to; Playwright's own call for an element, for other browsers, and for screens of another density, of
 * which a session of our own knows nothing.
 */
export async function createCamera(
  { page, locator }: Subject,
  settings: CaptureSettings,
  waitMs: number,
): Promise<Camera> {
  if (locator) await awaitElement(locator, waitMs);
  const deviceScale = await page.evaluate(() => window.devicePixelRatio);
  const session = locator || deviceScale !== 1 ? null : await openSession(page);
  if (session) return { deviceScale, shoot: () => retryBusy(() => shootByProtocol(session, page, settings)) };
  const target = locator ?? page;
  return { deviceScale, shoot: () => target.screenshot(playwrightOptions(settings)) };
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

async function openSession(page: Page): Promise<CDPSession | null> {
  if (page.context().browser()?.browserType().name() !== 'chromium') return null;
  return page.context().newCDPSession(page);
}

/** On a busy machine Chromium now and then has no frame to give in time; the next moment it has. */
async function retryBusy(shoot: () => Promise<Buffer>): Promise<Buffer> {
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

async function shootByProtocol(
  session: CDPSession,
  page: Page,
  { format, quality, fullSize }: CaptureSettings,
): Promise<Buffer> {
  const { cssContentSize, cssVisualViewport } = await session.send('Page.getLayoutMetrics');
  const viewport = page.viewportSize() ?? {
    width: cssVisualViewport.clientWidth,
    height: cssVisualViewport.clientHeight,
  };
  const area = fullSize ? wholePage(cssContentSize, viewport) : viewport;
  const codec = codecOf(format);
  const { data } = await session.send('Page.captureScreenshot', {
    format: codec,
    ...(codec === 'png' ? {} : { quality }),
    clip: {
      x: fullSize ? 0 : cssVisualViewport.pageX,
      y: fullSize ? 0 : cssVisualViewport.pageY,
      ...area,
      scale: 1,
    },
    // Set only where it is needed: it makes the browser lay out a larger surface first.
    captureBeyondViewport: area.height > viewport.height || area.width > viewport.width,
    optimizeForSpeed: true,
  });
  return Buffer.from(data, 'base64');
}

function wholePage(content: Size, viewport: Size): Size {
  return {
    width: Math.max(Math.ceil(content.width), viewport.width),
    height: Math.max(Math.ceil(content.height), viewport.height),
  };
}

function playwrightOptions({ format, quality, fullSize, scale }: CaptureSettings): PageScreenshotOptions {
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

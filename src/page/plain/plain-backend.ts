import type { PageScreenshotOptions } from '@playwright/test';
import type { Rectangle, Size } from '../../model/index.js';
import {
  type BackendContext,
  encodingOptions,
  imageCodecOf,
  retryRefused,
  type ScreenshotBackend,
  type Subject,
} from '../screenshot/screenshot-backend.js';
import { captureTiles } from './tiles.js';

/**
 * Creates the backend that takes what Playwright's `page.screenshot` shows.
 *
 * @param clip - the only part of the page to capture, in CSS pixels
 */
export function createPlainBackend(
  { page, clock, settings }: BackendContext,
  { locator }: Subject,
  clip: Rectangle | null,
  deviceScale: number,
): ScreenshotBackend {
  const { fullSize, scale, settle } = settings;
  const options: PageScreenshotOptions = {
    ...encodingOptions(settings),
    caret: settle.caret ? 'hide' : 'initial',
    animations: settle.animations ? 'disabled' : 'allow',
  };
  if (locator)
    return { deviceScale, shoot: () => clock.standing(() => retryRefused(() => locator.screenshot(options))) };
  const area = {
    codec: imageCodecOf(settings),
    isWholePage: fullSize,
    density: scale === 'css' ? 1 : deviceScale,
    deviceScale,
    async measure() {
      if (clip) return clip;
      const { scroll, window, content, rootHeight } = await page.evaluate(measurePage);
      return fullSize ? { x: 0, y: 0, ...content, rootHeight } : { ...scroll, ...(page.viewportSize() ?? window) };
    },
    // Without a clip, Playwright would measure the page again.
    shoot: (part: Rectangle, isWhole: boolean) => {
      const partOptions = isWhole && !fullSize ? options : { ...options, fullPage: true, clip: part };
      return clock.standing(() => retryRefused(() => page.screenshot(partOptions)));
    },
  };
  return { deviceScale, shoot: () => captureTiles(page, area) };
}

/** Runs in the page. Uses the same formula as Playwright. */
function measurePage(): { scroll: { x: number; y: number }; window: Size; content: Size; rootHeight: number } {
  const boxes = [document.documentElement, ...(document.body ? [document.body] : [])];
  return {
    scroll: { x: scrollX, y: scrollY },
    window: { width: innerWidth, height: innerHeight },
    rootHeight: document.documentElement.scrollHeight,
    content: {
      width: Math.max(...boxes.flatMap((box) => [box.scrollWidth, box.offsetWidth, box.clientWidth])),
      height: Math.max(...boxes.flatMap((box) => [box.scrollHeight, box.offsetHeight, box.clientHeight])),
    },
  };
}

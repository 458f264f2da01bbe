import { assertWithinLimit, isWithin, roundOut } from '../../image/index.js';
import type { Rectangle, Size } from '../../model/index.js';
import {
  type BackendContext,
  cropPng,
  encodingOptions,
  imageCodecOf,
  retryRefused,
  type ScreenshotBackend,
  type Subject,
} from '../screenshot/screenshot-backend.js';

const NOTHING: Size = { width: 0, height: 0 };

/** The part of a page that is captured, in CSS pixels. */
interface Part {
  /** Maximum height of a full page; null for no limit. */
  readonly cutAt: number | null;
  /** Null: the page, or the element of the subject. */
  readonly clip: Rectangle | null;
}

/** Creates the backend that takes the image of one frame, in a window that shows all that is to be captured. */
export function createFrameBackend(
  { page, state, clock, settings }: BackendContext,
  { locator }: Subject,
  { cutAt, clip }: Part,
  deviceScale: number,
): ScreenshotBackend {
  const codec = imageCodecOf(settings);
  const areaOf = async (): Promise<Rectangle | null> => {
    if (clip) return clip;
    const window = page.viewportSize() ?? NOTHING;
    const box = await locator?.boundingBox();
    if (box) return roundOut(box);
    if (!settings.fullSize && cutAt === null) return null;
    const session = await state.session();
    const { cssContentSize } = await session.send('Page.getLayoutMetrics');
    const width = Math.max(window.width, Math.ceil(cssContentSize.width));
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
      if (deviceScale !== 1) {
        const options = { ...encodingOptions(settings), animations: 'allow', caret: 'initial' } as const;
        return clock.standing(() =>
          retryRefused(() => page.screenshot({ ...options, ...(area && { clip: area, fullPage: true }) })),
        );
      }
      if (area === null) return clock.shoot(codec, settings.quality);
      const window = { x: 0, y: 0, ...(page.viewportSize() ?? NOTHING) };
      if (codec === 'png' && isWithin(area, window)) return cropPng(await clock.shoot('png', 100), area);
      const session = await state.session();
      const options = {
        format: codec,
        ...(codec !== 'png' && { quality: settings.quality }),
        clip: { ...area, scale: 1 },
        // What lies beyond the window is drawn.
        captureBeyondViewport: true,
        optimizeForSpeed: true,
      };
      const capture = async () => {
        const { data } = await session.send('Page.captureScreenshot', options);
        return Buffer.from(data, 'base64');
      };
      return clock.standing(() => retryRefused(capture));
    },
  };
}

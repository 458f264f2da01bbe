import { assertWithinLimit, isWithin, roundOut } from '../../image/index.js';
import type { Rectangle, Size } from '../../model/index.js';
import {
  type BackendContext,
  cropPng,
  encodingOptions,
  imageCodecOf,
  type Part,
  retryRefused,
} from '../screenshot/screenshot-backend.js';
import { notVisible } from '../show-all.js';

const NOTHING: Size = { width: 0, height: 0 };

/** Takes the image of one frame, in a window that shows all that is to be captured; at another scale, Playwright takes it. */
export async function shootFrame(context: BackendContext, part: Part, deviceScale: number): Promise<Buffer> {
  const { page, session, clock, settings } = context;
  const codec = imageCodecOf(settings);
  const window = page.viewportSize() ?? NOTHING;
  const area = await areaOf(context, part, window);
  const { width, height } = area ?? window;
  const density = settings.scale === 'css' ? 1 : deviceScale;
  assertWithinLimit({ width: Math.round(width * density), height: Math.round(height * density) }, page.url());
  if (deviceScale !== 1) {
    const options = { ...encodingOptions(settings), animations: 'allow', caret: 'initial' } as const;
    const clip = area && { clip: area, fullPage: true };
    return clock.standing(() => retryRefused(() => page.screenshot({ ...options, ...clip })));
  }
  if (area === null) return clock.shoot(codec, settings.quality);
  if (codec === 'png' && isWithin(area, { x: 0, y: 0, ...window })) return cropPng(await clock.shoot('png', 100), area);
  const protocol = await session();
  return clock.standing(() =>
    retryRefused(async () => {
      const { data } = await protocol.send('Page.captureScreenshot', {
        format: codec,
        ...(codec !== 'png' && { quality: settings.quality }),
        clip: { ...area, scale: 1 },
        // What lies beyond the window is drawn.
        captureBeyondViewport: true,
        optimizeForSpeed: true,
      });
      return Buffer.from(data, 'base64');
    }),
  );
}

/** Returns the area to capture, in CSS pixels; null: the window. */
async function areaOf(
  { locator, session, settings }: BackendContext,
  { cutAt, clip }: Part,
  window: Size,
): Promise<Rectangle | null> {
  if (clip) return clip;
  const box = await locator?.boundingBox();
  if (box) return roundOut(box);
  // It may be gone since the window grew.
  if (locator) throw await notVisible(locator);
  if (!settings.fullSize && cutAt === null) return null;
  const { cssContentSize } = await (await session()).send('Page.getLayoutMetrics');
  const width = Math.max(window.width, Math.ceil(cssContentSize.width));
  const height = cutAt ?? window.height;
  return width === window.width && height === window.height ? null : { x: 0, y: 0, width, height };
}

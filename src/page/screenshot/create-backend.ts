import { cropPixels, decodePng, encodePng, normalizePdf, roundOut } from '../../image/index.js';
import type { CaptureSettings, Rectangle } from '../../model/index.js';
import { shootFrame } from '../frames/frame-image.js';
import { shootPlain } from '../plain/plain-image.js';
import { placementOf } from './image-check.js';
import { paintedArea } from './painted-area.js';
import { type BackendContext, type Crop, imageCodecOf, type ScreenshotBackend } from './screenshot-backend.js';

/**
 * Creates the backend for a page. The clock draws the frame that is the image, where it draws frames. Playwright takes the image of all other
 * pages, and of a part of a page.
 *
 * @param cutAt - maximum height of a full page, in CSS pixels; null for no limit
 */
export async function createScreenshotBackend(
  context: BackendContext,
  cutAt: number | null,
): Promise<ScreenshotBackend> {
  const { page, clock, settings } = context;
  if (settings.format === 'pdf') return { deviceScale: 1, shoot: () => print(context) };
  const deviceScale = await page.evaluate(() => window.devicePixelRatio);
  const shoot = (own: CaptureSettings, clip: Rectangle | null) =>
    clock.drawsFrames
      ? shootFrame({ ...context, settings: own }, { cutAt, clip }, deviceScale)
      : shootPlain({ ...context, settings: own }, { cutAt, clip }, deviceScale);
  return settings.cropsStory
    ? createStoryBackend(context, deviceScale, shoot)
    : { deviceScale, shoot: () => shoot(settings, null) };
}

/** The paper size of a page without `@page { size }`. */
const PAPER = 'A4';

/**
 * Prints a page as a PDF, with backgrounds and with the paper size of its style. Removes the timestamps that the browser writes into a PDF, so
 * that the same page produces the same bytes.
 */
async function print({ page, clock }: BackendContext): Promise<Buffer> {
  const options = { format: PAPER, printBackground: true, preferCSSPageSize: true };
  return normalizePdf(await clock.during(page.pdf(options)));
}

/** The element into which Storybook renders a story. */
const STORY_ROOT = '#storybook-root';

/**
 * Creates a backend that cuts off the empty space around a story: its images show the root of Storybook, and all that is painted outside of it.
 *
 * A page without that root is captured whole: an action may have led to it. So is a story that paints nothing, which is then a blank page.
 *
 * @param shoot - captures the page, or a part of it in CSS pixels
 */
function createStoryBackend(
  context: BackendContext,
  deviceScale: number,
  shoot: (settings: CaptureSettings, clip: Rectangle | null) => Promise<Buffer>,
): ScreenshotBackend {
  const { page, settings } = context;
  const density = settings.scale === 'device' ? deviceScale : 1;
  let crop: Crop | null = null;
  return {
    deviceScale,
    crop: () => crop,
    async shoot() {
      const bytes = await shoot({ ...settings, format: 'png' }, null);
      const box = await page.evaluate(boxInDocument, STORY_ROOT);
      const pixels = await decodePng(bytes);
      const { width, height } = pixels;
      const place = await placementOf(context, { deviceScale });
      const painted = box && paintedArea(pixels, place(box));
      const clip = painted && roundOut(painted, 1 / density);
      const { x, y, ...size } = clip ? roundOut(clip, density) : { x: 0, y: 0, width, height };
      const area = { x, y, width: Math.min(size.width, width - x), height: Math.min(size.height, height - y) };
      crop = clip && { whole: { bytes, size: { width, height }, codec: 'png' }, area };
      // Only a PNG can be cut.
      if (imageCodecOf(settings) !== 'png') return shoot(settings, clip);
      return clip ? encodePng(cropPixels(pixels, area)) : bytes;
    },
  };
}

/** Runs in the page. Returns the box of an element in CSS pixels of the document; null if there is no such element. */
function boxInDocument(selector: string): Rectangle | null {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  return box ? { x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height } : null;
}

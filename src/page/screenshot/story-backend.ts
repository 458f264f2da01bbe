import { cropPixels, decodePng, encodePng, roundOut } from '../../image/index.js';
import type { CaptureSettings, Rectangle, Size } from '../../model/index.js';
import { placementOf } from './image-check.js';
import { paintedArea } from './painted-area.js';
import {
  type BackendContext,
  type Crop,
  imageCodecOf,
  type ScreenshotBackend,
  type Subject,
} from './screenshot-backend.js';

/** The element into which Storybook renders a story. */
const STORY_ROOT = '#storybook-root';

/**
 * Creates a backend that cuts off the empty space around a story: its images show the root of Storybook, and all that is painted outside of it.
 *
 * A page without that root is captured whole: an action may have led to it. So is a story that paints nothing, which is then a blank page.
 *
 * @param create - creates the backend that captures the page, or a part of it in CSS pixels
 */
export function createStoryBackend(
  { page, settings }: Pick<BackendContext, 'page' | 'settings'>,
  subject: Subject,
  create: (settings: CaptureSettings, clip: Rectangle | null) => ScreenshotBackend,
): ScreenshotBackend {
  const codec = imageCodecOf(settings);
  const whole = create({ ...settings, format: 'png' }, null);
  const density = settings.scale === 'device' ? whole.deviceScale : 1;
  let crop: Crop | null = null;
  return {
    deviceScale: whole.deviceScale,
    crop: () => crop,
    async shoot() {
      const bytes = await whole.shoot();
      const box = await page.evaluate(boxInDocument, STORY_ROOT);
      const pixels = await decodePng(bytes);
      const place = await placementOf(subject, settings, whole);
      const painted = box && paintedArea(pixels, place(box));
      const clip = painted && roundOut(painted, 1 / density);
      const area = clip && within(pixels, roundOut(clip, density));
      crop = area && { whole: { bytes, size: { width: pixels.width, height: pixels.height }, codec: 'png' }, area };
      // Only a PNG can be cut.
      if (codec !== 'png') return create(settings, clip).shoot();
      return area ? encodePng(cropPixels(pixels, area)) : bytes;
    },
  };
}

function within({ width, height }: Size, { x, y, ...size }: Rectangle): Rectangle {
  return { x, y, width: Math.min(size.width, width - x), height: Math.min(size.height, height - y) };
}

/** Runs in the page. Returns the box of an element in CSS pixels of the document; null if there is no such element. */
function boxInDocument(selector: string): Rectangle | null {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  return box ? { x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height } : null;
}

import { cropPixels, decodePng, encodePng, normalizePdf, roundOut, wordsOf } from '../../image/index.js';
import type { CaptureSettings, Pixels, Rectangle } from '../../model/index.js';
import { shootFrame } from '../frames/frame-image.js';
import { shootPlain } from '../plain/plain-image.js';
import { placementOf } from './image-check.js';
import { type BackendContext, type Crop, imageCodecOf, type ScreenshotBackend } from './screenshot-backend.js';

/**
 * Creates the backend for a page. Where the clock draws the frames, the image is one of them. Playwright takes the image of all other pages.
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
  const shootPart = clock.drawsFrames ? shootFrame : shootPlain;
  const shoot = (own: CaptureSettings, clip: Rectangle | null) =>
    shootPart({ ...context, settings: own }, { cutAt, clip }, deviceScale);
  return settings.cropsStory
    ? createStoryBackend(context, deviceScale, shoot)
    : { deviceScale, shoot: () => shoot(settings, null) };
}

/** Prints a page as a PDF, without the timestamps that the browser writes into it. A page without `@page { size }` is printed on A4. */
async function print({ page, clock }: BackendContext): Promise<Buffer> {
  const options = { format: 'A4', printBackground: true, preferCSSPageSize: true };
  return normalizePdf(await clock.during(page.pdf(options)));
}

/** The element into which Storybook renders a story. */
const STORY_ROOT = '#storybook-root';

/**
 * Creates a backend that cuts off the empty space around a story: its images show the root of Storybook, and all that is painted outside of it.
 * A page without that root, to which an action may have led, is captured whole. So is a story that paints nothing.
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

/**
 * Returns the part of an image with an element and all that is painted outside of it: its shadow, menus, dialogs. The most frequent color
 * outside of the element is that of the empty space. Null if the element is empty and nothing else is painted.
 *
 * @param element - in image pixels; it may reach beyond the image
 */
export function paintedArea(pixels: Pixels, element: Rectangle): Rectangle | null {
  const { width, height } = pixels;
  const words = wordsOf(pixels);
  const clamp = (value: number, max: number) => Math.max(0, Math.min(value, max));
  let [left, right] = [clamp(element.x, width), clamp(element.x + element.width, width)];
  let [top, bottom] = [clamp(element.y, height), clamp(element.y + element.height, height)];
  const isEmpty = left >= right || top >= bottom;
  /** The parts of rows outside of the element: the index of the first pixel, and the one after the last pixel. */
  const spans = Array.from({ length: height }, (_, y) => y * width).flatMap((start, y): [number, number][] => {
    const end = start + width;
    if (isEmpty || y < top || y >= bottom) return [[start, end]];
    return [
      [start, start + left],
      [start + right, end],
    ];
  });
  const space = mostFrequent(words, spans);
  if (isEmpty) [left, top, right, bottom] = [width, height, 0, 0];
  for (const [start, end] of spans) {
    let [first, last] = [start, end - 1];
    while (first < end && words[first] === space) first++;
    if (first === end) continue;
    while (words[last] === space) last--;
    const y = Math.floor(start / width);
    [left, right] = [Math.min(left, first - y * width), Math.max(right, last + 1 - y * width)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
  }
  return left < right ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

/** Counts runs of one color, because most of the space has one. */
function mostFrequent(words: Uint32Array, spans: readonly (readonly [number, number])[]): number | undefined {
  const counts = new Map<number, number>();
  for (const [from, end] of spans) {
    let start = from;
    for (let at = start + 1; at <= end; at++) {
      const color = words[start];
      if (color === undefined || (at < end && words[at] === color)) continue;
      counts.set(color, (counts.get(color) ?? 0) + at - start);
      start = at;
    }
  }
  let [most, color]: [number, number | undefined] = [0, undefined];
  for (const [one, count] of counts) if (count > most) [most, color] = [count, one];
  return color;
}

import { areaOf, decodeImage, encodePng, inspectImage, shrinkPixels } from '../../image/index.js';
import { messageOf, type Pixels, renderSize } from '../../model/index.js';

/** An image for an assistant, with a note if it was scaled down; or the reason why it is omitted. */
export type ShownImage =
  | { readonly kind: 'shown'; readonly bytes: Buffer; readonly type: string; readonly note: string | null }
  | { readonly kind: 'omitted'; readonly note: string };

/** Limits of most assistants: bytes, and pixels per side. An image with more than `pixels` pixels is not decoded. */
const MAX = { bytes: 1024 * 1024, side: 7_900, pixels: 60_000_000 };

/** Minimum scale. Text is not readable below it. */
const MIN_SCALE = 0.1;

/** Prepares an image for an assistant: scales it down if it exceeds the limits. Never throws. */
export async function showImage(bytes: Buffer): Promise<ShownImage> {
  const inspection = inspectImage(bytes);
  if (inspection.kind !== 'image') {
    return { kind: 'omitted', note: 'the file is not an image that can be shown' };
  }
  const { codec, size } = inspection.image;
  const fit = Math.min(1, MAX.side / Math.max(size.width, size.height));
  if (bytes.length <= MAX.bytes && fit === 1) return { kind: 'shown', bytes, type: `image/${codec}`, note: null };
  const full = `${renderSize(size)} px, ${Math.ceil(bytes.length / 1024)} KB`;
  if (areaOf(size) > MAX.pixels) return { kind: 'omitted', note: `the image is too large to show (${full})` };
  try {
    const shown = shrink(await decodeImage(inspection.image), fit);
    if (!shown) return { kind: 'omitted', note: `the image is too large to show (${full})` };
    const note = `the image is scaled down from ${full} to ${renderSize(shown.size)} px`;
    return { kind: 'shown', bytes: shown.bytes, type: 'image/png', note };
  } catch (error) {
    return { kind: 'omitted', note: `the image cannot be shown (${messageOf(error)})` };
  }
}

function shrink(pixels: Pixels, fit: number) {
  for (let scale = fit; scale >= MIN_SCALE; scale *= 0.7) {
    const size = { width: scaled(pixels.width, scale), height: scaled(pixels.height, scale) };
    const bytes = encodePng(scale === 1 ? pixels : shrinkPixels(pixels, size));
    if (bytes.length <= MAX.bytes) return { bytes, size };
  }
  return null;
}

function scaled(side: number, scale: number): number {
  return Math.max(1, Math.floor(side * scale));
}

import { cropPixels, decodeImage, flattenPixels, isOpaque, isSameSize, returnBytes, storePng } from '../image/index.js';
import type { EncodedImage, Pixels, Rectangle, Size } from '../model/index.js';
import { spansOf } from './regions/areas.js';

/** One image of a pair, in the form that an engine needs. Each form is created on first use and cached. */
export interface Side {
  readonly size: Size;
  /** Checks whether every pixel is opaque. */
  isOpaque(): Promise<boolean>;
  /** Returns a PNG that every decoder decodes to the same pixels, for engines that read files. */
  png(): Promise<Buffer>;
  pixels(): Promise<Pixels>;
}

/** A side that holds a buffer for its decoded pixels. */
export interface FileSide extends Side {
  /** Returns the buffer to the pool. Neither the pixels nor any crop of them may be read afterwards. */
  release(): void;
}

/**
 * Creates a side from an image file. Its methods throw ProofsheetError `image-damaged` if the file cannot be decoded.
 *
 * @param where - the name of the image in errors
 */
export function sideOfFile(image: EncodedImage, where: string): FileSide {
  let decoding: Promise<Pixels> | null = null;
  const pixels = () => {
    decoding ??= decodeImage(image, where);
    return decoding;
  };
  return {
    size: image.size,
    isOpaque: once(async () => isOpaque(await pixels())),
    // JPEG and WebP are decoded here for all engines: an engine's own decoder would return other pixels and other counts.
    png: once(async () => storePng(await pixels())),
    pixels,
    release: () => void decoding?.then(({ data }) => returnBytes(data)).catch(() => {}),
  };
}

/** Crops a side to an area. @param area - within the image */
export function cropSide(side: Side, area: Rectangle): Side {
  const { width, height } = area;
  if (isSameSize(side.size, area)) return side;
  const cut = sideOfPixels({ width, height }, async () => cropPixels(await side.pixels(), area));
  return { ...cut, isOpaque: once(async () => (await side.isOpaque()) || cut.isOpaque()) };
}

/** Composites a side onto a grey background. @param grey - 0 to 255 */
export function flattenSide(side: Side, grey: number): Side {
  return sideOfPixels(side.size, async () => flattenPixels(await side.pixels(), grey));
}

/** Makes areas of a side transparent. @param areas - within the image */
export function clearAreas(side: Side, areas: readonly Rectangle[]): Side {
  return sideOfPixels(side.size, async () => {
    const { width, height, data } = await side.pixels();
    const cleared = data.slice();
    for (const area of areas) for (const [from, to] of spansOf(area, width)) cleared.fill(0, from * 4, to * 4);
    return { width, height, data: cleared };
  });
}

/** Creates a side from pixels that are computed on first use. */
export function sideOfPixels(size: Size, create: () => Promise<Pixels>): Side {
  const pixels = once(create);
  return {
    size,
    isOpaque: once(async () => isOpaque(await pixels())),
    png: once(async () => storePng(await pixels())),
    pixels,
  };
}

function once<T>(create: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | null = null;
  return () => {
    cached ??= create();
    return cached;
  };
}

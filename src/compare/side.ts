import { returnBytes } from '../image/buffer-pool.js';
import { cropPixels, flattenPixels, isOpaque, isSameSize } from '../image/canvas.js';
import { decodeImage } from '../image/decode.js';
import { isPlainPng } from '../image/png/decode.js';
import { storePng } from '../image/png/encode.js';
import type { EncodedImage, Pixels, Rectangle, Size } from '../model/image.js';
import { spansOf } from './regions/areas.js';

/** One image of a pair, in whichever form an engine wants it; each form is made when first asked for, and once. */
export interface Side {
  readonly size: Size;
  /** Does no pixel let anything behind it through? */
  isOpaque(): Promise<boolean>;
  /** A PNG that every decoder reads to the same pixels, for a program that reads files. */
  png(): Promise<Buffer>;
  pixels(): Promise<Pixels>;
}

/** A side whose pixels take memory of their own. */
export interface FileSide extends Side {
  /** Returns that memory back: nobody may look at its pixels any more, nor at what was cut out of them. */
  release(): void;
}

/**
 * Makes a side of an image file. Its methods throw ProofsheetError `image-damaged` when it cannot be decoded.
 *
 * @param where - how errors name the image
 * @param isAside - decoded beside what else this thread does
 */
export function sideOfFile(image: EncodedImage, where: string, isAside = false): FileSide {
  let decoding: Promise<Pixels> | null = null;
  const pixels = () => {
    decoding ??= decodeImage(image, where, isAside);
    return decoding;
  };
  const isPlain = once(async () => image.codec === 'png' && isPlainPng(image.bytes));
  return {
    size: image.size,
    isOpaque: once(async () => (await isPlain()) || isOpaque(await pixels())),
    // JPEG and WebP are decoded here for all engines: a decoder of their own would give other pixels and other counts.
    png: once(async () => ((await isPlain()) ? image.bytes : storePng(await pixels()))),
    pixels,
    release: () => void decoding?.then(({ data }) => returnBytes(data)).catch(() => {}),
  };
}

/** Cuts an area out of a side. @param area - within the image */
export function cutSide(side: Side, area: Rectangle): Side {
  const { width, height } = area;
  if (isSameSize(side.size, area)) return side;
  const cut = sideOfPixels({ width, height }, async () => cropPixels(await side.pixels(), area));
  return { ...cut, isOpaque: once(async () => (await side.isOpaque()) || cut.isOpaque()) };
}

/** Lays a side on a background of one grey, 0 to 255. */
export function flattenSide(side: Side, grey: number): Side {
  return sideOfPixels(side.size, async () => flattenPixels(await side.pixels(), grey));
}

/** Makes areas of a side transparent. @param areas - within the image */
export function punchSide(side: Side, areas: readonly Rectangle[]): Side {
  return sideOfPixels(side.size, async () => {
    const { width, height, data } = await side.pixels();
    const punched = data.slice();
    for (const area of areas) for (const [from, to] of spansOf(area, width)) punched.fill(0, from * 4, to * 4);
    return { width, height, data: punched };
  });
}

/** Makes a side of pixels that are made when first asked for. */
export function sideOfPixels(size: Size, make: () => Promise<Pixels>): Side {
  const pixels = once(make);
  return {
    size,
    isOpaque: once(async () => isOpaque(await pixels())),
    png: once(async () => storePng(await pixels())),
    pixels,
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

import { cropPixels, flattenPixels, isOpaque, isSameSize } from '../image/canvas.js';
import { decodeImage } from '../image/decode.js';
import { isPlainPng } from '../image/decode-png.js';
import { storePng } from '../image/encode-png.js';
import type { EncodedImage, Pixels, Size } from '../model/image.js';

/** One image of a pair, in whichever form an engine wants it; each form is made when first asked for, and once. */
export interface Side {
  readonly size: Size;
  /** Does no pixel let anything behind it through? */
  isOpaque(): Promise<boolean>;
  /** A PNG that every decoder reads to the same pixels, for a program that reads files. */
  png(): Promise<Buffer>;
  pixels(): Promise<Pixels>;
}

/**
 * Makes a side of an image file. Its methods throw ProofsheetError `image-damaged` when it cannot be decoded.
 *
 * @param where - how errors name the image
 */
export function sideOfFile(image: EncodedImage, where: string): Side {
  const pixels = once(() => decodeImage(image, where));
  const isPlain = once(async () => image.codec === 'png' && isPlainPng(image.bytes));
  return {
    size: image.size,
    isOpaque: once(async () => (await isPlain()) || isOpaque(await pixels())),
    // JPEG and WebP are decoded here for all engines: a decoder of their own would give other pixels and other counts.
    png: once(async () => ((await isPlain()) ? image.bytes : storePng(await pixels()))),
    pixels,
  };
}

/** Cuts a side to its top left part. */
export function cutSide(side: Side, size: Size): Side {
  if (isSameSize(side.size, size)) return side;
  return sideOfPixels(size, async () => cropPixels(await side.pixels(), { x: 0, y: 0, ...size }));
}

/** Lays a side on a background of one grey, 0 to 255. */
export function flattenSide(side: Side, grey: number): Side {
  return sideOfPixels(side.size, async () => flattenPixels(await side.pixels(), grey));
}

function sideOfPixels(size: Size, make: () => Promise<Pixels>): Side {
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

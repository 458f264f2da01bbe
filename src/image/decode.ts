import {
  type EncodedImage,
  failure,
  type ImageCodec,
  messageOf,
  type Pixels,
  renderCountOf,
  renderSize,
  type Size,
} from '../model/index.js';
import { areaOf, assertWithinLimit, isSameSize } from './canvas.js';
import { isFrameHeader, walkJpeg, walkRiff } from './inspect.js';
import { drawPdf } from './pdf/pdf.js';
import { decodePng, readPngRows, walkPng } from './png/read.js';
import { decodeByWasm } from './wasm.js';

export interface DecodedImage extends Pixels {
  /** The size of each page of a PDF in points, rounded to whole pixels. */
  readonly pages?: readonly Size[];
}

/**
 * Decodes an image to RGBA, 8 bits per channel, or draws a PDF: see {@link drawPdf}. Color profiles and the Exif orientation have no effect.
 *
 * @param where - how errors name the image
 * @param maxPixels - of all pages of a PDF together
 * @throws ProofsheetError `image-damaged` when its codec cannot read it to the end, `image-too-large`, `image-unsupported` when
 *   it is animated or CMYK
 */
export async function decodeImage(image: EncodedImage, where = 'image', maxPixels?: number): Promise<DecodedImage> {
  const { codec, size, bytes } = image;
  if (codec === 'pdf') return drawPdf(bytes, where, maxPixels);
  assertWithinLimit(size, where, codec);
  try {
    const pixels = await decodeByCodec(codec, size, bytes);
    if (isSameSize(pixels, size)) return pixels;
    throw new Error(`the image data has ${pixels.width}x${pixels.height} px`);
  } catch (cause) {
    const file = `the ${codec} file (${renderCountOf(bytes.length, 'byte')}, ${renderSize(size)} px)`;
    if (cause instanceof UnsupportedImage) {
      const found = `${file} cannot be compared: ${cause.message}`;
      throw failure('image-unsupported', where, found, 'Convert it to an RGB image without animation.');
    }
    const found = `${file} is damaged: ${messageOf(cause)}`;
    throw failure('image-damaged', where, found, 'Restore the file, or capture the page again.');
  }
}

/** An intact image cannot be compared, for this reason. */
class UnsupportedImage extends Error {}

async function decodeByCodec(codec: ImageCodec, size: Size, bytes: Buffer): Promise<Pixels> {
  switch (codec) {
    case 'png':
      if (isAnimatedPng(bytes)) throw new UnsupportedImage('the image is animated (APNG)');
      if (areaOf(size) > MAX_RARE_PIXELS && !readPngRows(bytes).isCommon)
        throw new UnsupportedImage(
          `a grayscale, palette, 16-bit or interlaced PNG has at most ${MAX_RARE_PIXELS} pixels`,
        );
      return decodePng(bytes);
    case 'jpeg':
      if (countChannels(bytes) > 3) throw new UnsupportedImage('the colors are CMYK');
      assertFilled(size, bytes);
      return decodeByWasm(codec, bytes);
    case 'webp': {
      const isAnimated = walkRiff(bytes)?.some(({ type }) => type === 'ANIM' || type === 'ANMF');
      if (isAnimated) throw new UnsupportedImage('the image is animated');
      return decodeByWasm(codec, bytes);
    }
    default:
      return codec satisfies never;
  }
}

/** PNGs of kinds that browsers do not write need several buffers to decode: 28 bytes per pixel for 16 bits per channel. */
const MAX_RARE_PIXELS = 60_000_000;

function isAnimatedPng(bytes: Buffer): boolean {
  return [...walkPng(bytes)].find(({ type }) => type === 'acTL' || type === 'IDAT')?.type === 'acTL';
}

function countChannels(bytes: Buffer): number {
  return [...walkJpeg(bytes)].find(({ marker }) => isFrameHeader(marker))?.data[5] ?? 0;
}

/**
 * Checks that the file is large enough for its pixels. A block of 64 pixels takes at least one bit: ITU T.81, F.1.2 and G.1.2.
 * libjpeg would fill missing blocks with grey.
 */
function assertFilled(size: Size, bytes: Buffer): void {
  const most = bytes.length * 8 * 64;
  if (areaOf(size) > most) throw new Error(`the file is too short for more than ${most} pixels`);
}

/**
 * Returns the color of an image of a single color as `#rrggbb`, blended onto white; null when it has several colors. Decodes it only if
 * the file is small enough for a single color, and ignores the noise of lossy formats.
 *
 * @throws Error when the image must be decoded and is damaged
 */
export async function solidColor(image: EncodedImage): Promise<string | null> {
  const { codec, bytes, size } = image;
  const maxBytes = codec === 'pdf' ? MAX_PDF_BYTES : MAX_HEADER_BYTES + areaOf(size) * MAX_BYTES_PER_PIXEL;
  if (bytes.length > maxBytes) return null;
  const { data } = await decodeImage(image);
  const most = codec === 'jpeg' || codec === 'webp' ? MAX_NOISE : 0;
  for (let i = 4; i < data.length; i++) if (Math.abs((data[i] ?? 0) - (data[i % 4] ?? 0)) > most) return null;
  const [alpha = 255] = data.subarray(3);
  const onWhite = Array.from(data.subarray(0, 3), (value) => Math.round((value * alpha + 255 * (255 - alpha)) / 255));
  return `#${Buffer.from(onWhite).toString('hex')}`;
}

/** Maximum noise per channel, 0..255. A lossy WebP of one color shows up to 5 at quality 80, except in white and black. */
const MAX_NOISE = 5;

/** Maximum in an image of one color. A JPEG without chroma subsampling has 14 bits for a block of 64 pixels, which is 0.0273. */
const MAX_BYTES_PER_PIXEL = 1 / 32;
const MAX_HEADER_BYTES = 8192;

/** In bytes. A larger PDF contains a font or an image. A PDF with only a background has about 1,000 bytes. */
const MAX_PDF_BYTES = 4096;

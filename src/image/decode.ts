import {
  type EncodedImage,
  type ImageCodec,
  messageOf,
  type Pixels,
  ProofsheetError,
  renderCountOf,
  type Size,
} from '../model/index.js';
import { areaOf, isSameSize } from './canvas.js';
import { assertSrgb } from './color.js';
import { isFrameHeader, walkJpeg } from './headers.js';
import { assertWithinLimit } from './inspect.js';
import { decodeByWasm } from './jpeg/decode-wasm.js';
import { decodePng, readPngRows, walkPng } from './png/read.js';
import { checkWebp, walkRiff } from './webp/chunks.js';

/**
 * Decodes an image in sRGB to RGBA, 8 bits per channel, as a browser shows it. Applies the Exif orientation of a JPEG.
 *
 * @param where - how errors name the image
 * @throws ProofsheetError `image-damaged` when its codec cannot read it to the end, `image-too-large` above MAX_PIXELS or
 *   MAX_WASM_PIXELS,
 *   `image-unsupported` when it is animated, CMYK, or its colors are not sRGB; `pdf-differs` for a PDF, which
 *   has no pixels to compare
 */
export async function decodeImage(image: EncodedImage, where = 'image'): Promise<Pixels> {
  const { codec } = image;
  if (codec === 'pdf') throw noPixels(where);
  assertWithinLimit(image.size, where, codec);
  const pixels = await decodeByCodec(image, codec, where).catch((cause: unknown) => {
    throw cause instanceof ProofsheetError ? cause : damaged(image, where, messageOf(cause));
  });
  if (!isSameSize(pixels, image.size))
    throw damaged(image, where, `the image data has ${pixels.width}x${pixels.height} px`);
  try {
    assertSrgb(image.bytes, codec);
  } catch (cause) {
    throw unsupported(image, where, messageOf(cause));
  }
  return pixels;
}

async function decodeByCodec(image: EncodedImage, codec: ImageCodec, where: string): Promise<Pixels> {
  const { size, bytes } = image;
  const reason = whyUnsupported(image, codec);
  if (reason) throw unsupported(image, where, reason);
  switch (codec) {
    case 'png':
      return decodePng(bytes);
    case 'jpeg':
      assertFilled(size, bytes);
      return decodeByWasm(codec, bytes);
    case 'webp': {
      const pixels = await decodeByWasm(codec, bytes);
      checkWebp(bytes, pixels);
      return pixels;
    }
    default:
      return codec satisfies never;
  }
}

/**
 * Checks that the file is large enough for its pixels. A block of 64 pixels takes at least one bit: ITU T.81, F.1.2 and G.1.2.
 * libjpeg would fill missing blocks with grey.
 */
function assertFilled(size: Size, bytes: Buffer): void {
  const most = bytes.length * 8 * 64;
  if (areaOf(size) > most) throw new Error(`the file is too short for more than ${most} pixels`);
}

function damaged({ codec, size, bytes }: EncodedImage, where: string, cause: string): ProofsheetError {
  return new ProofsheetError({
    code: 'image-damaged',
    where,
    found: `the ${codec} file (${renderCountOf(bytes.length, 'byte')}, ${size.width}x${size.height} px) is damaged: ${cause}`,
    advice: 'Restore the file, or capture the page again.',
  });
}

function unsupported({ codec, bytes }: EncodedImage, where: string, reason: string): ProofsheetError {
  return new ProofsheetError({
    code: 'image-unsupported',
    where,
    found: `the ${codec} file (${renderCountOf(bytes.length, 'byte')}) cannot be compared: ${reason}`,
    advice: 'Convert it to an sRGB image without animation.',
  });
}

function noPixels(where: string): ProofsheetError {
  return new ProofsheetError({
    code: 'pdf-differs',
    where,
    found: 'a PDF cannot be compared with an image',
    advice: 'Compare it with a PDF, or capture the page as png, jpeg or webp.',
  });
}

/** Returns why an intact image cannot be compared, or null when it can. Decodes no pixels. */
function whyUnsupported({ bytes, size }: EncodedImage, codec: ImageCodec): string | null {
  switch (codec) {
    case 'png':
      if (isAnimatedPng(bytes)) return 'the image is animated (APNG)';
      return areaOf(size) > MAX_RARE_PIXELS && !readPngRows(bytes).isCommon ? TOO_MANY_RARE : null;
    case 'jpeg':
      return countChannels(bytes) > 3 ? 'the colors are CMYK' : null;
    case 'webp':
      return walkRiff(bytes)?.some(({ type }) => type === 'ANIM' || type === 'ANMF') ? 'the image is animated' : null;
    default:
      return codec satisfies never;
  }
}

/** PNGs of kinds that browsers do not write need several buffers to decode: 28 bytes per pixel for 16 bits per channel. */
const MAX_RARE_PIXELS = 60_000_000;
const TOO_MANY_RARE = `the maximum is ${MAX_RARE_PIXELS / 1e6} million pixels for a grayscale, palette, 16-bit or interlaced PNG`;

function isAnimatedPng(bytes: Buffer): boolean {
  for (const { type } of walkPng(bytes)) {
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
  }
  return false;
}

function countChannels(bytes: Buffer): number {
  for (const { marker, data } of walkJpeg(bytes)) if (isFrameHeader(marker)) return data[5] ?? 0;
  return 0;
}

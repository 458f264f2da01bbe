import { messageOf, ProofsheetError } from '../model/errors.js';
import type { EncodedImage, ImageCodec, Pixels } from '../model/image.js';
import { isSameSize } from './canvas.js';
import { decodePng } from './decode-png.js';
import { decodeByWasm } from './decode-wasm.js';
import { assertWithinLimit } from './inspect.js';

/**
 * Decodes an image to RGBA, 8 bits a channel. Colour profiles and gamma are not applied: a comparison is of stored values.
 *
 * @param where - how errors name the image
 * @throws ProofsheetError `image-damaged` when its codec cannot read it to the end, `image-too-large` above MAX_PIXELS,
 *   `pdf-differs` for a PDF: it has no pixels to compare
 */
export async function decodeImage(image: EncodedImage, where = 'an image'): Promise<Pixels> {
  assertWithinLimit(image.size, where);
  const { codec } = image;
  if (codec === 'pdf') throw noPixels(where);
  const pixels = await decodeByCodec(codec, image.bytes).catch((cause: unknown) => {
    throw damaged(image, where, messageOf(cause));
  });
  if (isSameSize(pixels, image.size)) return pixels;
  throw damaged(image, where, `it has ${pixels.width}x${pixels.height} pixels`);
}

async function decodeByCodec(codec: ImageCodec, bytes: Buffer): Promise<Pixels> {
  switch (codec) {
    case 'png':
      return decodePng(bytes);
    case 'jpeg':
    case 'webp':
      return decodeByWasm(codec, bytes);
    default:
      return codec satisfies never;
  }
}

function damaged({ codec, size, bytes }: EncodedImage, where: string, cause: string): ProofsheetError {
  return new ProofsheetError({
    code: 'image-damaged',
    where,
    found: `this ${codec} file of ${bytes.length} bytes says ${size.width}x${size.height}, but it is damaged (${cause})`,
    advice: 'Restore the file, or capture it again.',
  });
}

function noPixels(where: string): ProofsheetError {
  return new ProofsheetError({
    code: 'pdf-differs',
    where,
    found: 'this is a PDF: it has no pixels that could be compared',
    advice: 'Compare it with a PDF, or capture the page as png, jpeg or webp.',
  });
}

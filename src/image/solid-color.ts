import type { EncodedImage } from '../model/index.js';
import { areaOf } from './canvas.js';
import { decodeImage } from './decode.js';
import { drawPdf } from './pdf/draw.js';

/**
 * Returns the color of an image of a single color as `#rrggbb`, blended onto white; null when it has several colors.
 *
 * An image is decoded only if the file is small enough for a single color. The noise of lossy formats is ignored. A small PDF is drawn
 * with all its pages.
 *
 * @throws Error when the image must be decoded and is damaged
 */
export async function solidColor(image: EncodedImage): Promise<string | null> {
  if (image.codec === 'pdf')
    return image.bytes.length > MAX_PDF_BYTES ? null : solidColor((await drawPdf(image)).image);
  if (image.bytes.length > MAX_HEADER_BYTES + areaOf(image.size) * MAX_BYTES_PER_PIXEL) return null;
  const { data } = await decodeImage(image);
  const most = image.codec === 'png' ? 0 : MAX_NOISE;
  for (let i = 4; i < data.length; i++) if (Math.abs((data[i] ?? 0) - (data[i % 4] ?? 0)) > most) return null;
  return toHexColor(data);
}

/** Maximum noise per channel, 0..255. A lossy WebP of one color shows up to 5 at quality 80, except in white and black. */
const MAX_NOISE = 5;

/**
 * Maximum number of bytes per pixel in an image of one color. The maximum is a JPEG without chroma subsampling: 14 bits for a
 * block of 64 pixels, which is 0.0273.
 */
const MAX_BYTES_PER_PIXEL = 1 / 32;
const MAX_HEADER_BYTES = 8192;

/** In bytes. A larger PDF contains a font or an image. A PDF with only a background has about 1,000 bytes. */
const MAX_PDF_BYTES = 4096;

function toHexColor([red = 0, green = 0, blue = 0, alpha = 255]: Uint8Array): string {
  const onWhite = [red, green, blue].map((value) => Math.round((value * alpha + 255 * (255 - alpha)) / 255));
  return `#${Buffer.from(onWhite).toString('hex')}`;
}

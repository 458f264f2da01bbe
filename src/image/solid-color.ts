import type { EncodedImage } from '../model/image.js';
import { areaOf } from './canvas.js';
import { decodeImage } from './decode.js';
import { drawPdf } from './pdf/draw.js';
import { FILTER, type PngRows, readPngRows, unpackRows } from './png/rows.js';

/**
 * Returns the color of an image of a single color as `#rrggbb`, blended onto white; null when it has several colors.
 *
 * A PNG as browsers write it is unpacked only up to the first row that differs. Other images are decoded only if the file is
 * small enough for a single color. The noise of lossy formats is ignored. A small PDF is drawn with all its pages.
 *
 * @throws Error when the image must be decoded and is damaged
 */
export async function solidColor(image: EncodedImage): Promise<string | null> {
  if (image.codec === 'pdf')
    return image.bytes.length > MAX_PDF_BYTES ? null : solidColor((await drawPdf(image)).image);
  const rows = image.codec === 'png' ? readPngRows(image.bytes) : null;
  const pixel = rows ? await findInRows(image.bytes, rows) : await findInPixels(image);
  return pixel && toHexColor(pixel);
}

/**
 * Compares the filtered rows. While all rows above have the same color, each filter has exactly one encoding of another row
 * of that color.
 */
async function findInRows(bytes: Buffer, rows: PngRows): Promise<Buffer | null> {
  let pixel: Buffer | null = null;
  let expected: readonly Buffer[] = [];
  for await (const block of unpackRows(bytes, rows)) {
    let start = 0;
    if (!pixel) {
      // All predictions for the very first pixel are 0, so each filter stores it unchanged.
      pixel = Buffer.from(block.subarray(1, 1 + rows.channels));
      if (!isOneOf(encodeWithEachFilter(pixel, Buffer.alloc(rows.channels), rows), block, 0)) return null;
      expected = encodeWithEachFilter(pixel, pixel, rows);
      start = rows.stride;
    }
    for (; start < block.length; start += rows.stride) if (!isOneOf(expected, block, start)) return null;
  }
  return pixel;
}

/** Checks whether the row at an offset equals the expected row of its filter. */
function isOneOf(expected: readonly Buffer[], block: Buffer, start: number): boolean {
  const row = expected[block[start] ?? 0];
  return row !== undefined && block.compare(row, 0, row.length, start, start + row.length) === 0;
}

/** Encodes a single-color row below a single-color row with each filter: https://www.w3.org/TR/png-3/#9Filter-types. */
function encodeWithEachFilter(pixel: Buffer, above: Buffer, { channels, stride }: PngRows): Buffer[] {
  return Object.values(FILTER).map((filter) => {
    const row = Buffer.alloc(stride);
    row[0] = filter;
    for (let channel = 0; channel < channels; channel++) {
      const [value = 0, up = 0] = [pixel[channel], above[channel]];
      row[1 + channel] = value - FIRST_PREDICTED[filter](up);
      row[1 + channels + channel] = value - NEXT_PREDICTED[filter](value, up);
    }
    return row.fill(row.subarray(1 + channels, 1 + 2 * channels), 1 + channels);
  });
}

/** Prediction of each filter for the first pixel of a row, which has no pixel to its left. */
const FIRST_PREDICTED = {
  [FILTER.none]: () => 0,
  [FILTER.sub]: () => 0,
  [FILTER.up]: (up: number) => up,
  [FILTER.average]: (up: number) => up >> 1,
  [FILTER.paeth]: (up: number) => up,
};

/** Prediction of each filter for all other pixels. The pixels above and to the upper left are equal. */
const NEXT_PREDICTED = {
  [FILTER.none]: () => 0,
  [FILTER.sub]: (left: number) => left,
  [FILTER.up]: (_: number, up: number) => up,
  [FILTER.average]: (left: number, up: number) => (left + up) >> 1,
  [FILTER.paeth]: (left: number) => left,
};

async function findInPixels(image: EncodedImage): Promise<Buffer | null> {
  if (image.bytes.length > MAX_HEADER_BYTES + areaOf(image.size) * MAX_BYTES_PER_PIXEL) return null;
  const { data } = await decodeImage(image);
  const most = image.codec === 'png' ? 0 : MAX_NOISE;
  for (let i = 4; i < data.length; i++) if (Math.abs((data[i] ?? 0) - (data[i % 4] ?? 0)) > most) return null;
  return Buffer.from(data.subarray(0, 4));
}

/** Maximum noise per channel, 0..255. A lossy WebP of one color shows up to 5 at quality 80, except in white and black. */
const MAX_NOISE = 5;

/**
 * Maximum number of bytes per pixel in an image of one color. The maximum is a JPEG without chroma subsampling: 14 bits for a
 * block of 64 pixels, which is 0.0273.
 */
const MAX_BYTES_PER_PIXEL = 1 / 32;
/** Maximum number of bytes for everything except pixels, such as tables and profiles. */
const MAX_HEADER_BYTES = 8192;

/** In bytes. A larger PDF contains a font or an image. A PDF with only a background has about 1,000 bytes. */
const MAX_PDF_BYTES = 4096;

function toHexColor(pixel: Buffer): string {
  const [red = 0, green = 0, blue = 0, alpha = 255] = pixel;
  const onWhite = [red, green, blue].map((value) => Math.round((value * alpha + 255 * (255 - alpha)) / 255));
  return `#${Buffer.from(onWhite).toString('hex')}`;
}

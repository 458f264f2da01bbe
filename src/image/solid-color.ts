import type { EncodedImage } from '../model/image.js';
import { areaOf } from './canvas.js';
import { decodeImage } from './decode.js';
import { drawPdf } from './pdf/draw.js';
import { FILTER, type PngRows, readPngRows, unpackRows } from './png/rows.js';

/**
 * Returns the one color that a whole image has, `#rrggbb`, what is transparent laid on white; null when it has several.
 *
 * A PNG as browsers write it is unpacked only up to the first row that differs. Any other image is decoded, and only when its
 * file is so small that it may be of one color; the noise of lossy formats is overlooked. A PDF is drawn for that, all pages of it.
 * @throws Error when it has to be read and is damaged
 */
export async function solidColor(image: EncodedImage): Promise<string | null> {
  if (image.codec === 'pdf') return image.bytes.length > MOST_PDF ? null : solidColor((await drawPdf(image)).image);
  const rows = image.codec === 'png' ? readPngRows(image.bytes) : null;
  const pixel = rows ? await findInRows(image.bytes, rows) : await findInPixels(image);
  return pixel && nameOf(pixel);
}

/**
 * Compares the rows as they are filtered: while all rows above are of the one color, each filter has exactly one way to
 * write one more.
 */
async function findInRows(bytes: Buffer, rows: PngRows): Promise<Buffer | null> {
  let pixel: Buffer | null = null;
  let expected: readonly Buffer[] = [];
  for await (const block of unpackRows(bytes, rows)) {
    let start = 0;
    if (!pixel) {
      // The first pixel of all has nothing to lean on: whatever the filter, it is written as it is.
      pixel = Buffer.from(block.subarray(1, 1 + rows.channels));
      if (!isOneOf(writeRows(pixel, Buffer.alloc(rows.channels), rows), block, 0)) return null;
      expected = writeRows(pixel, pixel, rows);
      start = rows.stride;
    }
    for (; start < block.length; start += rows.stride) if (!isOneOf(expected, block, start)) return null;
  }
  return pixel;
}

/** Checks whether the row that starts here is the one that its filter must give. */
function isOneOf(expected: readonly Buffer[], block: Buffer, start: number): boolean {
  const row = expected[block[start] ?? 0];
  return row !== undefined && block.compare(row, 0, row.length, start, start + row.length) === 0;
}

/** Writes a row of one color, under a row of one color, by each filter: https://www.w3.org/TR/png-3/#9Filter-types. */
function writeRows(pixel: Buffer, above: Buffer, { channels, stride }: PngRows): Buffer[] {
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

/** What a filter predicts of the first pixel of a row, which has nothing to its left. */
const FIRST_PREDICTED = {
  [FILTER.none]: () => 0,
  [FILTER.sub]: () => 0,
  [FILTER.up]: (up: number) => up,
  [FILTER.average]: (up: number) => up >> 1,
  [FILTER.paeth]: (up: number) => up,
};

/** And of all others, where those above and to the upper left are the same. */
const NEXT_PREDICTED = {
  [FILTER.none]: () => 0,
  [FILTER.sub]: (left: number) => left,
  [FILTER.up]: (_: number, up: number) => up,
  [FILTER.average]: (left: number, up: number) => (left + up) >> 1,
  [FILTER.paeth]: (left: number) => left,
};

async function findInPixels(image: EncodedImage): Promise<Buffer | null> {
  if (image.bytes.length > MOST_HEAD + areaOf(image.size) * MOST_BYTES) return null;
  const { data } = await decodeImage(image);
  const most = image.codec === 'png' ? 0 : MOST_NOISE;
  for (let i = 4; i < data.length; i++) if (Math.abs((data[i] ?? 0) - (data[i % 4] ?? 0)) > most) return null;
  return Buffer.from(data.subarray(0, 4));
}

/** A lossy WebP of one color, other than white or black, comes back with up to 5 of 255 of noise at a quality of 80. */
const MOST_NOISE = 5;

/**
 * How many bytes a pixel may take in an image of one color. The most is a JPEG whose colors are as fine as its brightness:
 * 14 bits for a block of 64 pixels, which is 0.0273.
 */
const MOST_BYTES = 1 / 32;
/** What a file may hold beside its pixels, as tables and profiles. */
const MOST_HEAD = 8192;

/** A PDF of more bytes has a font or an image in it; one of a background and nothing else has about 1,000. */
const MOST_PDF = 4096;

function nameOf(pixel: Buffer): string {
  const [red = 0, green = 0, blue = 0, alpha = 255] = pixel;
  const onWhite = [red, green, blue].map((value) => Math.round((value * alpha + 255 * (255 - alpha)) / 255));
  return `#${Buffer.from(onWhite).toString('hex')}`;
}

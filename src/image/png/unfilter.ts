import { FILTER, type PngRows } from './rows.js';

/**
 * Undoes the filters of PNG rows of 8 bits per channel, and expands them to RGBA. Source:
 * https://www.w3.org/TR/png-3/#9Filter-types
 *
 * All four channels of a pixel are computed at once, in the four bytes of a word.
 *
 * @param filtered - complete rows, each with its filter byte
 * @param pixels - receives one word per pixel, red in the lowest byte
 * @param first - the index of the first of these rows. `pixels` must contain the row above
 * @throws Error when a row has an unknown filter
 */
export function unfilterRows(
  filtered: Uint8Array,
  { width, channels, stride }: PngRows,
  pixels: Int32Array,
  first: number,
): void {
  const padding = channels === 3 ? OPAQUE : 0;
  const lineAt = (row: number) => pixels.subarray(row * width, (row + 1) * width);
  const repeated = Buffer.alloc(stride).fill(FILTER.up, 0, 1);
  let above = first === 0 ? new Int32Array(width).fill(padding) : lineAt(first - 1);
  for (let start = 0, row = first; start < filtered.length; start += stride, row++) {
    const line = lineAt(row);
    // Most rows of a page repeat the row above.
    if (repeated.compare(filtered, start, start + stride) === 0) line.set(above);
    else {
      expandPixels(filtered.subarray(start + 1, start + stride), line, channels);
      undoFilter(filtered[start], line, above, padding);
    }
    above = line;
  }
}

/** The alpha byte of an opaque pixel, which RGB does not store. */
const OPAQUE = 0xff << 24;

/** Copies the bytes of a row to one word per pixel. The alpha byte of RGB is 0. */
function expandPixels(bytes: Uint8Array, line: Int32Array, channels: number): void {
  const width = line.length;
  if (channels === 3) {
    for (let x = 0, from = 0; x < width; x++, from += 3) {
      line[x] = (bytes[from] ?? 0) | ((bytes[from + 1] ?? 0) << 8) | ((bytes[from + 2] ?? 0) << 16);
    }
  } else {
    for (let x = 0, from = 0; x < width; x++, from += 4) {
      const high = ((bytes[from + 2] ?? 0) << 16) | ((bytes[from + 3] ?? 0) << 24);
      line[x] = (bytes[from] ?? 0) | ((bytes[from + 1] ?? 0) << 8) | high;
    }
  }
}

/** @param padding - the pixel left of the first one */
function undoFilter(filter: number | undefined, line: Int32Array, above: Int32Array, padding: number): void {
  switch (filter) {
    case FILTER.none:
      for (let x = 0; x < line.length; x++) line[x] = (line[x] ?? 0) | padding;
      break;
    case FILTER.sub:
      undoSub(line, padding);
      break;
    case FILTER.up:
      undoUp(line, above);
      break;
    case FILTER.average:
      undoAverage(line, above, padding);
      break;
    case FILTER.paeth:
      undoPaeth(line, above, padding);
      break;
    default:
      throw new Error(`the filter type ${filter} is not valid`);
  }
}

function undoSub(line: Int32Array, padding: number): void {
  let left = padding;
  for (let x = 0; x < line.length; x++) {
    left = addBytes(left, line[x] ?? 0);
    line[x] = left;
  }
}

function undoUp(line: Int32Array, above: Int32Array): void {
  for (let x = 0; x < line.length; x++) line[x] = addBytes(above[x] ?? 0, line[x] ?? 0);
}

function undoAverage(line: Int32Array, above: Int32Array, padding: number): void {
  let left = padding;
  for (let x = 0; x < line.length; x++) {
    const up = above[x] ?? 0;
    // The mean of each byte, rounded down: the bits of both, and half of the bits of one.
    const mean = ((left & up) + (((left ^ up) & EVEN_BITS) >>> 1)) | 0;
    left = addBytes(mean, line[x] ?? 0);
    line[x] = left;
  }
}

function undoPaeth(line: Int32Array, above: Int32Array, padding: number): void {
  let left = padding;
  let corner = padding;
  for (let x = 0; x < line.length; x++) {
    const up = above[x] ?? 0;
    const predicted = left === corner ? up : up === corner ? left : predictPaeth(left, up, corner);
    left = addBytes(predicted, line[x] ?? 0);
    line[x] = left;
    corner = up;
  }
}

function predictPaeth(left: number, up: number, corner: number): number {
  return (
    predictByte(left & 0xff, up & 0xff, corner & 0xff) |
    (predictByte((left >>> 8) & 0xff, (up >>> 8) & 0xff, (corner >>> 8) & 0xff) << 8) |
    (predictByte((left >>> 16) & 0xff, (up >>> 16) & 0xff, (corner >>> 16) & 0xff) << 16) |
    (predictByte(left >>> 24, up >>> 24, corner >>> 24) << 24)
  );
}

function predictByte(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** Adds the four bytes of two words, each modulo 256. */
function addBytes(one: number, other: number): number {
  return ((one & LOW_BITS) + (other & LOW_BITS)) ^ ((one ^ other) & HIGH_BITS);
}

const LOW_BITS = 0x7f7f7f7f;
const HIGH_BITS = 0x80808080 | 0;
const EVEN_BITS = 0xfefefefe | 0;

import { kernels, SLACK, scratch } from '../image/kernels.js';
import type { Pixels } from '../model/image.js';

/**
 * Gives one number for each row of an image: rows with the same pixels have the same, others practically never (53 bits).
 *
 * @param from - the first column that is looked at
 * @param to - the column after the last one
 */
export function hashRows({ width, height, data }: Pixels, from: number, to: number): Float64Array {
  const hashes = new Float64Array(height);
  const stride = width * 4;
  // The row above is there as well, so that one that repeats it is known.
  for (let first = 0; first < height; first += MOST_ROWS) {
    const above = Math.max(0, first - 1);
    const last = Math.min(height, first + MOST_ROWS);
    const length = (last - above) * stride;
    const place = Math.ceil(length / 8) * 8;
    const memory = scratch(place + (last - above) * 8 + SLACK);
    memory.set(data.subarray(above * stride, last * stride));
    kernels().hashRows(from * 4, place, stride, to - from, last - above);
    hashes.set(new Float64Array(memory.buffer, place, last - above), above);
  }
  return hashes;
}

/** So many rows go through the scratch memory at once. */
const MOST_ROWS = 128;

/** Tells whether a row has but one colour between two columns. */
export function isPlainRow({ width, data }: Pixels, row: number, [from, to]: readonly [number, number]): boolean {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const [start, end] = [(row * width + from) * 4, (row * width + to) * 4];
  return bytes.compare(bytes, start + 4, end, start, end - 4) === 0;
}

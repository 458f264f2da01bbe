import type { Pixels } from '../model/image.js';

/**
 * Gives one number for each row of an image: rows with the same pixels have the same, others practically never (53 bits).
 *
 * @param from - the first column that is looked at
 * @param to - the column after the last one
 */
export function hashRows({ width, height, data }: Pixels, from: number, to: number): Float64Array {
  const hashes = new Float64Array(height);
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const words = new Uint32Array(data.buffer, data.byteOffset, width * height);
  for (let y = 0; y < height; y++) {
    const [start, end] = [y * width + from, y * width + to];
    const isRepeated = y > 0 && bytes.compare(bytes, (start - width) * 4, (end - width) * 4, start * 4, end * 4) === 0;
    hashes[y] = isRepeated ? (hashes[y - 1] ?? 0) : hashWords(words, start, end);
  }
  return hashes;
}

/** Tells whether a row has but one colour between two columns. */
export function isPlainRow({ width, data }: Pixels, row: number, [from, to]: readonly [number, number]): boolean {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const [start, end] = [(row * width + from) * 4, (row * width + to) * 4];
  return bytes.compare(bytes, start + 4, end, start, end - 4) === 0;
}

// Two multiplicative hashes with the constants of MurmurHash3's finaliser, joined.
function hashWords(words: Uint32Array, start: number, end: number): number {
  let [one, other] = [end - start, 0x9e3779b9];
  for (let i = start; i < end; i++) {
    const word = words[i] ?? 0;
    one = Math.imul(one ^ word, 0x85ebca6b);
    one ^= one >>> 13;
    other = Math.imul(other + word, 0xc2b2ae35);
    other ^= other >>> 16;
  }
  return (one >>> 0) * 2 ** 21 + (other >>> 11);
}

import type { View } from './column-view.js';

/** Columns from the first to the one after the last. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the columns of an image that are found again so many columns further right in another: those over which more pixels
 * are equal there than at their place, and the fewest where that leaves a choice. After Kadane's algorithm for the greatest
 * sum of neighbours (Bentley, "Programming Pearls", 1984). Of a tall image only some rows are looked at.
 *
 * @param by - above 0
 */
export function findMoved(one: View, other: View, by: number): Interval | null {
  const { width, height } = one;
  const rows = Math.min(height, MOST_ROWS);
  const [moved, stayed] = [new Int32Array(width), new Int32Array(width)];
  for (let index = 0; index < rows; index++) {
    const row = Math.floor(((index + 0.5) * height) / rows);
    const [from, to] = [one.start + row * one.stride, other.start + row * other.stride];
    for (let x = 0; x < width; x++) {
      const word = one.words[from + x];
      if (word === other.words[to + x]) stayed[x] = (stayed[x] ?? 0) + 1;
      if (x + by < width && word === other.words[to + x + by]) moved[x] = (moved[x] ?? 0) + 1;
    }
  }
  // What moves leaves its place in one image and takes another's in the other.
  const gainOf = (x: number) => 2 * (moved[x] ?? 0) - (stayed[x] ?? 0) - (stayed[x + by] ?? 0);
  let best = { gain: 0, from: 0, to: 0 };
  let [sum, start] = [0, 0];
  for (let x = 0; x + by < width; x++) {
    if (sum <= 0) [sum, start] = [0, x];
    sum += gainOf(x);
    if (sum > best.gain) best = { gain: sum, from: start, to: x + 1 };
  }
  if (best.gain === 0) return null;
  // What is beside it may be the same where it was and where it went: then it stayed.
  let { from, to } = best;
  while (from < to && moved[from] === rows && stayed[from] === rows) from++;
  while (to > from && moved[to - 1] === rows && stayed[to - 1 + by] === rows) to--;
  return { from, to };
}

/** One in each line of text of a page of 8,000 rows. */
const MOST_ROWS = 512;

import pixelmatch from 'pixelmatch';
import { expect, test } from 'vitest';
import { compareByPixelmatch } from '../../../../src/compare/engines/pixelmatch.js';
import type { Pixels } from '../../../../src/model/image.js';
import { plot } from '../../image/paint.js';

/** Returns the marks of pixelmatch in one call for the whole images: 1 changed, 2 anti-aliased. */
function markWhole(before: Pixels, after: Pixels, threshold: number): number[] {
  const drawn = (includeAA: boolean) => {
    const output = new Uint8Array(before.data.length);
    pixelmatch(before.data, after.data, output, before.width, before.height, { threshold, includeAA, diffMask: true });
    return new Uint32Array(output.buffer);
  };
  const [changed, all] = [drawn(false), drawn(true)];
  return Array.from(all, (word, i) => (changed[i] !== 0 ? 1 : word !== 0 ? 2 : 0));
}

/** Expects the marks of one call for the whole images, and returns how many are anti-aliased. */
async function expectMarks(before: Pixels, after: Pixels, threshold: number): Promise<number> {
  const expected = markWhole(before, after, threshold);
  const diff = await compareByPixelmatch(before, after, { threshold, antialiasing: 'ignore' });
  expect(Array.from(diff.mask?.data ?? new Uint8Array(expected.length))).toEqual(expected);
  const smoothed = expected.filter((mark) => mark === 2).length;
  expect([diff.mismatchPixels, diff.antialiasedPixels]).toEqual([
    expected.filter((mark) => mark === 1).length,
    smoothed,
  ]);
  return smoothed;
}

// Rows that differ: at the top edge, at the bottom edge, next to each other, two apart, and more than one strip holds.
test.each([
  ['the first row', (y: number) => y === 0],
  ['the last row', (y: number) => y === 599],
  ['single rows', (y: number) => y % 7 === 3],
  ['pairs of rows that are two apart', (y: number) => y % 4 < 2],
  ['more rows than a strip has', (y: number) => y > 20 && y < 590],
])('marks the pixels that one call for the whole images marks: %s', async (_, hasChange) => {
  let smoothed = 0;
  for (const [turn, threshold] of [0, 0.02, 0.1, 0.4].entries()) {
    const paint = (seed: number) =>
      plot(31, 600, (x, y) => {
        // A slanted edge, smooth in another place where rows differ, and specks beside it.
        const edge = Math.max(0, Math.min(1, (x * 2 + ((y + 15) % 40) - 20 - turn - (hasChange(y) ? seed : 0)) / 3));
        const speck = hasChange(y) && (x * 7 + y * 3 + turn) % 29 === 0 ? seed * 60 : 0;
        const grey = Math.round(30 + 170 * edge);
        return [grey, grey + (speck >> 2), grey];
      });
    const [before, after] = [paint(0), paint(1)];
    smoothed += await expectMarks(before, after, threshold);
  }
  expect(smoothed).toBeGreaterThan(0);
});

test.each([0.001, 0.002, 0.003, 0.005])(
  'at %d, counts the pixels that pixelmatch counts, and larger steps',
  async (threshold) => {
    const noise = (x: number, y: number, seed: number) => (Math.imul(x * 7 + seed, y * 13 + 5 * seed) >> 3) % 3;
    const paint = (seed: number) =>
      plot(60, 50, (x, y) => [100 + noise(x, y, seed), 100 + noise(y, x, seed), 100 + noise(x + y, y, seed)]);
    const [before, after] = [paint(1), paint(4)];
    const stepAt = (pixel: number) =>
      Math.max(...[0, 1, 2].map((i) => Math.abs((before.data[pixel * 4 + i] ?? 0) - (after.data[pixel * 4 + i] ?? 0))));
    const expected = markWhole(before, after, threshold).map((mark, pixel) =>
      mark !== 0 || stepAt(pixel) > 1 ? 1 : 0,
    );
    const { mask } = await compareByPixelmatch(before, after, { threshold, antialiasing: 'count' });
    expect(Array.from(mask?.data ?? [])).toEqual(expected);
    expect(new Set(expected).size).toBe(2);
  },
);

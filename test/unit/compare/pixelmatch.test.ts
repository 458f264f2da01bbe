import { createRequire } from 'node:module';
import pixelmatch from 'pixelmatch';
import { expect, test } from 'vitest';
import { compareByPixelmatch, pixelmatchVersion } from '../../../src/compare/engines/pixelmatch.js';
import { sideOfPixels } from '../../../src/compare/side.js';
import { plot } from '../image/paint.js';

test('counts what pixelmatch counts, whatever is in the images', async () => {
  let smoothed = 0;
  for (let turn = 0; turn < 400; turn++) {
    const [width, height] = [1 + (turn % 23), 1 + (turn % 17)];
    const threshold = [0, 0.005, 0.1, 0.4][turn % 4] ?? 0;
    // A slanted edge that is smooth in another place in each, and now and then noise.
    const noiseAt = (x: number, y: number, seed: number) => (Math.imul(x + seed, y + 3 * seed + turn) >> 2) & 7;
    const paint = (seed: number) =>
      plot(width, height, (x, y) => {
        const edge = Math.max(0, Math.min(1, (x * 2 + y * (turn % 5) - 12 - seed / 2) / 3));
        const grey = Math.round(30 + 200 * edge);
        return turn % 3 === 0 ? [grey, grey + noiseAt(x, y, seed), noiseAt(y, x, seed) * 30] : [grey, grey, grey];
      });
    const [before, after] = [paint(2), paint(3)];
    const count = (includeAA: boolean) =>
      pixelmatch(before.data, after.data, undefined, width, height, { threshold, includeAA });
    const sides = [before, after].map((pixels) => sideOfPixels(pixels, async () => pixels));
    const [left, right] = sides;
    if (!left || !right) throw new Error('there are two');
    const { mismatchPixels, antialiasedPixels } = await compareByPixelmatch(left, right, {
      threshold,
      antialiasing: 'ignore',
    });
    expect([mismatchPixels, mismatchPixels + antialiasedPixels], `turn ${turn}`).toEqual([count(false), count(true)]);
    smoothed += antialiasedPixels;
  }
  expect(smoothed).toBeGreaterThan(100);
});

test('is called by the version whose arithmetic it has', () => {
  const { version }: { version: string } = createRequire(import.meta.url)('pixelmatch/package.json');
  expect(pixelmatchVersion()).toBe(version);
});

import { describe, expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { cropPixels } from '../../../src/image/canvas.js';
import type { Pixels } from '../../../src/model/image.js';
import { createRandom, fill, type Hex, plot, png, sheet } from '../image/paint.js';
import { EDGES } from './golden-edges.js';
import type { Golden } from './golden-pairs.js';
import { compare, settings, testSeeds } from './settings.js';

/** Paints something like a page: boxes of all colors, an edge with smoothing, a soft slope. */
function page(seed: number, width = 90, height = 70): Pixels {
  const random = createRandom(seed);
  const whole = (below: number) => Math.floor(random() * below);
  const hex = (): Hex => `#${whole(0xffffff).toString(16).padStart(6, '0')}`;
  let pixels = plot(width, height, (x, y) =>
    x === y ? [128, 128, 128] : x > y ? [255, 250 - (y % 9), 255] : [30, 30, 60],
  );
  for (let box = 0; box < 6; box++) {
    const [x, y] = [whole(width - 20), whole(height - 20)];
    pixels = fill(pixels, { x, y, width: 1 + whole(20), height: 1 + whole(20) }, hex());
  }
  return pixels;
}

/** The same page with a few of its pixels moved a little, and a few much. */
function changed(pixels: Pixels, seed: number): Pixels {
  const random = createRandom(seed);
  const data = pixels.data.slice();
  for (let i = 0; i < data.length; i += 4) {
    if (random() < 0.05) data[i] = Math.min(255, (data[i] ?? 0) + random() ** 4 * 200);
  }
  return { ...pixels, data };
}

/** Edges, and pages of which some pixels changed: the soak tests compare more of these. */
const CASES: readonly (Pick<Golden, 'name' | 'before' | 'after'> & { readonly tags?: string[] })[] = [
  ...EDGES,
  ...[1, 2, 3, 4, 5].map((seed) => ({
    ...{ name: `page ${seed}`, before: page(seed), after: changed(page(seed), seed), tags: seed > 2 ? ['soak'] : [] },
  })),
];

describe.each(CASES)('laws: $name', ({ before, after, tags = [] }) => {
  const pair = [png(before), png(after)] as const;

  test('a looser threshold never counts more', { tags }, async () => {
    const counts: number[] = [];
    for (const threshold of [0, 0.005, 0.02, 0.1, 0.3, 1])
      counts.push((await compareImages(...pair, settings({ threshold }), [])).counts.mismatchPixels);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts.at(-1)).toBe(0);
  });

  test('`count` counts all that differs, whichever side comes first, and `ignore` never more', { tags }, async () => {
    for (const masked of [[], [{ x: 30, y: 20, width: 20, height: 20 }]]) {
      const apart = (await compareImages(...pair, settings(), masked)).counts;
      const comparison = await compareImages(...pair, settings({ antialiasing: 'count' }), masked);
      const all = apart.mismatchPixels + apart.antialiasedPixels;
      expect(comparison.counts).toMatchObject({ mismatchPixels: all, antialiasedPixels: 0 });
      const [one, other] = pair;
      const back = await compareImages(other, one, settings({ antialiasing: 'count' }), masked);
      expect(back.counts).toEqual(comparison.counts);
    }
  });
});

describe('laws', () => {
  const cropping = 'cropping both sides outside all changes does not change the verdict and the counts';
  testSeeds(cropping, 2, 5, async (seed) => {
    const random = createRandom(seed);
    const [left, top] = [20 + Math.floor(random() * 20), 20 + Math.floor(random() * 10)];
    const before = page(seed);
    const inner = cropPixels(changed(before, seed), { x: left, y: top, width: 30, height: 20 });
    const after = plot(before.width, before.height, (x, y) => {
      const isIn = x >= left && x < left + 30 && y >= top && y < top + 20;
      const [from, at] = isIn ? [inner, (y - top) * 30 + x - left] : [before, y * before.width + x];
      return [...from.data.subarray(at * 4, at * 4 + 4)];
    });
    const whole = await compare(before, after);
    expect(whole.counts.mismatchPixels).toBeGreaterThan(0);
    for (const margin of [3, 5, 8, 16]) {
      const area = { x: left - margin, y: top - margin, width: 30 + 2 * margin, height: 20 + 2 * margin };
      const [one, other] = [png(cropPixels(before, area)), png(cropPixels(after, area))];
      const { kind, counts } = await compareImages(one, other, settings(), []);
      expect([kind, counts.mismatchPixels]).toEqual([whole.kind, whole.counts.mismatchPixels]);
    }
  });

  test('one pixel of 3 million fails at 0, and its share is not 0', async () => {
    const rows = 2300;
    const [before, after] = [sheet(1280, rows), sheet(1280, rows)];
    after.data.set([254, 226, 226], (1522 * 1280 + 7) * 4);
    expect(await compare(before, after)).toMatchObject({
      kind: 'different',
      counts: { mismatchPixels: 1, totalPixels: rows * 1280 },
      regions: [{ x: 7, y: 1522, width: 1, height: 1, pixels: 1 }],
    });
  });
});

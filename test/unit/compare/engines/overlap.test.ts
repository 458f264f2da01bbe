import { describe, expect, test } from 'vitest';
import { decodeImage } from '../../../../src/image/decode.js';
import type { Pixels, Rectangle } from '../../../../src/model/image.js';
import { createRandom, fill, type Hex, imageOf, plot, sheet } from '../../image/paint.js';
import { compare, testSeeds } from '../settings.js';

const size = { width: 90, height: 70 };
const page = plot(size.width, size.height, (x, y) => ((x * 5 + y * 3) % 31 < 6 ? [90, 90, 200] : [255, 255, 255]));
const area = (x: number, y: number, width: number, height: number): Rectangle => ({ x, y, width, height });

/** Compares painted images and gives the counts that are not those of the canvas, with the kind. */
async function found(before: Pixels, after: Pixels, masked: readonly Rectangle[]) {
  const { kind, counts } = await compare(before, after, {}, masked);
  return { kind, changed: counts.mismatchPixels, smoothed: counts.antialiasedPixels };
}

const NONE = { kind: 'within-limit', changed: 0, smoothed: 0 };

describe('masked areas', () => {
  test('a hairline next to a mask is found, whatever the colors of page, line and mask', async () => {
    const colors: readonly Hex[] = ['#ffffff', '#000000', '#808080', '#ff00ff'];
    const lost: string[] = [];
    for (const ground of colors) {
      for (const line of ['#e5e7eb', '#404040', '#a0a0a0'] as const) {
        for (const paint of colors) {
          const mask = area(20, 20, 30, 20);
          const before = fill(sheet(90, 70, ground), mask, paint);
          const after = fill(before, area(50, 10, 1, 40), line);
          const { changed, smoothed } = await found(before, after, [mask]);
          if (changed !== 40 || smoothed !== 0) lost.push(`${line} on ${ground} beside ${paint}: ${changed}`);
        }
      }
    }
    expect(lost).toEqual([]);
  });

  test('masked pixels in an area of only one image do not count, and the sizes still differ', async () => {
    const taller = sheet(90, 100);
    const compareTaller = (masked: readonly Rectangle[]) => compare(sheet(90, 70), taller, {}, masked);
    expect(await compareTaller([area(0, 60, 90, 20)])).toMatchObject({
      kind: 'different',
      counts: { mismatchPixels: 1800, totalPixels: 9000, sameDimensions: false },
      regions: [{ x: 0, y: 80, width: 90, height: 20, pixels: 1800 }],
    });
    expect(await compareTaller([area(10, 70, 20, 10), area(20, 75, 20, 10)])).toMatchObject({
      counts: { mismatchPixels: 2700 - 350 },
    });
    expect(await compareTaller([area(-5, 50, 200, 200)])).toMatchObject({
      kind: 'different',
      counts: { mismatchPixels: 0, sameDimensions: false },
      regions: [],
    });
  });

  test('masks also apply to transparent pixels', async () => {
    const before = fill(page, area(40, 40, 10, 10), '#00000000');
    const after = fill(fill(before, area(60, 10, 5, 5), '#00000080'), area(5, 5, 10, 10), '#00000000');
    expect(await found(before, after, [area(60, 10, 5, 5), area(5, 5, 10, 10)])).toEqual(NONE);
    expect(await found(before, after, [area(5, 5, 10, 10)])).toMatchObject({ changed: 25 });
  });

  test('the diff image shows the masks inside the images', async () => {
    const changed = fill(sheet(90, 100), area(0, 0, 10, 10), '#000000');
    const masked = [area(5, 5, 30, 10), area(80, 90, 40, 40)];
    const comparison = await compare(sheet(100, 70), changed, {}, masked);
    if (comparison.kind !== 'different') throw new Error('not reached');
    const diff = await decodeImage(imageOf(comparison.diff));
    const at = (x: number, y: number) =>
      Buffer.from(diff.data).toString('hex', (y * 100 + x) * 4, (y * 100 + x) * 4 + 4);
    const hatched = [28, 29, 30, 31, 32, 33, 34].flatMap((x) => [at(x, 7), at(x, 12)]);
    expect(new Set([...hatched, at(85, 95), at(86, 95)])).toEqual(new Set(['e8e8e8ff', 'c4c4c4ff']));
    expect([at(4, 5), at(9, 4), at(35, 10), at(98, 98)]).toEqual(['d60093ff', 'd60093ff', 'ffffffff', '00000000']);
  });
});

const somewhere = (random: () => number) => Math.floor(random() * 80) - 12;
const areas = (random: () => number): Rectangle[] =>
  Array.from({ length: 4 }, () =>
    area(somewhere(random), somewhere(random), Math.floor(random() * 30), Math.floor(random() * 30)),
  );

const covers = ({ x, y, width, height }: Rectangle, column: number, row: number) =>
  column >= x && column < x + width && row >= y && row < y + height;

describe('laws of masked areas', () => {
  testSeeds('masked content does not affect the counts, not even of adjacent pixels', 6, 20, async (seed) => {
    const random = createRandom(seed);
    const [width, height] = [60, 50];
    const noise = () =>
      plot(width, height, () => (random() < 0.8 ? [255, 255, 255] : [random() * 255, random() * 255, 128]));
    const [before, after] = [noise(), noise()];
    const masked = areas(random);
    const painted = (pixels: Pixels, color: Hex) =>
      plot(width, height, (x, y) =>
        masked.some((mask) => covers(mask, x, y))
          ? [...Buffer.from(color.slice(1), 'hex')]
          : [...pixels.data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)],
      );
    const plain = await found(before, after, masked);
    expect(plain.smoothed).toBeGreaterThan(0);
    expect(await found(painted(before, '#ff00ff'), after, masked)).toEqual(plain);
    expect(await found(painted(before, '#000000'), painted(after, '#808080'), masked)).toEqual(plain);
  });
});

import { expect, test } from 'vitest';
import { areasBeyond, spansOf } from '../../../src/compare/areas.js';
import { ANTI_ALIASED, CHANGED, createMask } from '../../../src/compare/engines/pixel-diff.js';
import { findRegions, MAX_REGIONS, regionOf, sortRegions } from '../../../src/compare/regions.js';
import type { Mask } from '../../../src/model/comparison.js';
import type { Rectangle, Size } from '../../../src/model/image.js';
import { createRandom } from '../image/paint.js';

const size = { width: 20, height: 10 };

function maskOf(
  points: readonly (readonly [x: number, y: number, mark?: number])[],
  { width, height }: Size = size,
): Mask {
  const mask = createMask({ width, height });
  for (const [x, y, mark = CHANGED] of points) mask.data[y * width + x] = mark;
  return mask;
}

function maskOfAreas(areas: readonly Rectangle[], size: Size): Mask {
  const mask = createMask(size);
  for (const area of areas) for (const [from, to] of spansOf(area, size.width)) mask.data.fill(CHANGED, from, to);
  return mask;
}

test('nearby pixels are one region, their bounding rectangle', () => {
  const mask = maskOf([
    [19, 2],
    [4, 7],
    [11, 5],
    [0, 0, ANTI_ALIASED],
  ]);
  expect(findRegions(mask)).toEqual([{ x: 4, y: 2, width: 16, height: 6, pixels: 3 }]);
});

test('words are joined to lines and lines to paragraphs; distant content is separate', () => {
  const word = (x: number, y: number) => ({ x, y, width: 30, height: 12 });
  const line = (y: number) => [word(40, y), word(78, y), word(116, y)];
  const button = { x: 300, y: 40, width: 60, height: 30 };
  const areas = [...line(20), ...line(44), ...line(68), button];
  const regions = findRegions(maskOfAreas(areas, { width: 400, height: 200 }));
  expect(sortRegions(regions)).toEqual([
    { x: 40, y: 20, width: 106, height: 60, pixels: 9 * 30 * 12 },
    { ...button, pixels: 1800 },
  ]);
});

test('cards of a grid, 16 px apart, are regions of their own', () => {
  const card = (x: number) => ({ x, y: 10, width: 100, height: 80 });
  expect(findRegions(maskOfAreas([card(10), card(126), card(242)], { width: 360, height: 100 }))).toHaveLength(3);
});

const holds = (region: Rectangle, x: number, y: number) =>
  x >= region.x && x < region.x + region.width && y >= region.y && y < region.y + region.height;

test('each changed pixel is in one region only, which counts it, and regions are tight and few', () => {
  const random = createRandom(11);
  const large = { width: 500, height: 400 };
  for (const amount of [1, 3, 40, 400, 4000]) {
    const keys = new Set(Array.from({ length: amount }, () => Math.floor(random() * large.width * large.height)));
    const points = [...keys].map((key) => [key % large.width, Math.floor(key / large.width)] as const);
    const regions = findRegions(maskOf(points, large));
    expect(regions.length).toBeLessThanOrEqual(MAX_REGIONS);
    for (const region of regions) {
      const inside = points.filter(([x, y]) => holds(region, x, y));
      expect(inside.length).toBe(region.pixels);
      const [xs, ys] = [inside.map(([x]) => x), inside.map(([, y]) => y)];
      expect([Math.min(...xs), Math.max(...xs) + 1]).toEqual([region.x, region.x + region.width]);
      expect([Math.min(...ys), Math.max(...ys) + 1]).toEqual([region.y, region.y + region.height]);
    }
    expect(regions.reduce((sum, { pixels }) => sum + pixels, 0)).toBe(points.length);
  }
});

test('an area of only one image is a region of all its pixels, except masked ones', () => {
  const below = { x: 0, y: 10, width: 20, height: 3 };
  expect(regionOf(areasBeyond(size, { width: 20, height: 13 }))).toEqual({ ...below, pixels: 60 });
  const parts = [
    { x: 0, y: 10, width: 8, height: 3 },
    { x: 12, y: 10, width: 8, height: 3 },
  ];
  expect(regionOf(parts)).toEqual({ ...below, pixels: 48 });
  expect(regionOf([])).toBe(null);
});

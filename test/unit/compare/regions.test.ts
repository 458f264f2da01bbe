import { expect, test } from 'vitest';
import { extraAreas } from '../../../src/compare/areas.js';
import { CHANGED, createMask, SMOOTHED } from '../../../src/compare/finding.js';
import { findRegions } from '../../../src/compare/regions.js';
import { areaOf } from '../../../src/image/canvas.js';
import type { Mask } from '../../../src/model/comparison.js';
import { createRandom } from '../image/paint.js';

const size = { width: 20, height: 10 };

function maskOf(points: readonly (readonly [x: number, y: number, mark?: number])[]): Mask {
  const mask = createMask(size);
  for (const [x, y, mark = CHANGED] of points) mask.data[y * size.width + x] = mark;
  return mask;
}

test('nothing changed: no region', () => {
  expect(findRegions(maskOf([[3, 3, SMOOTHED]]), [], 0)).toEqual([]);
});

test('the region is the smallest rectangle that holds all that changed', () => {
  const mask = maskOf([
    [19, 2],
    [4, 7],
    [11, 5],
    [0, 0, SMOOTHED],
  ]);
  expect(findRegions(mask, [], 3)).toEqual([{ x: 4, y: 2, width: 16, height: 6, pixels: 3 }]);
});

test('it agrees with a plain search, wherever the pixels are', () => {
  const random = createRandom(11);
  for (let round = 0; round < 200; round++) {
    const points = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
      return [Math.floor(random() * size.width), Math.floor(random() * size.height)] as const;
    });
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    expect(findRegions(maskOf(points), [], points.length)).toEqual([
      { x: left, y: top, width: Math.max(...xs) - left + 1, height: Math.max(...ys) - top + 1, pixels: points.length },
    ]);
  }
});

test('what one image covers alone belongs to the region', () => {
  const taller = { width: 20, height: 13 };
  expect(findRegions(maskOf([]), extraAreas(size, taller), 60)).toEqual([
    { x: 0, y: 10, width: 20, height: 3, pixels: 60 },
  ]);
  expect(findRegions(maskOf([[5, 6]]), extraAreas(taller, size), 61)).toEqual([
    { x: 0, y: 6, width: 20, height: 7, pixels: 61 },
  ]);
  const wider = { width: 25, height: 10 };
  expect(findRegions(maskOf([]), extraAreas(size, wider), 50)).toEqual([
    { x: 20, y: 0, width: 5, height: 10, pixels: 50 },
  ]);
});

const countExtra = (...sides: Parameters<typeof extraAreas>) =>
  extraAreas(...sides).reduce((sum, area) => sum + areaOf(area), 0);

test('the extra area is what exactly one covers, not the corner that neither does', () => {
  expect(countExtra(size, size)).toBe(0);
  expect(countExtra({ width: 100, height: 80 }, { width: 120, height: 70 })).toBe(2400);
  expect(countExtra({ width: 120, height: 70 }, { width: 100, height: 80 })).toBe(2400);
  expect(countExtra({ width: 10, height: 10 }, { width: 30, height: 20 })).toBe(500);
});

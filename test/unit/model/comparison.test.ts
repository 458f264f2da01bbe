import { expect, test } from 'vitest';
import { limitOf } from '../../../src/model/comparison.js';

const ofRatio = (maxDiffPixelRatio: number, totalPixels: number) =>
  limitOf({ maxDiffPixels: null, maxDiffPixelRatio }, totalPixels);

test.each([
  [null, null, 0],
  [5, 0.01, 5],
  [50, 0.01, 10],
])('with the limits %s and %s, %i of 1000 pixels may differ: the smaller applies', (maxDiffPixels, ratio, limit) => {
  expect(limitOf({ maxDiffPixels, maxDiffPixelRatio: ratio }, 1000)).toBe(limit);
});

test('a share of a whole count is that count, and a hair less is one less, though the product of floats be off', () => {
  expect(0.29 * 100).toBeLessThan(29);
  expect([ofRatio(0.29, 100), ofRatio(0.001, 10_240_000), ofRatio(0.0001, 921_600)]).toEqual([29, 10_240, 92]);
  expect([ofRatio(0, 921_600), ofRatio(1, 921_600)]).toEqual([0, 921_600]);
  for (const total of [7, 100, 8000, 921_600, 10_240_000, 319_999_999]) {
    for (let step = 1; step <= 500; step++) {
      const count = Math.ceil((total * step) / 500);
      expect(ofRatio(count / total, total)).toBe(count);
      expect(ofRatio((count / total) * (1 - Number.EPSILON), total)).toBe(count - 1);
    }
  }
});

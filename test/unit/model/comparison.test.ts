import { expect, test } from 'vitest';
import { limitOf } from '../../../src/model/comparison.js';

const ofRatio = (maxDiffPixelRatio: number, totalPixels: number) =>
  limitOf({ maxDiffPixels: null, maxDiffPixelRatio }, totalPixels);

test('no limit set is a limit of 0', () => {
  expect(limitOf({ maxDiffPixels: null, maxDiffPixelRatio: null }, 1000)).toBe(0);
});

test('a share is the largest count that is not above it, though the product of floats be off', () => {
  expect(0.29 * 100).toBeLessThan(29);
  expect(ofRatio(0.29, 100)).toBe(29);
  expect(ofRatio(0.1, 10)).toBe(1);
  expect(ofRatio(0.001, 10_240_000)).toBe(10_240);
  expect(ofRatio(0.0001, 921_600)).toBe(92);
  expect(ofRatio(0, 921_600)).toBe(0);
  expect(ofRatio(1, 921_600)).toBe(921_600);
});

test('a share of a whole count is that count, and a hair less is one less', () => {
  for (const total of [7, 100, 8000, 921_600, 10_240_000, 319_999_999]) {
    for (let step = 1; step <= 500; step++) {
      const count = Math.ceil((total * step) / 500);
      expect(ofRatio(count / total, total)).toBe(count);
      expect(ofRatio((count / total) * (1 - Number.EPSILON), total)).toBe(count - 1);
    }
  }
});

test('the smaller of two limits applies', () => {
  expect(limitOf({ maxDiffPixels: 5, maxDiffPixelRatio: 0.01 }, 1000)).toBe(5);
  expect(limitOf({ maxDiffPixels: 50, maxDiffPixelRatio: 0.01 }, 1000)).toBe(10);
});

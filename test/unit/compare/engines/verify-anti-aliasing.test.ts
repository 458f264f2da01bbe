import { expect, test } from 'vitest';
import { createPair, isLostAntiAliasing } from '../../../../src/compare/engines/verify-anti-aliasing.js';
import type { Pixels } from '../../../../src/model/image.js';
import { createRandom, plot, sheet } from '../../image/paint.js';

const size = { width: 400, height: 1200 };
const middle = 600 * size.width + 200;

/** Paints an image in which nearly every pixel is a step between its neighbors, as in a photo. */
function photo(seed: number): Pixels {
  const random = createRandom(seed);
  return plot(size.width, size.height, () => [random() * 255, 90, 160]);
}

function countVisited(shapes: Uint8Array): number {
  return shapes.subarray(0, size.width * size.height).filter((state) => state !== 0).length;
}

test('all of a photo that a box of one color replaces lost its anti-aliasing', () => {
  const pair = createPair(photo(1), sheet(size.width, size.height, '#101010'), []);
  // The darkest and the brightest of nine pixels are no step.
  expect([0, 1, 2, 3].some((x) => isLostAntiAliasing(pair, middle + x))).toBe(true);
  expect(countVisited(pair.shapes)).toBeGreaterThan(0.99 * size.width * size.height);
});

test('a photo that another photo replaces did not: a few pixels prove that both are anti-aliased', () => {
  const pair = createPair(photo(1), photo(2), []);
  expect(isLostAntiAliasing(pair, middle)).toBe(false);
  expect(countVisited(pair.shapes)).toBeLessThan(100);
});

test('both halves of a photo that is replaced by half a photo are one shape, wherever the check starts', () => {
  const [before, after] = [photo(1), photo(2)];
  after.data.fill(16, 0, after.data.length / 2);
  const pair = createPair(before, after, []);
  const starts = [0, 500, 700, 300, 1199, 599].map((row) => row * size.width + 200);
  expect(starts.map((at) => isLostAntiAliasing(pair, at))).toEqual(starts.map(() => false));
});

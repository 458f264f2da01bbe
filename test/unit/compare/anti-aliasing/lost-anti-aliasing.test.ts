import { describe, expect, test } from 'vitest';
import { createPair, isLostAntiAliasing, type Pair } from '../../../../src/compare/anti-aliasing/lost-anti-aliasing.js';
import type { Pixels } from '../../../../src/model/image.js';
import { createRandom, plot, sheet } from '../../image/paint.js';

const size = { width: 400, height: 1200 };

/** Paints an image in which nearly every pixel is a step between its neighbors, as in a photo. */
function photo(seed: number): Pixels {
  const random = createRandom(seed);
  return plot(size.width, size.height, () => [random() * 255, 90, 160]);
}

const middle = 600 * size.width + 200;
const visited = (shapes: Uint8Array) =>
  shapes.subarray(0, size.width * size.height).filter((state) => state !== 0).length;

/** Returns the pair with a queue that measures itself, and a function that returns its largest length. */
function measureQueue(pair: Pair): { readonly measured: Pair; readonly largest: () => number } {
  const { queue } = pair;
  let largest = 0;
  const measuring = {
    get length() {
      return queue.length;
    },
    push(at: number) {
      queue.push(at);
      largest = Math.max(largest, queue.length);
    },
    shift: () => queue.shift(),
  };
  return { measured: { ...pair, queue: measuring }, largest: () => largest };
}

describe('a replaced photo', () => {
  test('a box of one color: all of it lost its anti-aliasing, and only its edge is in memory', () => {
    const pair = createPair(photo(1), sheet(size.width, size.height, '#101010'), []);
    const { measured, largest } = measureQueue(pair);
    // The darkest and the brightest of nine pixels are no step.
    expect([0, 1, 2, 3].some((x) => isLostAntiAliasing(measured, middle + x))).toBe(true);
    expect(visited(pair.shapes)).toBeGreaterThan(0.99 * size.width * size.height);
    expect(largest()).toBeLessThan(0.025 * size.width * size.height);
  });

  test('by another photo: a few pixels prove that both are anti-aliased', () => {
    const pair = createPair(photo(1), photo(2), []);
    const { measured, largest } = measureQueue(pair);
    expect(isLostAntiAliasing(measured, middle)).toBe(false);
    expect(visited(pair.shapes)).toBeLessThan(100);
    expect(largest()).toBeLessThan(0.025 * size.width * size.height);
  });

  test('half by another photo: both halves are one shape, wherever the check starts', () => {
    const [before, after] = [photo(1), photo(2)];
    after.data.fill(16, 0, after.data.length / 2);
    const pair = createPair(before, after, []);
    const starts = [0, 500, 700, 300, 1199, 599].map((row) => row * size.width + 200);
    expect(starts.map((at) => isLostAntiAliasing(pair, at))).toEqual(starts.map(() => false));
    expect(pair.queue.length).toBe(0);
  });
});

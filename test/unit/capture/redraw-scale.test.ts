import { expect, test } from 'vitest';
import { redrawScale } from '../../../src/capture/screenshot/backend.js';

test.each([
  [1280, 2792],
  [390, 60_000],
  [50, 2000],
  [3, 5],
  [1, 1],
])('the discarded image of %i x %i px has a scale that is a power of two, and at least one pixel', (width, height) => {
  const scale = redrawScale({ width, height });
  expect(Math.log2(scale)).toSatisfy(Number.isInteger);
  expect(Math.min(width, height) * scale).toBeGreaterThanOrEqual(1);
  expect(scale).toBeLessThanOrEqual(1);
});

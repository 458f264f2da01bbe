import { expect, test } from 'vitest';
import { measureBlurred } from '../../../src/compare/blurred.js';
import type { Pixels, Rectangle } from '../../../src/model/image.js';
import { fill, png, sheet } from '../image/paint.js';

const WHOLE: Rectangle = { x: 0, y: 0, width: 64, height: 64 };

async function distance(before: Pixels, after: Pixels, reach = 2, place = { before: WHOLE, after: WHOLE }) {
  const [measured = 0] = await measureBlurred(png(before), png(after), [place], reach);
  return measured;
}

test('content is searched for within the reach alone', async () => {
  const at = (x: number, y: number) => fill(sheet(64, 64), { x, y, width: 16, height: 16 }, '#0044aa');
  expect(await distance(at(10, 10), at(12, 10))).toBeLessThan(5);
  expect(await distance(at(10, 10), at(14, 10))).toBeGreaterThan(24);
});

test('places beyond the edges, or smaller than a block, are measured where the images are', async () => {
  const dark = fill(sheet(64, 64), { x: 60, y: 60, width: 4, height: 4 }, '#000000');
  const corner = { x: 62, y: 62, width: 40, height: 40 };
  expect(await distance(sheet(64, 64), dark, 0, { before: corner, after: corner })).toBeGreaterThan(24);
  const outside = { x: 500, y: 500, width: 5, height: 5 };
  expect(await distance(sheet(64, 64), dark, 0, { before: outside, after: outside })).toBeGreaterThan(0);
});

test('of a whole place, only the mean color counts', async () => {
  const place = { before: WHOLE, after: WHOLE, isWhole: true };
  const text = fill(sheet(64, 64), { x: 4, y: 4, width: 30, height: 6 }, '#000000');
  expect(await distance(sheet(64, 64), text, 0, place)).toBeLessThan(24);
  expect(await distance(sheet(64, 64), sheet(64, 64, '#0075ff'), 0, place)).toBeGreaterThan(24);
});

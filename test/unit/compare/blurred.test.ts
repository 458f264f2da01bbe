import { expect, test } from 'vitest';
import { measureBlurred } from '../../../src/compare/blurred.js';
import type { Pixels, Rectangle } from '../../../src/model/image.js';
import { fill, png, sheet } from '../image/paint.js';

const WHOLE: Rectangle = { x: 0, y: 0, width: 64, height: 64 };

/** Thin stripes, as of text. */
function stripes(color: `#${string}`, from = 0): Pixels {
  return Array.from({ length: 16 }, (_, index) => 4 * index + from).reduce(
    (image, x) => fill(image, { x, y: 0, width: 2, height: 64 }, color),
    sheet(66, 64),
  );
}

async function distance(before: Pixels, after: Pixels, reach = 2, place = { before: WHOLE, after: WHOLE }) {
  const [measured = 0] = await measureBlurred(png(before), png(after), [place], reach);
  return measured;
}

test('strokes that are drawn a bit to the side, or a bit lighter, are near', async () => {
  expect(await distance(stripes('#000000'), stripes('#000000', 1))).toBeLessThan(2);
  expect(await distance(stripes('#000000'), stripes('#101010'))).toBeLessThan(10);
});

test('another color, and a spot of a fourth of a block, are far', async () => {
  expect(
    await distance(sheet(64, 64), fill(sheet(64, 64), { x: 20, y: 20, width: 4, height: 4 }, '#dc2626')),
  ).toBeGreaterThan(24);
  expect(await distance(sheet(64, 64), sheet(64, 64, '#000000'))).toBeGreaterThan(250);
});

test('content that moved with its place is equal, and within the reach without one', async () => {
  const at = (x: number, y: number) => fill(sheet(64, 64), { x, y, width: 16, height: 16 }, '#0044aa');
  const box = (x: number, y: number) => ({ x, y, width: 16, height: 16 });
  expect(await distance(at(10, 10), at(30, 40), 0, { before: box(10, 10), after: box(30, 40) })).toBe(0);
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

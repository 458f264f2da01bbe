import { describe, expect, test } from 'vitest';
import type { Pixels, Rectangle } from '../../../../src/model/image.js';
import { missingCells } from '../../../../src/page/window/missing-cells.js';
import { fill, type Hex, sheet } from '../../image/paint.js';

type Box = Rectangle & { readonly color?: Hex };

/** Paints boxes on white. */
const paint = (width: number, height: number, boxes: readonly Box[]): Pixels =>
  boxes.reduce((pixels, box) => fill(pixels, box, box.color ?? '#000000'), sheet(width, height));

const WINDOW: Rectangle = { x: 0, y: 0, width: 320, height: 200 };
const word = (y: number, x = 40): Box => ({ x, y, width: 48, height: 16 });
const missing = (whole: readonly Box[], seen: readonly Box[], scrolled = 0, view = WINDOW) =>
  missingCells(paint(320, 200, seen), paint(320, 1000, whole), view, scrolled);

describe('content that was seen', () => {
  test('is not missing where the image has it', () => {
    expect(missing([word(40)], [word(40)])).toEqual([]);
  });

  test('is missing where the image is blank, all of it', () => {
    expect(missing([], [word(40)])).toHaveLength((48 * 16) / 64);
  });

  test('is at its place in the whole image', () => {
    const ys = missing([word(40)], [word(40), word(120)], 400).map(({ y }) => y);
    expect([Math.min(...ys), Math.max(...ys)]).toEqual([440, 528]);
  });

  test('is missing if it is an area of one color', () => {
    const row = { x: 0, y: 80, width: 320, height: 32, color: '#c8c8c8' } as const;
    expect(missing([], [row])).toHaveLength((320 * 32) / 64);
  });

  test.each([3, 8, 16, 24])('is not missing if it moved by %i px', (distance) => {
    expect(missing([word(80)], [word(80 + distance)])).toEqual([]);
    expect(missing([word(80)], [word(80, 40 + distance)])).toEqual([]);
  });

  test('is missing up to the row that the image has, so that no row is cut', () => {
    const rows = [40, 64, 88, 112, 136].map((y) => word(y));
    expect(missing(rows.slice(0, 1), rows)).toHaveLength((4 * 48 * 16) / 64);
  });

  test('does not count outside of the part that scrolls', () => {
    expect(missing([], [word(40)], 0, { ...WINDOW, y: 80, height: 120 })).toEqual([]);
  });

  test('does not count if it is smaller than a word', () => {
    expect(missing([], [{ x: 40, y: 40, width: 8, height: 8 }])).toEqual([]);
  });
});

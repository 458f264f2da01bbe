import { areaOf } from '../image/canvas.js';
import type { Mask, Region } from '../model/comparison.js';
import type { Rectangle } from '../model/image.js';
import { CHANGED } from './finding.js';

/**
 * Gives the rectangles of the union canvas in which something changed: for now the one that holds all of it, what only
 * one image covers included. Empty when nothing changed.
 *
 * @param mask - of the overlap
 * @param extra - what only one image covers and no mask of the list does
 */
export function findRegions(mask: Mask, extra: readonly Rectangle[], mismatchPixels: number): Region[] {
  const parts = [boundMask(mask), ...extra].filter((part) => areaOf(part) > 0);
  return parts.length === 0 ? [] : [{ ...boundAll(parts), pixels: mismatchPixels }];
}

function boundMask({ width, height, data }: Mask): Rectangle {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y++) {
    const first = data.indexOf(CHANGED, y * width) - y * width;
    if (first < 0) break; // None below either.
    if (first >= width) {
      y += Math.floor(first / width) - 1; // Straight to the next row that has one.
      continue;
    }
    const last = data.lastIndexOf(CHANGED, (y + 1) * width - 1) - y * width;
    [left, right, top, bottom] = [Math.min(left, first), Math.max(right, last), Math.min(top, y), y];
  }
  return right < 0 ? { x: 0, y: 0, width: 0, height: 0 } : boundary(left, top, right + 1, bottom + 1);
}

function boundAll(parts: readonly Rectangle[]): Rectangle {
  return boundary(
    Math.min(...parts.map(({ x }) => x)),
    Math.min(...parts.map(({ y }) => y)),
    Math.max(...parts.map(({ x, width }) => x + width)),
    Math.max(...parts.map(({ y, height }) => y + height)),
  );
}

function boundary(left: number, top: number, right: number, bottom: number): Rectangle {
  return { x: left, y: top, width: right - left, height: bottom - top };
}

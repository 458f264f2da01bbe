import { overlapOf } from '../image/canvas.js';
import type { Mask, Region } from '../model/comparison.js';
import type { Rectangle, Size } from '../model/image.js';
import { CHANGED } from './finding.js';

/**
 * Gives the rectangles of the union canvas in which something changed: for now the one that holds all of it, what only
 * one image covers included. Empty when nothing changed.
 *
 * @param mask - of the overlap
 */
export function findRegions(before: Size, after: Size, mask: Mask, mismatchPixels: number): Region[] {
  const parts = [boundMask(mask), ...extraParts(before, after)].filter((part) => part.width > 0 && part.height > 0);
  return parts.length === 0 ? [] : [{ ...boundAll(parts), pixels: mismatchPixels }];
}

/** Counts the pixels that exactly one of two images covers when both lie at one corner. */
export function countExtra(before: Size, after: Size): number {
  const overlap = overlapOf(before, after);
  return before.width * before.height + after.width * after.height - 2 * overlap.width * overlap.height;
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

// To the right of the overlap lies the wider image, below it the taller one; in the corner there may be neither.
function extraParts(before: Size, after: Size): Rectangle[] {
  const overlap = overlapOf(before, after);
  const wider = before.width > after.width ? before : after;
  const taller = before.height > after.height ? before : after;
  return [
    boundary(overlap.width, 0, wider.width, wider.height),
    boundary(0, overlap.height, taller.width, taller.height),
  ];
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

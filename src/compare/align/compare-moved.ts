import { cropPixels } from '../../image/index.js';
import type { Mask, Pixels, Rectangle } from '../../model/index.js';
import { shiftAreas } from '../areas.js';
import { createMask, type PixelDiff } from '../engines/pixel-diff.js';
import { type Columns, hasRows, isMoved, type Segment } from './align-rows.js';

/** Compares two images of one size, except for ignored areas. */
export type ComparePixels = (before: Pixels, after: Pixels, ignoredAreas: readonly Rectangle[]) => Promise<PixelDiff>;

/** Two images, and the areas of both that do not count. */
export interface ImagePair {
  readonly before: Pixels;
  readonly after: Pixels;
  readonly ignoredAreas: readonly Rectangle[];
}

/** Compares content at its place in before with that in after, both of one size. An area that is ignored in either image does not count. */
export function compareMoved(
  images: ImagePair,
  before: Rectangle,
  after: Rectangle,
  compare: ComparePixels,
): Promise<PixelDiff> {
  const areas = [before, after].flatMap((place) => shiftAreas(images.ignoredAreas, place));
  return compare(cropPixels(images.before, before), cropPixels(images.after, after), areas);
}

/**
 * Returns the changed pixels of paired rows, in the rows of after. The result for rows that did not move is known.
 *
 * @param mask - the pixels that changed when the images were compared without alignment
 */
export async function compareMovedRows(
  images: ImagePair,
  mask: Mask,
  segments: readonly Segment[],
  [from, to]: Columns,
  compare: ComparePixels,
): Promise<Mask> {
  const aligned = createMask({ width: mask.width, height: images.after.height });
  for (const segment of segments) {
    if (!hasRows(segment, 'after')) continue;
    const isUnmoved = segment.kind === 'paired' && !isMoved(segment);
    for (let y = segment.after; y < Math.min(segment.after + segment.height, mask.height); y++) {
      const row = y * mask.width;
      aligned.data.set(mask.data.subarray(row, row + mask.width), row);
      if (!isUnmoved) aligned.data.fill(0, row + from, row + to);
    }
    if (!isMoved(segment)) continue;
    const rows = { x: from, width: to - from, height: segment.height };
    const diff = await compareMoved(images, { ...rows, y: segment.before }, { ...rows, y: segment.after }, compare);
    if (diff.mask) pasteMask(aligned, diff.mask, from, segment.after);
  }
  return aligned;
}

/** Copies the mask of a part of an image to its position in a mask. */
export function pasteMask(into: Mask, part: Mask, x: number, y: number): void {
  for (let row = 0; row < part.height; row++) {
    const from = row * part.width;
    into.data.set(part.data.subarray(from, from + part.width), (y + row) * into.width + x);
  }
}

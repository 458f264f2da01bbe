import { cropPixels } from '../../image/index.js';
import type { ColumnShift, Mask, Pixels, Rectangle, Region } from '../../model/index.js';
import { cutAreas, shiftAreas, spansOf, totalArea } from '../areas.js';
import { CHANGED, type PixelDiff } from '../engines/pixel-diff.js';
import type { Columns } from './align-rows.js';
import { findOffset } from './column-offset.js';
import { columnsOf, isEmptySpace, isSameLine, type Lines, rowsOf, sampleLines } from './lines.js';

export interface ImagePair {
  readonly before: Pixels;
  readonly after: Pixels;
  /** Areas of both images that do not count. */
  readonly ignoredAreas: readonly Rectangle[];
  /** The pixels that changed: in place or, once rows are aligned, in the rows of after. */
  readonly mask: Mask;
  /** Compares two images of one size, except for ignored areas. */
  compare(before: Pixels, after: Pixels, ignoredAreas: readonly Rectangle[]): Promise<PixelDiff>;
}

/** Compares content at its place in before with that in after, both of one size. */
export function compareMoved(images: ImagePair, before: Rectangle, after: Rectangle): Promise<PixelDiff> {
  const areas = [before, after].flatMap((place) => shiftAreas(images.ignoredAreas, place));
  return images.compare(cropPixels(images.before, before), cropPixels(images.after, after), areas);
}

/** Content that moved sideways in aligned rows, and the mismatch that remains after its alignment. */
export interface MovedColumns {
  readonly shift: ColumnShift;
  /** The moved content in after. */
  readonly content: Rectangle;
  /** The area in after that the move explains: the union of the old and the new position. */
  readonly area: Rectangle;
  /** The remaining differences of the moved content, in its rows and columns. */
  readonly diff: PixelDiff;
  /** Inserted columns in after, and removed columns in before. Empty space that grew or shrank is not included. */
  readonly inserted: readonly Rectangle[];
  readonly removed: readonly Rectangle[];
  /** The number of changed pixels that the move explains. */
  readonly explained: number;
  /** Whether nearly no change remains, and the area contains no content that did not move. */
  readonly isClear: boolean;
}

/**
 * Finds content of a changed region that moved sideways by one common distance.
 *
 * @param images - with aligned rows
 * @param down - the distance by which the rows moved down, in pixels; negative means up
 * @param region - in after; the pixels next to it did not change
 * @param area - the region, extended by one column on both sides if the image has one
 * @returns null if no content moved, or if more than half of the change would remain
 */
export async function alignColumns(
  images: ImagePair,
  down: number,
  region: Region,
  area: Rectangle,
): Promise<MovedColumns | null> {
  const top = area.y - down;
  const [before, after] = [rowsOf(images.before, { ...area, y: top }), rowsOf(images.after, area)];
  const by = findOffset(before, after);
  if (by === null) return null;
  // A move to the left is a move to the right with the images swapped.
  const [one, other, distance] = by > 0 ? [before, after, by] : [after, before, -by];
  const moving = findMoved(one, other, distance);
  if (!moving) return null;
  const [from, to] = moving;
  if (to - from < MIN_COLUMNS) return null;
  const isAtEdge = area.x + to + distance === images.mask.width;
  const strips = findStrips(columnsOf(one), columnsOf(other), moving, distance, isAtEdge);
  // Content this narrow is a changed part of a letter, not an insertion or a removal.
  if (distance < MIN_COLUMNS && strips.behind.length + strips.ahead.length > 0) return null;
  const [left, width] = [area.x + from, to - from];
  const content = { ...area, x: by > 0 ? left + distance : left, width };
  const origin = { ...area, x: by > 0 ? left : left + distance, y: top, width };
  const diff = await compareMoved(images, origin, content);
  const [inserted, removed] = by > 0 ? [strips.behind, strips.ahead] : [strips.ahead, strips.behind];
  const gapOf = (starts: readonly number[], y: number) => {
    const gaps = starts.map((x) => ({ x: area.x + x, y, width: distance, height: area.height }));
    return cutAreas(gaps, images.ignoredAreas);
  };
  const moved = {
    shift: { ...origin, by },
    content,
    area: { ...area, x: left, width: width + distance },
    diff,
    inserted: gapOf(inserted, area.y),
    removed: gapOf(removed, top),
  };
  return checkMove(moved, region, images.mask);
}

function checkMove(
  moved: Omit<MovedColumns, 'explained' | 'isClear'>,
  region: Region,
  mask: Mask,
): MovedColumns | null {
  const { diff, content, inserted, removed, area } = moved;
  const gaps = totalArea([...inserted, ...removed]);
  const remaining = diff.mismatchPixels;
  const explained = countChanged(mask, area) - remaining - gaps;
  // Inserted columns are not evidence against a move of the other columns.
  if (explained <= 0 || (explained + gaps) * 2 < region.pixels) return null;
  const isMixed = containsUnmoved(diff, content, mask);
  if (isMixed && remaining > explained * MAX_UNMOVED_SHARE) return null;
  return { ...moved, explained, isClear: !isMixed && region.pixels - explained <= region.pixels * MAX_REMAINING_SHARE };
}

/**
 * Finds the first column of inserted columns behind content that moved to the right, in `other`, and of removed columns ahead of it, in
 * `one`. Empty space that grew behind it and shrank ahead of it does not count, unless the colors differ: a bar grew. Content that left
 * the image at its edge is not removed.
 */
function findStrips(one: Lines, other: Lines, [from, to]: Columns, distance: number, isAtEdge: boolean) {
  const isBehind = isEmptySpace(other, from, from + distance);
  if (isAtEdge) return { behind: isBehind ? [] : [from], ahead: [] };
  const isAhead = isEmptySpace(one, to, to + distance);
  const isOneSpace = isBehind && isAhead && isSameLine(other, from, one, to);
  return {
    behind: isBehind && (isOneSpace || !isAhead) ? [] : [from],
    ahead: isAhead && (isOneSpace || !isBehind) ? [] : [to],
  };
}

/** The minimum width of moved content, in pixels: a narrow icon. */
const MIN_COLUMNS = 8;

function countChanged({ data, width }: Mask, area: Rectangle): number {
  let count = 0;
  for (const [from, to] of spansOf(area, width)) {
    for (let at = from; at < to; at++) if (data[at] === CHANGED) count++;
  }
  return count;
}

/** Checks whether the moved area contains content that did not move: it differs after alignment, but not in place. */
function containsUnmoved({ mask, mismatchPixels }: PixelDiff, content: Rectangle, inPlace: Mask): boolean {
  if (!mask || mismatchPixels < MIN_UNMOVED_PIXELS) return false;
  let newlyChanged = 0;
  let at = 0;
  for (const [from, to] of spansOf(content, inPlace.width)) {
    for (let place = from; place < to; place++, at++) {
      if (mask.data[at] === CHANGED && inPlace.data[place] !== CHANGED) newlyChanged++;
    }
  }
  return newlyChanged > mismatchPixels * MIN_NEW_SHARE;
}

/** Fewer differing pixels are not checked for content that did not move. */
const MIN_UNMOVED_PIXELS = 16;
/** The maximum mismatch of an area with unmoved content, as a share of the explained pixels. */
const MAX_UNMOVED_SHARE = 1 / 8;
/** The maximum unexplained share of a region's changed pixels for a clear move. */
const MAX_REMAINING_SHARE = 1 / 32;
/** Above this share of pixels that differ only after alignment, the area contains unmoved content. */
const MIN_NEW_SHARE = 0.75;

/**
 * Finds the columns of an image that occur `by` (above 0) columns further right in another image, where more pixels are equal after the
 * move than in place. Kadane's algorithm for the maximum subarray (Bentley, "Programming Pearls", 1984).
 */
function findMoved(one: Lines, other: Lines, by: number): Columns | null {
  const [width, height] = [one.pixels.count, one.lines.count];
  const rows = sampleLines(height, MAX_SAMPLED_ROWS);
  const [moved, inPlace] = [new Int32Array(width), new Int32Array(width)];
  for (const row of rows) {
    const [from, to] = [one.start + row * one.lines.step, other.start + row * other.lines.step];
    for (let x = 0; x < width; x++) {
      const word = one.words[from + x];
      if (word === other.words[to + x]) inPlace[x] = (inPlace[x] ?? 0) + 1;
      if (x + by < width && word === other.words[to + x + by]) moved[x] = (moved[x] ?? 0) + 1;
    }
  }
  // Moved content leaves its old position and replaces the content of its new position.
  const gainOf = (x: number) => 2 * (moved[x] ?? 0) - (inPlace[x] ?? 0) - (inPlace[x + by] ?? 0);
  let best = { gain: 0, from: 0, to: 0 };
  let [sum, start] = [0, 0];
  for (let x = 0; x + by < width; x++) {
    if (sum <= 0) [sum, start] = [0, x];
    sum += gainOf(x);
    if (sum > best.gain) best = { gain: sum, from: start, to: x + 1 };
  }
  if (best.gain === 0) return null;
  // Outer columns that are equal in place and after the move did not move.
  let { from, to } = best;
  while (from < to && moved[from] === rows.length && inPlace[from] === rows.length) from++;
  while (to > from && moved[to - 1] === rows.length && inPlace[to - 1 + by] === rows.length) to--;
  return [from, to];
}

/** One per line of text on a page of 8,000 rows. */
const MAX_SAMPLED_ROWS = 512;

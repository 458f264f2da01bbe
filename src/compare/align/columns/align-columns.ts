import { areaOf } from '../../../image/canvas.js';
import type { ColumnShift, Mask, Region } from '../../../model/comparison.js';
import type { Pixels, Rectangle } from '../../../model/image.js';
import { CHANGED } from '../../engines/pixel-diff.js';
import { cutAreas, spansOf } from '../../regions/areas.js';
import { type ComparePixels, type Judged, judgeRows } from '../judge-moved.js';
import { findOffset, isSameColumn, isSpace, type View, viewOf } from './column-offset.js';

/** Content that moved sideways in rows that are laid on one another, and what that leaves of a difference. */
export interface MovedColumns {
  readonly shift: ColumnShift;
  /** What is explained by it, in after: from where it was to where it is. */
  readonly area: Rectangle;
  /** What differs in it, beside what is put in and taken out. */
  readonly judged: Judged | null;
  /** Which columns were put in, in after, and which taken out, in before; without space that grew or shrank. */
  readonly inserted: readonly Rectangle[];
  readonly removed: readonly Rectangle[];
  /** How many changed pixels it explains. */
  readonly explained: number;
  /** Hardly anything is left, and nothing that stayed was taken along. */
  readonly isClear: boolean;
}

/** Two images of which a few rows are laid on one another. */
export interface LaidImages {
  readonly before: Pixels;
  readonly after: Pixels;
  /** How far down the rows moved. */
  readonly down: number;
  /** What changed, by the rows of after. */
  readonly mask: Mask;
  readonly masked: readonly Rectangle[];
}

/**
 * Looks for content that moved sideways where something changed: all of it by the same distance. Null where there is none, or
 * where more than half of the change would be left.
 *
 * @param region - in after; what is beside it did not change
 * @param area - the region, and a column more at both sides where there is one
 */
export async function alignColumns(
  laid: LaidImages,
  region: Region,
  area: Rectangle,
  compare: ComparePixels,
): Promise<MovedColumns | null> {
  const top = area.y - laid.down;
  const [before, after] = [viewOf(laid.before, { ...area, y: top }), viewOf(laid.after, area)];
  const by = findOffset(before, after);
  if (by === null) return null;
  // To the left it is the mirror image of what moved to the right with the images swapped.
  const [one, other, distance] = by > 0 ? [before, after, by] : [after, before, -by];
  const interval = findMoved(one, other, distance);
  if (!interval || interval.to - interval.from < LEAST_COLUMNS) return null;
  const isAtEdge = area.x + interval.to + distance === laid.mask.width;
  const strips = findStrips(one, other, interval, distance, isAtEdge);
  // So narrow, it is what became of a letter, and not something that came or went.
  if (distance < LEAST_COLUMNS && strips.behind.length + strips.ahead.length > 0) return null;
  const [left, width] = [area.x + interval.from, interval.to - interval.from];
  const place = { before: by > 0 ? left : left + distance, after: by > 0 ? left + distance : left, width };
  const judged = await judgeRows(laid, [{ before: top, after: area.y, height: area.height }], place, compare);
  const [inserted, removed] = by > 0 ? [strips.behind, strips.ahead] : [strips.ahead, strips.behind];
  const gapOf = (columns: readonly number[], y: number) => {
    const gaps = columns.map((x) => ({ x: area.x + x, y, width: distance, height: area.height }));
    return cutAreas(gaps, laid.masked);
  };
  const moved = {
    shift: { x: place.before, y: top, width, height: area.height, by },
    area: { ...area, x: left, width: width + distance },
    judged,
    inserted: gapOf(inserted, area.y),
    removed: gapOf(removed, top),
  };
  return judgeMove(moved, region, laid.mask);
}

/** Null where it explains too little. */
function judgeMove(
  moved: Omit<MovedColumns, 'explained' | 'isClear'>,
  region: Region,
  mask: Mask,
): MovedColumns | null {
  const { judged, inserted, removed, area } = moved;
  const gaps = [...inserted, ...removed].reduce((sum, gap) => sum + areaOf(gap), 0);
  const left = judged?.mismatchPixels ?? 0;
  const explained = countChanged(mask, area) - left - gaps;
  // What was put in is no sign that the rest did not move.
  if (explained <= 0 || (explained + gaps) * 2 < region.pixels) return null;
  const isMixed = judged !== null && isTakenAlong(judged, mask);
  if (isMixed && left > explained * MOST_TAKEN) return null;
  return { ...moved, explained, isClear: !isMixed && region.pixels - explained <= region.pixels * CLEAR };
}

/**
 * Finds the columns that came in behind what moved to the right, in `other`, and those that went out ahead of it, in `one`: where
 * each begins. Space that grew behind it is as much space less ahead of it; a bar that grows is none, nor what left an image
 * at its side.
 */
function findStrips(one: View, other: View, { from, to }: Interval, distance: number, isAtEdge: boolean) {
  const isBehind = isSpace(other, from, from + distance);
  if (isAtEdge) return { behind: isBehind ? [] : [from], ahead: [] };
  const isAhead = isSpace(one, to, to + distance);
  const isOneSpace = isBehind && isAhead && isSameColumn(other, from, one, to);
  return {
    behind: isBehind && (isOneSpace || !isAhead) ? [] : [from],
    ahead: isAhead && (isOneSpace || !isBehind) ? [] : [to],
  };
}

/** Narrower than that is no icon. */
const LEAST_COLUMNS = 8;

function countChanged({ data, width }: Mask, area: Rectangle): number {
  let count = 0;
  for (const [from, to] of spansOf(area, width)) {
    for (let at = from; at < to; at++) if (data[at] === CHANGED) count++;
  }
  return count;
}

/**
 * Checks whether what differs once moved did not differ at its place: then it stayed, between others that moved. What
 * changed in what moved differs at its place as well, more often than not.
 */
function isTakenAlong({ mask, mismatchPixels, strips, place }: Judged, stayed: Mask): boolean {
  if (mismatchPixels < LEAST_TAKEN) return false;
  let fresh = 0;
  let at = 0;
  for (const { after, height } of strips) {
    for (let row = after; row < after + height; row++) {
      const start = row * stayed.width + place.after;
      for (let x = 0; x < place.width; x++, at++) {
        if (mask.data[at] === CHANGED && stayed.data[start + x] !== CHANGED) fresh++;
      }
    }
  }
  return fresh > mismatchPixels * MOST_FRESH;
}

const LEAST_TAKEN = 16;
const MOST_TAKEN = 1 / 8;
const CLEAR = 1 / 32;
const MOST_FRESH = 0.75;

/** Columns from the first to the one after the last. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the columns of an image that are found again so many columns further right in another: those over which more pixels
 * are equal there than at their place, and the fewest where that leaves a choice. After Kadane's algorithm for the greatest
 * sum of neighbours (Bentley, "Programming Pearls", 1984). Of a tall image only some rows are looked at.
 *
 * @param by - above 0
 */
export function findMoved(one: View, other: View, by: number): Interval | null {
  const { width, height } = one;
  const rows = Math.min(height, MOST_ROWS);
  const [moved, stayed] = [new Int32Array(width), new Int32Array(width)];
  for (let index = 0; index < rows; index++) {
    const row = Math.floor(((index + 0.5) * height) / rows);
    const [from, to] = [one.start + row * one.stride, other.start + row * other.stride];
    for (let x = 0; x < width; x++) {
      const word = one.words[from + x];
      if (word === other.words[to + x]) stayed[x] = (stayed[x] ?? 0) + 1;
      if (x + by < width && word === other.words[to + x + by]) moved[x] = (moved[x] ?? 0) + 1;
    }
  }
  // What moves leaves its place in one image and takes another's in the other.
  const gainOf = (x: number) => 2 * (moved[x] ?? 0) - (stayed[x] ?? 0) - (stayed[x + by] ?? 0);
  let best = { gain: 0, from: 0, to: 0 };
  let [sum, start] = [0, 0];
  for (let x = 0; x + by < width; x++) {
    if (sum <= 0) [sum, start] = [0, x];
    sum += gainOf(x);
    if (sum > best.gain) best = { gain: sum, from: start, to: x + 1 };
  }
  if (best.gain === 0) return null;
  // What is beside it may be the same where it was and where it went: then it stayed.
  let { from, to } = best;
  while (from < to && moved[from] === rows && stayed[from] === rows) from++;
  while (to > from && moved[to - 1] === rows && stayed[to - 1 + by] === rows) to--;
  return { from, to };
}

/** One in each line of text of a page of 8,000 rows. */
const MOST_ROWS = 512;

import { areaOf } from '../image/canvas.js';
import type { ColumnShift, Mask, Region } from '../model/comparison.js';
import type { Pixels, Rectangle } from '../model/image.js';
import { findMoved } from './align-columns.js';
import { cutAreas } from './areas.js';
import { findOffset } from './column-offset.js';
import { isSpace, viewOf } from './column-view.js';
import { CHANGED } from './finding.js';
import { type ComparePixels, type Judged, judgeRows } from './judge-moved.js';

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
  const one = viewOf(laid.before, { ...area, y: area.y - laid.down });
  const other = viewOf(laid.after, area);
  const by = findOffset(one, other);
  if (by === null) return null;
  // To the left it is the mirror image of what moved to the right with the images swapped.
  const [from, to, distance] = by > 0 ? [one, other, by] : [other, one, -by];
  const moved = findMoved(from, to, distance);
  if (!moved || moved.to - moved.from < LEAST_COLUMNS) return null;
  const { x } = area;
  const strips = {
    behind: rectangleOf(moved.from, isSpace(to, moved.from, moved.from + distance)),
    ahead: rectangleOf(moved.to, isSpace(from, moved.to, moved.to + distance) || isEdge(moved.to + distance)),
  };
  const [inserted, removed] = by > 0 ? [strips.behind, strips.ahead] : [strips.ahead, strips.behind];
  const start = x + moved.from;
  const place = {
    before: by > 0 ? start : start + distance,
    after: by > 0 ? start + distance : start,
    width: moved.to - moved.from,
  };
  const rows = { before: area.y - laid.down, after: area.y, height: area.height };
  const judged = await judgeRows(laid, [rows], place, compare);
  const explainedArea = { ...area, x: start, width: place.width + distance };
  const gaps = {
    inserted: cutAreas(inserted, laid.masked),
    removed: cutAreas(
      removed.map((gap) => ({ ...gap, y: rows.before })),
      laid.masked,
    ),
  };
  const put = [...gaps.inserted, ...gaps.removed].reduce((sum, gap) => sum + areaOf(gap), 0);
  const left = (judged?.mismatchPixels ?? 0) + put;
  const explained = countChanged(laid.mask, explainedArea) - left;
  const isMixed = judged !== null && isTakenAlong(judged, laid.mask);
  if (explained * 2 < region.pixels || (isMixed && judged.mismatchPixels > explained * MOST_TAKEN)) return null;
  const shift = { x: place.before, y: rows.before, width: place.width, height: area.height, by };
  const isClear = !isMixed && region.pixels - explained <= region.pixels * CLEAR;
  return { shift, area: explainedArea, judged, ...gaps, explained, isClear };

  function rectangleOf(column: number, isEmpty: boolean): Rectangle[] {
    return isEmpty ? [] : [{ ...area, x: x + column, width: distance }];
  }

  /** Where what is ahead of it left an image at its side. */
  function isEdge(column: number): boolean {
    return x + column === laid.mask.width;
  }
}

/** Narrower than that is no icon. */
const LEAST_COLUMNS = 8;

function countChanged({ data, width }: Mask, area: Rectangle): number {
  let count = 0;
  for (let y = area.y; y < area.y + area.height; y++) {
    for (let at = y * width + area.x; at < y * width + area.x + area.width; at++) if (data[at] === CHANGED) count++;
  }
  return count;
}

/**
 * Tells whether what differs once moved did not differ at its place: then it stayed, between others that moved. What
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
const CLEAR = 1 / 8;
const MOST_FRESH = 0.75;

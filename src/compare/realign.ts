import { areaOf } from '../image/canvas.js';
import type { Mask, Shift } from '../model/comparison.js';
import type { Pixels, Rectangle } from '../model/image.js';
import { alignRows, type Columns, type Segment } from './align.js';
import { cutAreas } from './areas.js';
import { CHANGED, countMask } from './finding.js';
import { type ComparePixels, judgeMoved } from './judge-moved.js';
import { markedRows } from './marked-rows.js';

/** Two images laid on one another row by row, as their content moved. */
export interface Realigned {
  readonly segments: readonly Segment[];
  readonly columns: Columns;
  /** What changed in paired rows, by the rows of after; as wide as the narrower image. */
  readonly mask: Mask;
  /** What only one image has, without what is masked: in rows of its own image. */
  readonly gaps: readonly Gap[];
  readonly mismatchPixels: number;
}

/**
 * What only one image has, without what is masked. Space that grew or shrank is one only where the image did as well: else
 * it says no more than that what is beside it moved.
 */
export interface Gap {
  readonly side: 'before' | 'after';
  readonly areas: readonly Rectangle[];
  /** The rows it comes from, or null where an image is wider. */
  readonly segment: Segment | null;
}

/**
 * Lays two images on one another as their content moved; null where nothing moved, or where that explains nothing.
 *
 * @param mask - what changed where each pixel is held against the one at its place
 * @param mismatchPixels - how many pixels that are, what one image covers alone included
 */
export async function realign(
  before: Pixels,
  after: Pixels,
  mask: Mask,
  mismatchPixels: number,
  masked: readonly Rectangle[],
  compare: ComparePixels,
): Promise<Realigned | null> {
  const columns = columnsOf(before, after, mask);
  if (columns[0] >= columns[1]) return null;
  const segments = alignRows(before, after, columns);
  if (!segments.some(isMoved)) return null;
  const moved = await judgeMoved({ before, after, segments, columns, mask, masked }, compare);
  const gaps = findGaps(before, after, segments, columns, masked);
  const count = countMask(moved).mismatchPixels + gaps.reduce((sum, gap) => sum + pixelsOf(gap), 0);
  return count < mismatchPixels ? { segments, columns, mask: moved, gaps, mismatchPixels: count } : null;
}

/** Gives the shifts of an alignment, from the top. */
export function shiftsOf({ segments }: Realigned): Shift[] {
  return segments.filter(isMoved).map(({ before, after, height }) => ({ y: before, height, by: after - before }));
}

/**
 * Counts what is left of the difference where content may move by so many pixels: neither what moved counts nor space
 * that grew or shrank by as much, nor what an image is wider or higher by. Null where anything moved further.
 */
export function pixelsBeyondShift({ segments, gaps, mask }: Realigned, allowShift: number): number | null {
  if (segments.some((segment) => isMoved(segment) && Math.abs(segment.after - segment.before) > allowShift))
    return null;
  const counting = gaps.filter(({ segment }) => segment && !(segment.isSpace && segment.height <= allowShift));
  return countMask(mask).mismatchPixels + counting.reduce((sum, gap) => sum + pixelsOf(gap), 0);
}

function isMoved({ kind, before, after }: Segment): boolean {
  return kind === 'paired' && before !== after;
}

/** Where the heights differ all columns moved; else those in which anything changed: what is beside stays out of it. */
function columnsOf(before: Pixels, after: Pixels, mask: Mask): Columns {
  if (before.height !== after.height) return [0, Math.min(before.width, after.width)];
  let [left, right] = [mask.width, 0];
  for (const y of markedRows(mask)) {
    const row = mask.data.subarray(y * mask.width, (y + 1) * mask.width);
    const first = row.indexOf(CHANGED);
    if (first < 0) continue;
    left = Math.min(left, first);
    right = Math.max(right, row.lastIndexOf(CHANGED) + 1);
  }
  return [left, right];
}

function findGaps(
  before: Pixels,
  after: Pixels,
  segments: readonly Segment[],
  [from, to]: Columns,
  masked: readonly Rectangle[],
): Gap[] {
  const taller = after.height > before.height ? 'after' : before.height > after.height ? 'before' : null;
  const rows = segments.flatMap((segment): Gap[] => {
    const { kind, height, isSpace } = segment;
    if (kind !== 'inserted' && kind !== 'removed') return [];
    const side = kind === 'inserted' ? 'after' : 'before';
    if (isSpace && side !== taller) return [];
    return [{ side, segment, areas: cutAreas([{ x: from, y: segment[side], width: to - from, height }], masked) }];
  });
  const side = after.width > before.width ? 'after' : 'before';
  const [wide, narrow] = side === 'after' ? [after, before] : [before, after];
  const beside = { x: narrow.width, y: 0, width: wide.width - narrow.width, height: wide.height };
  return [...rows, { side, segment: null, areas: cutAreas([beside], masked) }];
}

function pixelsOf({ areas }: Gap): number {
  return areas.reduce((sum, area) => sum + areaOf(area), 0);
}

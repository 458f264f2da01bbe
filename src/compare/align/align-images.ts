import { returnBytes } from '../../image/buffer-pool.js';
import { areaOf } from '../../image/canvas.js';
import type { Mask, Shift } from '../../model/comparison.js';
import type { Pixels, Rectangle } from '../../model/image.js';
import { CHANGED, countMask, markedRows } from '../engines/pixel-diff.js';
import { areasBeyond, cutAreas } from '../regions/areas.js';
import type { MovedColumns } from './columns/align-columns.js';
import { findMovedColumns, withoutMoved } from './columns/find-moved-columns.js';
import { type ComparePixels, judgeMoved, unmovedSegments } from './judge-moved.js';
import { alignRows, type Columns, type Segment } from './rows/align-rows.js';

/** Two images laid on one another as their content moved, or pixel by pixel where nothing did. */
export interface Realigned {
  readonly segments: readonly Segment[];
  /** Between which rows moved; outside, all stayed. */
  readonly columns: Columns;
  /** What changed in paired rows, by the rows of after; as wide as the narrower image. */
  readonly mask: Mask;
  /** Rows that only one image has, and what is beside the narrower one. */
  readonly gaps: readonly Gap[];
  readonly movedColumns: readonly MovedColumns[];
  /** What changed in paired rows, each pixel held against the one above or below its place: nothing moved sideways. */
  readonly pairedPixels: number;
  /** What is left once all that moved is laid on itself. */
  readonly mismatchPixels: number;
}

/**
 * What only one image has, without what is masked. Space that grew or shrank is one only where the image did as well: else
 * it says no more than that what is beside it moved.
 */
export interface Gap {
  readonly side: 'before' | 'after';
  readonly areas: readonly Rectangle[];
  /** By how much content must be allowed to move for this not to count; pixels. */
  readonly allowedAt: number;
}

/** Two images of which each pixel was held against the one at its place. */
interface Compared {
  readonly before: Pixels;
  readonly after: Pixels;
  /** What changed there. */
  readonly mask: Mask;
  /** How many pixels that are, what one image covers alone included. */
  readonly mismatchPixels: number;
  readonly masked: readonly Rectangle[];
}

type RealignedRows = Omit<Realigned, 'movedColumns' | 'mismatchPixels'>;

/**
 * Lays two images on one another as their content moved: first their rows, then, where something is left that changed in paired
 * rows, parts of these sideways. What explains nothing is left out.
 *
 * @returns the mask itself where nothing moved
 */
export async function realign(compared: Compared, compare: ComparePixels): Promise<Realigned> {
  const { mask } = compared;
  const rows = (await realignRows(compared, compare)) ?? unmovedRows(compared);
  const movedColumns = await findMovedColumns({ ...compared, ...rows }, compare);
  const explained = movedColumns.reduce((sum, moved) => sum + moved.explained, 0);
  const left = rows.pairedPixels + pixelsOf(rows.gaps) - explained;
  if (movedColumns.length === 0) return { ...rows, movedColumns, mismatchPixels: left };
  const own = withoutMoved(rows.mask, movedColumns);
  if (rows.mask !== mask) returnBytes(rows.mask.data);
  return { ...rows, mask: own, movedColumns, mismatchPixels: left };
}

/** Returns the shifts of an alignment, from the top. */
export function shiftsOf({ segments }: Realigned): Shift[] {
  return segments.filter(isMoved).map(({ before, after, height }) => ({ y: before, height, by: after - before }));
}

/**
 * Counts what is left of the difference where content may move by so many pixels, down or sideways: neither what moved counts
 * nor space that grew or shrank by as much, nor what an image is wider or higher by. What moved further sideways is a change
 * of all that it covers; null where anything moved further down.
 */
export function pixelsBeyondShift(realigned: Realigned, allowShift: number): number | null {
  const { segments, gaps, movedColumns, pairedPixels } = realigned;
  if (segments.some((segment) => isMoved(segment) && Math.abs(segment.after - segment.before) > allowShift))
    return null;
  const allowed = movedColumns.filter(({ shift }) => Math.abs(shift.by) <= allowShift);
  const explained = allowed.reduce((sum, moved) => sum + moved.explained, 0);
  return pairedPixels + pixelsOf(gaps.filter(({ allowedAt }) => allowedAt > allowShift)) - explained;
}

/** Null where no rows moved, or where that explains nothing. */
async function realignRows(
  { before, after, mask, mismatchPixels, masked }: Compared,
  compare: ComparePixels,
): Promise<RealignedRows | null> {
  const columns = columnsOf(before, after, mask);
  if (columns[0] >= columns[1]) return null;
  const segments = alignRows(before, after, columns);
  if (!segments.some(isMoved)) return null;
  const moved = await judgeMoved({ before, after, segments, columns, mask, masked }, compare);
  const gaps = findGaps(before, after, segments, columns, masked);
  const pairedPixels = countMask(moved).mismatchPixels;
  return pairedPixels + pixelsOf(gaps) < mismatchPixels ? { segments, columns, mask: moved, gaps, pairedPixels } : null;
}

function unmovedRows({ before, after, mask, mismatchPixels, masked }: Compared): RealignedRows {
  const gapsOf = (side: Gap['side'], areas: readonly Rectangle[]): Gap[] =>
    areas.map((area) => ({ side, areas: cutAreas([area], masked), allowedAt: 0 }));
  const gaps = [...gapsOf('after', areasBeyond(before, after)), ...gapsOf('before', areasBeyond(after, before))];
  return {
    ...{ segments: unmovedSegments(before, after), columns: [0, mask.width], mask, gaps },
    pairedPixels: mismatchPixels - pixelsOf(gaps),
  };
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
    const areas = cutAreas([{ x: from, y: segment[side], width: to - from, height }], masked);
    return [{ side, areas, allowedAt: isSpace ? height : Number.POSITIVE_INFINITY }];
  });
  const side = after.width > before.width ? 'after' : 'before';
  const [wide, narrow] = side === 'after' ? [after, before] : [before, after];
  const beside = { x: narrow.width, y: 0, width: wide.width - narrow.width, height: wide.height };
  return [...rows, { side, areas: cutAreas([beside], masked), allowedAt: 0 }];
}

function pixelsOf(gaps: readonly Gap[]): number {
  return gaps.flatMap(({ areas }) => areas).reduce((sum, area) => sum + areaOf(area), 0);
}

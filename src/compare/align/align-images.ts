import { returnBytes } from '../../image/index.js';
import type { Mask, Pixels, Rectangle } from '../../model/index.js';
import { areasBeyond, cutAreas, spansOf, totalArea } from '../areas.js';
import { CHANGED, countMask, createMask, markedRows, pasteMask } from '../engines/pixel-diff.js';
import { compareMoved, type ImagePair, type MovedColumns } from './align-columns.js';
import { alignRows, type Columns, hasRows, type ImageSide, isMoved, type Segment } from './align-rows.js';
import { explainedBy, findMovedColumns, removeExplained } from './find-moved-columns.js';
import { unmovedSegments } from './segments.js';

/** The alignment of two images by moved content, or in place if no content moved. */
export interface Alignment {
  readonly segments: readonly Segment[];
  /** The columns in which rows moved. */
  readonly columns: Columns;
  /** Changed pixels of paired rows, in the rows of after. As wide as the narrower image. */
  readonly mask: Mask;
  /** Rows that exist in one image only, and the area to the right of the narrower image. */
  readonly gaps: readonly Gap[];
  readonly movedColumns: readonly MovedColumns[];
  /** The number of changed pixels in paired rows, without horizontal alignment. */
  readonly pairedPixels: number;
  /** The mismatch after alignment, in pixels. */
  readonly mismatchPixels: number;
}

/**
 * Content of one image only, without ignored areas. Empty space that grew or shrank counts as a gap only if the image grew
 * or shrank as well. Otherwise it only follows from the movement of adjacent content.
 */
export interface Gap {
  readonly side: ImageSide;
  readonly areas: readonly Rectangle[];
  /** The smallest `allowShift` for which the gap does not count, in pixels. */
  readonly allowedAt: number;
}

interface Compared extends ImagePair {
  /** The number of changed pixels, including those that only one image covers. */
  readonly mismatchPixels: number;
}

type RowAlignment = Omit<Alignment, 'movedColumns' | 'mismatchPixels'>;

/**
 * Aligns two images by moved content: rows first, then parts of paired rows sideways. Alignments that do not reduce the mismatch are omitted.
 *
 * @returns an alignment whose `mask` is `compared.mask` itself if no move reduced the mismatch: return its bytes only once
 */
export async function alignImages(compared: Compared): Promise<Alignment> {
  const rows = (await alignRowsOf(compared)) ?? unmovedRows(compared);
  const movedColumns = await findMovedColumns({ ...compared, ...rows });
  const mismatchPixels = rows.pairedPixels + pixelsOf(rows.gaps) - explainedBy(movedColumns);
  if (movedColumns.length === 0) return { ...rows, movedColumns, mismatchPixels };
  const remaining = removeExplained(rows.mask, movedColumns);
  if (rows.mask !== compared.mask) returnBytes(rows.mask.data);
  return { ...rows, mask: remaining, movedColumns, mismatchPixels };
}

/**
 * Counts the mismatch if content may move by up to `allowShift` pixels, vertically or sideways. These do not count:
 *
 * - content that moved by at most `allowShift`
 * - empty space that grew or shrank by at most `allowShift`
 * - the area to the right of the narrower image, and if no rows moved the area below the shorter one
 *
 * Content that moved further sideways counts with the pixels that differ in place.
 *
 * @returns infinite if any content moved further vertically
 */
export function mismatchBeyondShift(alignment: Alignment, allowShift: number): number {
  const { segments, gaps, movedColumns, pairedPixels } = alignment;
  if (segments.some((segment) => isMoved(segment) && Math.abs(segment.after - segment.before) > allowShift))
    return Number.POSITIVE_INFINITY;
  const explained = explainedBy(movedColumns.filter(({ shift }) => Math.abs(shift.by) <= allowShift));
  return pairedPixels + pixelsOf(gaps.filter(({ allowedAt }) => allowedAt > allowShift)) - explained;
}

async function alignRowsOf(compared: Compared): Promise<RowAlignment | null> {
  const { before, after, mask, mismatchPixels } = compared;
  const columns = changedColumns(before, after, mask);
  if (columns[0] >= columns[1]) return null;
  const segments = alignRows(before, after, columns);
  if (!segments.some(isMoved)) return null;
  const moved = await compareMovedRows(compared, segments, columns);
  const gaps = findGaps(compared, segments, columns);
  const pairedPixels = countMask(moved).mismatchPixels;
  return pairedPixels + pixelsOf(gaps) < mismatchPixels ? { segments, columns, mask: moved, gaps, pairedPixels } : null;
}

async function compareMovedRows(images: ImagePair, segments: readonly Segment[], [from, to]: Columns): Promise<Mask> {
  const { mask } = images;
  const aligned = createMask({ width: mask.width, height: images.after.height });
  aligned.data.set(mask.data);
  for (const segment of segments) {
    if (!hasRows(segment, 'after') || (segment.kind === 'paired' && !isMoved(segment))) continue;
    const rows = { x: from, y: segment.after, width: to - from, height: segment.height };
    for (const [start, end] of spansOf(rows, mask.width)) aligned.data.fill(0, start, end);
    if (!isMoved(segment)) continue;
    const diff = await compareMoved(images, { ...rows, y: segment.before }, rows);
    if (diff.mask) pasteMask(aligned, diff.mask, from, segment.after);
  }
  return aligned;
}

function unmovedRows({ before, after, mask, mismatchPixels, ignoredAreas }: Compared): RowAlignment {
  const gapsOf = (side: ImageSide, areas: readonly Rectangle[]): Gap[] =>
    areas.map((area) => ({ side, areas: cutAreas([area], ignoredAreas), allowedAt: 0 }));
  const gaps = [...gapsOf('after', areasBeyond(before, after)), ...gapsOf('before', areasBeyond(after, before))];
  const pairedPixels = mismatchPixels - pixelsOf(gaps);
  return { segments: unmovedSegments(before, after), columns: [0, mask.width], mask, gaps, pairedPixels };
}

/** Returns the columns to align: all if the heights differ, otherwise those with changed pixels. */
function changedColumns(before: Pixels, after: Pixels, mask: Mask): Columns {
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

function findGaps(images: ImagePair, segments: readonly Segment[], [from, to]: Columns): Gap[] {
  const { before, after, ignoredAreas } = images;
  const taller = after.height > before.height ? 'after' : before.height > after.height ? 'before' : null;
  const rows = segments.flatMap((segment): Gap[] => {
    const { kind, height, isSpace } = segment;
    if (kind !== 'inserted' && kind !== 'removed') return [];
    const side = kind === 'inserted' ? 'after' : 'before';
    if (isSpace && side !== taller) return [];
    const areas = cutAreas([{ x: from, y: segment[side], width: to - from, height }], ignoredAreas);
    return [{ side, areas, allowedAt: isSpace ? height : Number.POSITIVE_INFINITY }];
  });
  const [side, wide, narrow] =
    after.width > before.width ? (['after', after, before] as const) : (['before', before, after] as const);
  const extra = { x: narrow.width, y: 0, width: wide.width - narrow.width, height: wide.height };
  return [...rows, { side, areas: cutAreas([extra], ignoredAreas), allowedAt: 0 }];
}

function pixelsOf(gaps: readonly Gap[]): number {
  return totalArea(gaps.flatMap(({ areas }) => areas));
}

import { toBuffer } from '../../image/index.js';
import type { Mask, Pixels, Rectangle } from '../../model/index.js';
import { clipAreas, shiftAreas } from '../areas.js';
import { createMask, type PixelDiff, REACH } from '../engines/pixel-diff.js';
import type { Columns, ImageSide, Segment } from './align-rows.js';

/** Compares two images of one size, except for ignored areas. */
export type ComparePixels = (before: Pixels, after: Pixels, ignoredAreas: readonly Rectangle[]) => Promise<PixelDiff>;

interface PairedColumns {
  readonly before: number;
  readonly after: number;
  readonly width: number;
}

interface PairedRows {
  readonly before: number;
  readonly after: number;
  readonly height: number;
}

/** The result of comparing aligned rows. `mask` contains the rows of `strips`, stacked vertically. */
export interface StripsDiff {
  readonly mismatchPixels: number;
  readonly mask: Mask;
  readonly strips: readonly PairedRows[];
  readonly columns: PairedColumns;
}

interface Images {
  readonly before: Pixels;
  readonly after: Pixels;
  readonly ignoredAreas: readonly Rectangle[];
}

/**
 * Returns the changed pixels of paired rows, in the rows of after. The result for rows that did not move is known. Moved
 * rows that are not byte-identical are compared in one call, with the adjacent rows that anti-aliasing detection needs.
 *
 * @param mask - the pixels that changed when the images were compared without alignment
 */
export async function compareMovedRows(
  images: Images,
  mask: Mask,
  segments: readonly Segment[],
  [from, to]: Columns,
  compare: ComparePixels,
): Promise<Mask> {
  const rowsMask = createMask({ width: mask.width, height: images.after.height });
  for (const segment of segments) copyUnmoved(rowsMask, mask, segment, [from, to]);
  const moved = segments.filter(({ kind, before, after }) => kind === 'paired' && before !== after);
  const found = await compareStrips(images, moved, { before: from, after: from, width: to - from }, compare);
  if (found) pasteStripsDiff(rowsMask, found);
  return rowsMask;
}

function copyUnmoved(rowsMask: Mask, mask: Mask, { kind, before, after, height }: Segment, [from, to]: Columns): void {
  const { width } = mask;
  const isUnmoved = kind === 'paired' && before === after;
  for (let y = after; y < Math.min(after + (kind === 'removed' || kind === 'left' ? 0 : height), mask.height); y++) {
    rowsMask.data.set(mask.data.subarray(y * width, (y + 1) * width), y * width);
    if (!isUnmoved) rowsMask.data.fill(0, y * width + from, y * width + to);
  }
}

/** Compares aligned rows within some columns. Returns null if no pixel differs. */
export async function compareStrips(
  { before, after, ignoredAreas }: Images,
  rows: readonly PairedRows[],
  columns: PairedColumns,
  compare: ComparePixels,
): Promise<StripsDiff | null> {
  const strips = rows.flatMap((paired) => findUnequal(paired, before, after, columns));
  if (strips.length === 0) return null;
  const [one, other] = [stack(before, strips, 'before', columns), stack(after, strips, 'after', columns)];
  const { mask, mismatchPixels } = await compare(one, other, stackAreas(ignoredAreas, strips, columns));
  return mask && { mismatchPixels, mask, strips, columns };
}

/** Copies the mask of compared rows into a mask in the coordinates of after. */
export function pasteStripsDiff(into: Mask, { mask, strips, columns }: StripsDiff): void {
  let at = 0;
  for (const { after, height } of strips) {
    for (let row = after; row < after + height; row++, at += mask.width) {
      into.data.set(mask.data.subarray(at, at + mask.width), row * into.width + columns.after);
    }
  }
}

function findUnequal(rows: PairedRows, one: Pixels, other: Pixels, columns: PairedColumns): PairedRows[] {
  const { before, after, height } = rows;
  const [bytes, otherBytes] = [toBuffer(one.data), toBuffer(other.data)];
  const length = columns.width * 4;
  const strips: { top: number; bottom: number }[] = [];
  for (let row = 0; row < height; row++) {
    const start = ((before + row) * one.width + columns.before) * 4;
    const otherStart = ((after + row) * other.width + columns.after) * 4;
    if (bytes.compare(otherBytes, otherStart, otherStart + length, start, start + length) === 0) continue;
    const [top, bottom] = [Math.max(0, row - REACH), Math.min(height, row + REACH + 1)];
    const last = strips.at(-1);
    if (last && last.bottom >= top) last.bottom = bottom;
    else strips.push({ top, bottom });
  }
  return strips.map(({ top, bottom }) => ({ before: before + top, after: after + top, height: bottom - top }));
}

function stack(image: Pixels, strips: readonly PairedRows[], side: ImageSide, columns: PairedColumns): Pixels {
  const { width } = columns;
  const height = strips.reduce((sum, strip) => sum + strip.height, 0);
  const data = new Uint8Array(width * height * 4);
  let at = 0;
  for (const strip of strips) {
    for (let row = strip[side]; row < strip[side] + strip.height; row++, at += width * 4) {
      const start = (row * image.width + columns[side]) * 4;
      data.set(image.data.subarray(start, start + width * 4), at);
    }
  }
  return { width, height, data };
}

/** Returns the ignored areas of the stacked strips: an area that is ignored in either image. */
function stackAreas(areas: readonly Rectangle[], strips: readonly PairedRows[], columns: PairedColumns): Rectangle[] {
  let y = 0;
  return strips.flatMap(({ height, ...strip }) => {
    const inside = (['before', 'after'] as const).flatMap((side) => {
      const moved = shiftAreas(areas, { x: columns[side], y: strip[side] });
      return clipAreas(moved, { width: columns.width, height });
    });
    const stacked = inside.map((area) => ({ ...area, y: area.y + y }));
    y += height;
    return stacked;
  });
}

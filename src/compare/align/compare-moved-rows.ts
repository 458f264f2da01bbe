import type { Mask, Pixels, Rectangle } from '../../model/index.js';
import { createMask, type PixelDiff, REACH } from '../engines/pixel-diff.js';
import { clipAreas, shiftAreas } from '../regions/areas.js';
import type { Columns, Segment } from './rows/align-rows.js';

/** Compares two images of one size, except for ignored areas. */
export type ComparePixels = (before: Pixels, after: Pixels, ignoredAreas: readonly Rectangle[]) => Promise<PixelDiff>;

/** Two images with aligned rows. */
interface AlignedImages {
  readonly before: Pixels;
  readonly after: Pixels;
  readonly segments: readonly Segment[];
  readonly columns: Columns;
  /** The pixels that changed when the images were compared without alignment. */
  readonly mask: Mask;
  readonly ignoredAreas: readonly Rectangle[];
}

/**
 * Returns the changed pixels of paired rows, in the rows of after. The result for rows that did not move is known. Moved
 * rows that are not byte-identical are compared in one call, with the adjacent rows that anti-aliasing detection needs.
 */
export async function compareMovedRows(aligned: AlignedImages, compare: ComparePixels): Promise<Mask> {
  const { before, after, segments, columns, mask, ignoredAreas } = aligned;
  const rowsMask = createMask({ width: mask.width, height: after.height });
  for (const segment of segments) copyUnmoved(rowsMask, mask, segment, columns);
  const moved = segments.filter(({ kind, before: one, after: other }) => kind === 'paired' && one !== other);
  const place = { before: columns[0], after: columns[0], width: columns[1] - columns[0] };
  const found = await compareStrips({ before, after, ignoredAreas }, moved, place, compare);
  if (found) pasteStripsDiff(rowsMask, found);
  return rowsMask;
}

/** Aligned columns: their first column in each image, and their number. */
export interface Place {
  readonly before: number;
  readonly after: number;
  readonly width: number;
}

/** Aligned rows of both images: their first row in each image, and their number. */
export interface Strip {
  readonly before: number;
  readonly after: number;
  readonly height: number;
}

/** The result of comparing aligned rows. `mask` contains the rows of `strips`, stacked vertically. */
export interface StripsDiff {
  readonly mismatchPixels: number;
  readonly mask: Mask;
  readonly strips: readonly Strip[];
  readonly place: Place;
}

/** Compares aligned rows within some columns. Returns null if no pixel differs. */
export async function compareStrips(
  { before, after, ignoredAreas }: Pick<AlignedImages, 'before' | 'after' | 'ignoredAreas'>,
  rows: readonly Strip[],
  place: Place,
  compare: ComparePixels,
): Promise<StripsDiff | null> {
  const strips = rows.flatMap((strip) => unequalStrips(strip, before, after, place));
  const height = strips.reduce((sum, strip) => sum + strip.height, 0);
  if (height === 0) return null;
  const [one, other] = [stack(before, strips, 'before', place, height), stack(after, strips, 'after', place, height)];
  const { mask, mismatchPixels } = await compare(one, other, stackIgnoredAreas(strips, ignoredAreas, place));
  return mask && { mismatchPixels, mask, strips, place };
}

/** Copies the mask of compared rows into a mask in the coordinates of after. */
export function pasteStripsDiff(into: Mask, { mask, strips, place }: StripsDiff): void {
  let at = 0;
  for (const { after, height } of strips) {
    for (let row = after; row < after + height; row++, at += mask.width) {
      into.data.set(mask.data.subarray(at, at + mask.width), row * into.width + place.after);
    }
  }
}

/** Copies the mask of rows that did not move. Outside of `columns`, copies the mask of all rows. */
function copyUnmoved(rowsMask: Mask, mask: Mask, { kind, before, after, height }: Segment, [from, to]: Columns): void {
  const { width } = mask;
  const isUnmoved = kind === 'paired' && before === after;
  for (let y = after; y < Math.min(after + (kind === 'removed' || kind === 'left' ? 0 : height), mask.height); y++) {
    rowsMask.data.set(mask.data.subarray(y * width, (y + 1) * width), y * width);
    if (!isUnmoved) rowsMask.data.fill(0, y * width + from, y * width + to);
  }
}

/** Returns the rows that are not byte-identical, with REACH rows above and below each. */
function unequalStrips({ before, after, height }: Strip, one: Pixels, other: Pixels, place: Place): Strip[] {
  const strips: { top: number; bottom: number }[] = [];
  for (let row = 0; row < height; row++) {
    if (isSameRow(one, before + row, other, after + row, place)) continue;
    const [top, bottom] = [Math.max(0, row - REACH), Math.min(height, row + REACH + 1)];
    const last = strips.at(-1);
    if (last && last.bottom >= top) last.bottom = bottom;
    else strips.push({ top, bottom });
  }
  return strips.map(({ top, bottom }) => ({ before: before + top, after: after + top, height: bottom - top }));
}

function isSameRow(one: Pixels, row: number, other: Pixels, otherRow: number, place: Place): boolean {
  const start = (row * one.width + place.before) * 4;
  const otherStart = (otherRow * other.width + place.after) * 4;
  const length = place.width * 4;
  return view(one).compare(view(other), otherStart, otherStart + length, start, start + length) === 0;
}

function view({ data }: Pixels): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

function stack(image: Pixels, strips: readonly Strip[], side: 'before' | 'after', place: Place, height: number) {
  const { width } = place;
  const data = new Uint8Array(width * height * 4);
  let at = 0;
  for (const strip of strips) {
    for (let row = strip[side]; row < strip[side] + strip.height; row++, at += width * 4) {
      const start = (row * image.width + place[side]) * 4;
      data.set(image.data.subarray(start, start + width * 4), at);
    }
  }
  return { width, height, data };
}

/** Returns the ignored areas of the stacked strips: an area that is ignored in either image. */
function stackIgnoredAreas(strips: readonly Strip[], ignoredAreas: readonly Rectangle[], place: Place): Rectangle[] {
  let y = 0;
  return strips.flatMap((strip) => {
    const inside = (['before', 'after'] as const).flatMap((side) => {
      const moved = shiftAreas(ignoredAreas, { x: place[side], y: strip[side] });
      return clipAreas(moved, { width: place.width, height: strip.height });
    });
    const areas = inside.map((area) => ({ ...area, y: area.y + y }));
    y += strip.height;
    return areas;
  });
}

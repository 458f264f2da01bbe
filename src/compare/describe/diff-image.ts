import { borrowZeros, type IndexedPixels, unionOf, wordsOf } from '../../image/index.js';
import type { Mask, Pixels, Rectangle } from '../../model/index.js';
import type { MovedColumns } from '../align/align-columns.js';
import type { Columns, Segment } from '../align/align-rows.js';
import { type PlacedSegment, placeInDiff, placeSegments, unmovedSegments } from '../align/segments.js';
import { clipAreas, spansOf } from '../areas.js';
import { CHANGED, createMask, markedRows } from '../engines/pixel-diff.js';
import { DIFF_PALETTE, drawNumbered, frameAreas, PALETTE_INDEX, shadePixels } from './paint.js';

/** The input of a diff image. */
export interface Scene {
  /** Read only for content that is not in after. */
  readonly before: Pixels;
  readonly after: Pixels;
  readonly segments: readonly Segment[];
  /** The columns in which rows were inserted and removed. Rows outside them did not move. */
  readonly columns: Columns;
  readonly movedColumns: readonly MovedColumns[];
  /** Changed pixels of paired rows, in the rows of after. */
  readonly mask: Mask;
  readonly ignoredAreas: readonly Rectangle[];
  /** The regions to number, in this order, at their positions in the diff image. */
  readonly regions: readonly Rectangle[];
}

/**
 * Renders the changes on the canvas that contains both images:
 *
 * - unchanged: after, in faint grey
 * - changed: magenta
 * - inserted: blue
 * - removed: orange rows if the canvas has room for them, otherwise an orange bar at their position
 * - differs by anti-aliasing only: pale violet
 * - masked: hatched
 * - covered by neither image: transparent
 *
 * Regions have a frame and a number. Content that moved sideways has a frame without a number, because it would be
 * hard to find otherwise.
 */
export function renderDiff(scene: Scene): IndexedPixels {
  const { before, after, segments, columns, regions, mask, ignoredAreas, movedColumns } = scene;
  const canvas = unionOf(before, after);
  const diffPixels = { ...canvas, data: borrowZeros(canvas.width * canvas.height), palette: DIFF_PALETTE };
  const placed = placeSegments(segments, after, canvas);
  const paired = placed.filter(({ kind }) => kind === 'paired');
  for (const part of placed) if (part.isShown) paintRows(diffPixels, part, scene);
  for (const part of paired) paintInserted(diffPixels, part, scene);
  for (const part of placed) hatch(diffPixels, clipAreas(ignoredAreas, part.kind === 'removed' ? before : after), part);
  for (const { kind, isShown, y } of placed) if (kind === 'removed' && !isShown) paintBar(diffPixels, y, columns);
  for (const part of paired) paintRemoved(diffPixels, part, movedColumns);
  for (const part of paired) paintMarks(diffPixels, mask, part);
  const moved = movedColumns.map(({ shift }) => ({ ...shift, x: shift.x + shift.by, side: 'before' as const }));
  const frames = moved.map((area) => placeInDiff(area, placed));
  frameAreas(diffPixels, frames);
  drawNumbered(diffPixels, regions);
  return diffPixels;
}

/** Renders the diff image of an image that did not change: in faint grey, without marks. */
export function renderUnchangedDiff(image: Pixels): IndexedPixels {
  const same = { before: image, after: image, segments: unmovedSegments(image, image), mask: createMask(image) };
  return renderDiff({ ...same, columns: [0, image.width], movedColumns: [], ignoredAreas: [], regions: [] });
}

function paintRows(diffPixels: IndexedPixels, part: PlacedSegment, { before, after, columns }: Scene): void {
  const { removed, faint, inserted } = PALETTE_INDEX;
  const shared = Math.min(before.width, after.width);
  if (part.kind === 'removed') {
    shade(diffPixels, part, before, part.before, [0, before.width], removed);
    return;
  }
  shade(diffPixels, part, after, part.after, [0, shared], faint);
  if (part.kind === 'inserted') shade(diffPixels, part, after, part.after, columns, inserted);
  if (part.kind === 'paired') shade(diffPixels, part, before, part.before, [shared, before.width], removed);
  shade(diffPixels, part, after, part.after, [shared, after.width], inserted);
}

function paintInserted(diffPixels: IndexedPixels, part: PlacedSegment, { after, movedColumns }: Scene): void {
  for (const { x, y, width, height } of movedColumns.flatMap(({ inserted }) => inserted)) {
    const rows = { y: part.y + y - part.after, height };
    if (hasRow(part, y)) shade(diffPixels, rows, after, y, [x, x + width], PALETTE_INDEX.inserted);
  }
}

function paintRemoved(
  { data, width }: IndexedPixels,
  part: PlacedSegment,
  movedColumns: readonly MovedColumns[],
): void {
  for (const { area, shift, removed } of movedColumns) {
    if (removed.length === 0 || !hasRow(part, area.y)) continue;
    const middle = shift.by > 0 ? area.x + area.width : area.x;
    const [left, right] = [Math.max(0, middle - BAR), Math.min(width, middle + BAR)];
    const bar = { x: left, y: part.y + area.y - part.after, width: right - left, height: area.height };
    for (const [from, to] of spansOf(bar, width)) data.fill(PALETTE_INDEX.removedBar, from, to);
  }
}

function hasRow({ after, height }: PlacedSegment, row: number): boolean {
  return row >= after && row < after + height;
}

function shade(
  diffPixels: IndexedPixels,
  { y, height }: Pick<PlacedSegment, 'y' | 'height'>,
  image: Pixels,
  row: number,
  [from, to]: Columns,
  darkest: number,
): void {
  if (from >= to) return;
  const words = wordsOf(image);
  for (let line = 0; line < height; line++) {
    const start = (row + line) * image.width;
    const target = (y + line) * diffPixels.width;
    const pixels = words.subarray(start + from, start + to);
    shadePixels(pixels, darkest, diffPixels.data.subarray(target + from, target + to));
  }
}

function paintMarks({ data, width }: IndexedPixels, mask: Mask, { y, after, height }: PlacedSegment): void {
  for (const row of markedRows(mask, after, after + height)) {
    const [from, to] = [row * mask.width, (row - after + y) * width];
    for (let x = 0; x < mask.width; x++) {
      const kind = mask.data[from + x];
      if (kind !== 0) data[to + x] = kind === CHANGED ? PALETTE_INDEX.changed : PALETTE_INDEX.antialiased;
    }
  }
}

const BAR = 2;

function paintBar({ data, width, height }: IndexedPixels, y: number, [from, to]: Columns): void {
  for (let row = Math.max(0, y - BAR); row < Math.min(height, y + BAR); row++) {
    data.fill(PALETTE_INDEX.removedBar, row * width + from, row * width + to);
  }
}

// The lines follow the canvas instead of the area, so that the lines of overlapping areas coincide.
function hatch({ data, width }: IndexedPixels, areas: readonly Rectangle[], part: PlacedSegment): void {
  if (!part.isShown) return;
  const start = part.kind === 'removed' ? part.before : part.after;
  for (const area of areas) {
    const top = Math.max(area.y, start);
    const height = Math.min(area.y + area.height, start + part.height) - top;
    for (const [from, to] of spansOf({ ...area, y: top - start + part.y, height }, width)) {
      const slant = Math.floor(from / width) + (from % width);
      for (let at = from; at < to; at++) {
        data[at] = (slant + at - from) % 8 < 2 ? PALETTE_INDEX.hatchLine : PALETTE_INDEX.hatchGround;
      }
    }
  }
}

import { borrowZeros, type IndexedPixels, unionOf } from '../../image/index.js';
import type { Mask, Pixels, Rectangle } from '../../model/index.js';
import type { MovedColumns } from '../align/columns/align-columns.js';
import { wordsOf } from '../align/columns/column-offset.js';
import type { Columns, Segment } from '../align/rows/align-rows.js';
import { type PlacedSegment, placeInDiff, placeSegments, unmovedSegments } from '../align/segments.js';
import { CHANGED, createMask, markedRows } from '../engines/pixel-diff.js';
import { clipAreas, spansOf } from '../regions/areas.js';
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
  /** Areas that do not count. */
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
  const { before, after, segments, regions, mask, ignoredAreas, movedColumns } = scene;
  const canvas = unionOf(before, after);
  const diffPixels = { ...canvas, data: borrowZeros(canvas.width * canvas.height), palette: DIFF_PALETTE };
  const placed = placeSegments(segments, after, canvas);
  for (const part of placed) if (part.isShown) paintRows(diffPixels, part, scene);
  for (const part of placed) if (part.kind === 'paired') paintInserted(diffPixels, part, scene);
  for (const part of placed) hatch(diffPixels, clipAreas(ignoredAreas, part.kind === 'removed' ? before : after), part);
  for (const part of placed) if (part.kind === 'removed' && !part.isShown) paintBar(diffPixels, part, scene.columns);
  for (const part of placed) if (part.kind === 'paired') paintRemoved(diffPixels, part, scene);
  for (const part of placed) if (part.kind === 'paired') paintMarks(diffPixels, mask, part);
  const movedAreas = movedColumns.map(({ shift }) => ({ ...shift, x: shift.x + shift.by, side: 'before' as const }));
  frameAreas(
    diffPixels,
    movedAreas.map((area) => placeInDiff(area, placed)),
  );
  drawNumbered(diffPixels, regions);
  return diffPixels;
}

function paintRows(diffPixels: IndexedPixels, part: PlacedSegment, { before, after, columns }: Scene): void {
  const shared = Math.min(before.width, after.width);
  const [afterRows, beforeRows] = [
    { image: after, row: part.after },
    { image: before, row: part.before },
  ];
  if (part.kind === 'removed') shade(diffPixels, part, beforeRows, [0, before.width], PALETTE_INDEX.removed);
  else {
    shade(diffPixels, part, afterRows, [0, shared], PALETTE_INDEX.faint);
    if (part.kind === 'inserted') shade(diffPixels, part, afterRows, columns, PALETTE_INDEX.inserted);
    if (part.kind === 'paired') shade(diffPixels, part, beforeRows, [shared, before.width], PALETTE_INDEX.removed);
    shade(diffPixels, part, afterRows, [shared, after.width], PALETTE_INDEX.inserted);
  }
}

/** Paints columns that were inserted among moved columns. */
function paintInserted(diffPixels: IndexedPixels, part: PlacedSegment, { after, movedColumns }: Scene): void {
  for (const { x, y, width, height } of movedColumns.flatMap(({ inserted }) => inserted)) {
    if (!hasRow(part, y)) continue;
    const rows = { ...part, y: part.y + y - part.after, height };
    shade(diffPixels, rows, { image: after, row: y }, [x, x + width], PALETTE_INDEX.inserted);
  }
}

/** Paints a bar for removed columns, which have no room, next to the content that moved over them. */
function paintRemoved({ data, width }: IndexedPixels, part: PlacedSegment, { movedColumns }: Scene): void {
  for (const { area, shift, removed } of movedColumns) {
    if (removed.length === 0 || !hasRow(part, area.y)) continue;
    const x = shift.by > 0 ? area.x + area.width : area.x;
    const bar = { x: Math.max(0, x - BAR), y: part.y + area.y - part.after, height: area.height };
    const right = Math.min(width, x + BAR);
    for (const [from, to] of spansOf({ ...bar, width: right - bar.x }, width))
      data.fill(PALETTE_INDEX.removedBar, from, to);
  }
}

function hasRow({ after, height }: PlacedSegment, row: number): boolean {
  return row >= after && row < after + height;
}

/** Paints some columns of an image, starting at a row, in shades of one color. */
function shade(
  diffPixels: IndexedPixels,
  { y, height }: PlacedSegment,
  { image, row }: { readonly image: Pixels; readonly row: number },
  [from, to]: Columns,
  first: number,
): void {
  if (from >= to) return;
  const { width } = image;
  const words = wordsOf(image);
  for (let line = 0; line < height; line++) {
    const start = (row + line) * width;
    const target = (y + line) * diffPixels.width;
    shadePixels(words.subarray(start + from, start + to), first, diffPixels.data.subarray(target + from, target + to));
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

/** Half the width of a bar, in pixels. */
const BAR = 2;

function paintBar({ data, width, height }: IndexedPixels, { y }: PlacedSegment, [from, to]: Columns): void {
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

/** Renders the diff image of an image that did not change: in faint grey, without marks. */
export function renderUnchangedDiff(image: Pixels): IndexedPixels {
  const same = { before: image, after: image, segments: unmovedSegments(image, image), mask: createMask(image) };
  return renderDiff({ ...same, columns: [0, image.width], movedColumns: [], ignoredAreas: [], regions: [] });
}

import { borrowZeros, type IndexedPixels, unionOf, wordsOf } from '../../image/index.js';
import type { Mask, Pixels, Rectangle } from '../../model/index.js';
import type { Alignment } from '../align/align-images.js';
import type { Columns } from '../align/align-rows.js';
import { type PlacedSegment, placeInDiff, placeSegments, unmovedSegments } from '../align/segments.js';
import { clipAreas, shiftAreas, spansOf } from '../areas.js';
import { CHANGED, createMask, markedRows } from '../engines/pixel-diff.js';
import { DIFF_PALETTE, fillArea, frameAreas, PALETTE_INDEX, shadePixels } from './paint.js';

/** The input of a diff image. */
export interface Scene extends Pick<Alignment, 'segments' | 'columns' | 'mask' | 'movedColumns'> {
  /** Read only for content that is not in after. */
  readonly before: Pixels;
  readonly after: Pixels;
  readonly ignoredAreas: readonly Rectangle[];
  /** The regions to frame, at their positions in the diff image. */
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
 * Regions and content that moved sideways have a frame.
 */
export function renderDiff(scene: Scene): IndexedPixels {
  const { before, after, segments, columns, regions, mask, movedColumns } = scene;
  const canvas = unionOf(before, after);
  const diffPixels = { ...canvas, data: borrowZeros(canvas.width * canvas.height), palette: DIFF_PALETTE };
  const placed = placeSegments(segments, after, canvas);
  const shown = placed.filter(({ isShown }) => isShown);
  const placeOf = (area: Rectangle) => placeInDiff({ ...area, side: 'after' }, placed);
  for (const part of shown) paintRows(diffPixels, part, scene);
  for (const area of movedColumns.flatMap(({ inserted }) => inserted))
    shade(diffPixels, placeOf(area), after, area.y, [area.x, area.x + area.width], PALETTE_INDEX.inserted);
  for (const part of shown) hatch(diffPixels, part, scene);
  const rowBars = placed
    .filter(({ kind, isShown }) => kind === 'removed' && !isShown)
    .map(({ y }) => ({ x: columns[0], y: y - BAR, width: columns[1] - columns[0], height: 2 * BAR }));
  const columnBars = movedColumns
    .filter(({ removed }) => removed.length > 0)
    .map(({ area, shift }) => {
      const { x, y, width, height } = placeOf(area);
      return { x: (shift.by > 0 ? x + width : x) - BAR, y, width: 2 * BAR, height };
    });
  for (const bar of [...rowBars, ...columnBars]) fillArea(diffPixels, bar, PALETTE_INDEX.removedBar);
  for (const part of placed.filter(({ kind }) => kind === 'paired')) paintMarks(diffPixels, mask, part);
  frameAreas(diffPixels, [...movedColumns.map(({ content }) => placeOf(content)), ...regions]);
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

function shade(
  diffPixels: IndexedPixels,
  { y, height }: Pick<Rectangle, 'y' | 'height'>,
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

/** Half of the width of a bar that marks a row or a column where content was removed. */
const BAR = 2;

// The lines follow the canvas instead of the area, so that the lines of overlapping areas coincide.
function hatch({ data, width }: IndexedPixels, part: PlacedSegment, { before, after, ignoredAreas }: Scene): void {
  const [image, start] = part.kind === 'removed' ? [before, part.before] : [after, part.after];
  for (const area of clipAreas(shiftAreas(ignoredAreas, { x: 0, y: start }), { ...image, height: part.height })) {
    for (const [from, to] of spansOf({ ...area, y: area.y + part.y }, width)) {
      const slant = Math.floor(from / width) + (from % width);
      for (let at = from; at < to; at++) {
        data[at] = (slant + at - from) % 8 < 2 ? PALETTE_INDEX.hatchLine : PALETTE_INDEX.hatchGround;
      }
    }
  }
}

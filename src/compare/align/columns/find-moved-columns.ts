import { borrowBytes } from '../../../image/buffer-pool.js';
import type { Mask } from '../../../model/comparison.js';
import type { Pixels, Rectangle } from '../../../model/image.js';
import { markedRows } from '../../engines/pixel-diff.js';
import { spansOf } from '../../regions/areas.js';
import { type Tiles, tilesOf } from '../../regions/tiles.js';
import { type ComparePixels, pasteJudged } from '../judge-moved.js';
import type { Columns, Segment } from '../rows/align-rows.js';
import { alignColumns, type LaidImages, type MovedColumns } from './align-columns.js';
import { hasOffset, viewOf } from './column-offset.js';
import { cutArea, type TileArea } from './xy-cut.js';

/** Two images with all their rows aligned. */
interface AlignedRows extends Omit<LaidImages, 'down'> {
  readonly before: Pixels;
  readonly after: Pixels;
  readonly segments: readonly Segment[];
  /** The columns in which rows moved. Rows outside them did not move. */
  readonly columns: Columns;
  /** The number of changed pixels in paired rows. */
  readonly pairedPixels: number;
}

/**
 * Finds content that moved sideways in paired rows. It tests the whole changed area first. If one move explains too little, it
 * tests the parts of that area. The results do not overlap.
 *
 * Returns none if all of them together explain too little of the change. With wider letter or word spacing, short content
 * moves by a pixel or two, which is not worth reporting.
 */
export async function findMovedColumns(images: AlignedRows, compare: ComparePixels): Promise<MovedColumns[]> {
  const budget = { areas: MAX_AREAS };
  const found: MovedColumns[] = [];
  for (const { kind, before, after, height } of images.segments) {
    if (kind !== 'paired' || !mayHaveMoved(images, before, after, height)) continue;
    const search = createSearch(images, after, height, after - before, compare, budget);
    const all = { left: 0, top: 0, right: search.tiles.columns, bottom: search.tiles.rows };
    found.push(...(await search.in(all, Number.POSITIVE_INFINITY)));
  }
  return explainedBy(found) >= images.pairedPixels * MIN_SHARE ? found : [];
}

function mayHaveMoved({ mask, ...images }: AlignedRows, before: number, after: number, height: number): boolean {
  const changed = Array.from(markedRows(mask, after, after + height), (row) => row - after);
  const rows = { x: 0, width: mask.width, height };
  return hasOffset(viewOf(images.before, { ...rows, y: before }), viewOf(images.after, { ...rows, y: after }), changed);
}

/** Returns a copy of a mask without the changes that moved columns explain. */
export function withoutMoved(mask: Mask, moved: readonly MovedColumns[]): Mask {
  const remaining = { ...mask, data: borrowBytes(mask.data.length) };
  remaining.data.set(mask.data);
  for (const { area, judged } of moved) {
    for (const [from, to] of spansOf(area, mask.width)) remaining.data.fill(0, from, to);
    if (judged) pasteJudged(remaining, judged);
  }
  return remaining;
}

/** The minimum share of the changed pixels in paired rows that all moves together must explain. */
const MIN_SHARE = 0.1;

/** The maximum number of tested areas. A page with more areas has changed too much for a useful description. */
const MAX_AREAS = 400;

/** The minimum size of an area, in pixels. A smaller area has no recognizable content. */
const MIN_AREA = { width: 12, height: 4, pixels: 32 };

/** The minimum share of the changed pixels in paired rows that a part must have. Ten such parts reach MIN_SHARE. */
const MIN_PART_SHARE = 0.01;

/** The maximum size of a tested part, as a share of an area that already moved as a whole. Limits the time of the search. */
const MAX_PART_SHARE = 0.75;

interface Search {
  readonly tiles: Tiles;
  /** @param maxPixels - areas with more changed pixels are only divided, because they were tested already */
  in(area: TileArea, maxPixels: number): Promise<MovedColumns[]>;
}

function createSearch(
  images: AlignedRows,
  top: number,
  height: number,
  down: number,
  compare: ComparePixels,
  budget: { areas: number },
): Search {
  const { width, data } = images.mask;
  // Tiles start at the first row of the segment, so that swapped images divide into the same parts.
  const tiles = tilesOf({ width, height, data: data.subarray(top * width, (top + height) * width) });
  const [first, last] = down === 0 ? [0, width] : images.columns;
  const minPixels = Math.max(MIN_AREA.pixels, images.pairedPixels * MIN_PART_SHARE);
  const search = { tiles, in: searchIn };
  return search;

  async function searchIn(tileArea: TileArea, maxPixels: number): Promise<MovedColumns[]> {
    const piece = cutArea(tiles, tileArea);
    if (!piece || budget.areas-- <= 0) return [];
    const { region, parts } = piece;
    if (region.width < MIN_AREA.width || region.height < MIN_AREA.height || region.pixels < minPixels) return [];
    const area = extendSideways({ ...region, y: region.y + top }, first, last);
    const whole = region.pixels > maxPixels ? null : await alignColumns({ ...images, down }, region, area, compare);
    if (whole?.isClear) return [whole];
    const found: MovedColumns[] = [];
    const next = whole ? region.pixels * MAX_PART_SHARE : maxPixels;
    for (const part of parts) found.push(...(await searchIn(part, next)));
    return whole && explainedBy(found) <= whole.explained ? [whole] : found;
  }
}

function explainedBy(moved: readonly MovedColumns[]): number {
  return moved.reduce((sum, { explained }) => sum + explained, 0);
}

/** Adds one unchanged column on both sides: it shows whether inserted columns are empty space only. */
function extendSideways({ x, y, width, height }: Rectangle, first: number, last: number): Rectangle {
  const [left, right] = [Math.max(first, x - 1), Math.min(last, x + width + 1)];
  return { x: left, y, width: right - left, height };
}

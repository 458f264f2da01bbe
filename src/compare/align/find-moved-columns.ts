import { borrowBytes } from '../../image/index.js';
import type { Mask, Rectangle, Region } from '../../model/index.js';
import { spansOf } from '../areas.js';
import { markedRows, pasteMask } from '../engines/pixel-diff.js';
import { joinRegions, LINE_GAP, type Tiles, tilesOf, WORD_GAP } from '../regions.js';
import { alignColumns, type ImagePair, type MovedColumns } from './align-columns.js';
import type { Columns, Segment } from './align-rows.js';
import { hasOffset } from './column-offset.js';
import { rowsOf } from './lines.js';

interface AlignedImages extends ImagePair {
  readonly segments: readonly Segment[];
  /** The columns in which rows moved. Rows outside them did not move. */
  readonly columns: Columns;
  /** The number of changed pixels in paired rows. */
  readonly pairedPixels: number;
}

/**
 * Finds content that moved sideways in paired rows: the whole changed area or, if one move explains too little, parts of it. The results do
 * not overlap. Returns none if together they explain too little: with wider spacing, short content moves by a pixel or two.
 */
export async function findMovedColumns(images: AlignedImages): Promise<MovedColumns[]> {
  const budget = { areas: MAX_AREAS };
  const found: MovedColumns[] = [];
  for (const segment of images.segments) {
    if (segment.kind !== 'paired' || !mayHaveMoved(images, segment)) continue;
    found.push(...(await searchRows(images, segment, budget)));
  }
  return explainedBy(found) >= images.pairedPixels * MIN_SHARE ? found : [];
}

function mayHaveMoved({ mask, ...images }: AlignedImages, { before, after, height }: Segment): boolean {
  const changed = Array.from(markedRows(mask, after, after + height), (row) => row - after);
  const rows = { x: 0, width: mask.width, height };
  return hasOffset(rowsOf(images.before, { ...rows, y: before }), rowsOf(images.after, { ...rows, y: after }), changed);
}

export function explainedBy(moved: readonly MovedColumns[]): number {
  return moved.reduce((sum, { explained }) => sum + explained, 0);
}

/** Returns a copy of a mask without the changes that moved columns explain. */
export function removeExplained(mask: Mask, moved: readonly MovedColumns[]): Mask {
  const remaining = { ...mask, data: borrowBytes(mask.data.length) };
  remaining.data.set(mask.data);
  for (const { area, content, diff } of moved) {
    for (const [from, to] of spansOf(area, mask.width)) remaining.data.fill(0, from, to);
    if (diff.mask) pasteMask(remaining, diff.mask, content.x, content.y);
  }
  return remaining;
}

/** The minimum share of the changed pixels in paired rows that all moves together must explain. */
const MIN_SHARE = 0.1;

/** A page with more areas has changed too much for a useful description. */
const MAX_AREAS = 400;

/** The minimum size of an area, in pixels. A smaller area has no recognizable content. */
const MIN_AREA = { width: 12, height: 4, pixels: 32 };

/** The minimum share of the changed pixels in paired rows that a part must have. Ten such parts reach MIN_SHARE. */
const MIN_PART_SHARE = 0.01;

/** The maximum size of a tested part, as a share of an area that already moved as a whole. Limits the time of the search. */
const MAX_PART_SHARE = 0.75;

function searchRows(
  images: AlignedImages,
  { before, after: top, height }: Segment,
  budget: { areas: number },
): Promise<MovedColumns[]> {
  const { width, data } = images.mask;
  const down = top - before;
  // Tiles start at the first row of the segment, so that swapped images divide into the same parts.
  const tiles = tilesOf({ width, height, data: data.subarray(top * width, (top + height) * width) });
  const [first, last] = down === 0 ? [0, width] : images.columns;
  const minPixels = Math.max(MIN_AREA.pixels, images.pairedPixels * MIN_PART_SHARE);
  return searchIn({ rows: [0, tiles.rows], columns: [0, tiles.columns] }, Number.POSITIVE_INFINITY);

  /** @param maxPixels - areas with more changed pixels are only divided, because they were tested already */
  async function searchIn(tileArea: TileArea, maxPixels: number): Promise<MovedColumns[]> {
    const piece = cutArea(tiles, tileArea);
    if (!piece || budget.areas-- <= 0) return [];
    const { region, parts } = piece;
    if (region.width < MIN_AREA.width || region.height < MIN_AREA.height || region.pixels < minPixels) return [];
    const area = extendSideways({ ...region, y: region.y + top }, first, last);
    const whole = region.pixels > maxPixels ? null : await alignColumns(images, down, region, area);
    if (whole?.isClear) return [whole];
    const found: MovedColumns[] = [];
    const next = whole ? region.pixels * MAX_PART_SHARE : maxPixels;
    for (const part of parts) found.push(...(await searchIn(part, next)));
    return whole && explainedBy(found) <= whole.explained ? [whole] : found;
  }
}

/** Adds one unchanged column on both sides: it shows whether inserted columns are empty space only. */
function extendSideways({ x, y, width, height }: Rectangle, first: number, last: number): Rectangle {
  const [left, right] = [Math.max(first, x - 1), Math.min(last, x + width + 1)];
  return { x: left, y, width: right - left, height };
}

/** Tiles `[from, to)` in both directions. */
type TileArea = Readonly<Record<'rows' | 'columns', Columns>>;

/**
 * Returns the bounding region of the changes in an area, and divides the area at its widest gaps, between rows or else between columns:
 * the recursive X-Y cut of Nagy and Seth, "Hierarchical representation of optically scanned documents", 1984.
 */
function cutArea(tiles: Tiles, area: TileArea): { region: Region; parts: readonly TileArea[] } | null {
  const [rows, columns]: [Extent[], Extent[]] = [[], []];
  let region: Region | null = null;
  for (let row = area.rows[0]; row < area.rows[1]; row++) {
    for (let column = area.columns[0]; column < area.columns[1]; column++) {
      const changed = tiles.regions[row * tiles.columns + column];
      if (!changed) continue;
      region = region ? joinRegions(region, changed) : changed;
      extend(rows, row, changed.y, changed.y + changed.height);
      extend(columns, column, changed.x, changed.x + changed.width);
    }
  }
  if (!region) return null;
  const across = splitAt(rows, area.rows, LINE_GAP);
  if (across.length > 1) return { region, parts: across.map((part) => ({ ...area, rows: part })) };
  const down = splitAt(columns, area.columns, WORD_GAP);
  return { region, parts: down.length === 1 ? [] : down.map((part) => ({ ...area, columns: part })) };
}

/** The changed pixels `[from, to)` of a line of tiles. Extents are in a sparse array by line. */
interface Extent {
  from: number;
  to: number;
}

function extend(extents: Extent[], line: number, from: number, to: number): void {
  extents[line] ??= { from, to };
  const extent = extents[line];
  extent.from = Math.min(extent.from, from);
  extent.to = Math.max(extent.to, to);
}

/** Divides lines of tiles at gaps of more than `minGap` pixels that are at least half as wide as the widest gap. */
function splitAt(extents: readonly Extent[], [first, end]: Columns, minGap: number): Columns[] {
  const gaps: { line: number; pixels: number }[] = [];
  let last: Extent | undefined;
  extents.forEach((extent, line) => {
    if (last) gaps.push({ line, pixels: extent.from - last.to });
    last = extent;
  });
  const widest = gaps.reduce((most, { pixels }) => Math.max(most, pixels), 0);
  const cuts = gaps.filter(({ pixels }) => pixels > minGap && pixels * 2 >= widest).map(({ line }) => line);
  return [first, ...cuts].map((from, index) => [from, cuts[index] ?? end] as const);
}

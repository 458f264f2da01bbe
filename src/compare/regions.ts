import { areaOf } from '../image/index.js';
import type { Mask, Rectangle, Region } from '../model/index.js';
import { CHANGED, markedRows } from './engines/pixel-diff.js';

/**
 * Returns the bounding rectangles of changed content: words are joined into lines, and lines into paragraphs. Each changed pixel belongs to
 * exactly one of at most {@link MAX_REGIONS} rectangles. They are tight, unsorted and do not overlap.
 */
export function findRegions(mask: Mask): Region[] {
  const tiles = tilesOf(mask);
  let parts = gatherTiles(tiles, 1);
  // More parts than this are noise, so a coarser grouping is sufficient.
  for (let reach = 2; parts.length > MAX_PARTS; reach *= 2) parts = gatherTiles(tiles, reach);
  let [maxGapX, maxGapY] = [WORD_GAP, LINE_GAP];
  let regions = joinNear(parts, maxGapX, maxGapY);
  while (regions.length > MAX_REGIONS) {
    [maxGapX, maxGapY] = [maxGapX * 2, maxGapY * 2];
    regions = joinNear(regions, maxGapX, maxGapY);
  }
  return regions;
}

/** Returns the bounding region of areas that do not overlap; null without areas. */
export function regionOf(areas: readonly Rectangle[]): Region | null {
  const [first, ...others] = areas.map((area) => ({ ...area, pixels: areaOf(area) }));
  return first ? others.reduce(joinRegions, first) : null;
}

/** Sorts regions by pixels, descending, then from the top and from the left. */
export function sortRegions<R extends Omit<Region, 'side'>>(regions: readonly R[]): R[] {
  return regions.toSorted((a, b) => b.pixels - a.pixels || a.y - b.y || a.x - b.x);
}

/** The maximum number of regions: a reader does not review more of them one by one. */
export const MAX_REGIONS = 24;

const MAX_PARTS = 4000;

/** The maximum gap between words of one line, in pixels. Columns of a grid are further apart. */
export const WORD_GAP = 14;
/** The maximum gap between lines of one paragraph, in pixels. */
export const LINE_GAP = 18;

function joinNear(regions: readonly Region[], maxGapX: number, maxGapY: number): Region[] {
  let joined: readonly Region[] = regions;
  for (let count = Number.POSITIVE_INFINITY; joined.length < count; ) {
    count = joined.length;
    joined = joinOnce(joined, maxGapX, maxGapY);
  }
  return [...joined];
}

/** Joins near regions in one pass from the top. */
function joinOnce(regions: readonly Region[], maxGapX: number, maxGapY: number): Region[] {
  const done: Region[] = [];
  let open: Region[] = [];
  for (const region of regions.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const isAbove = (other: Region) => other.y + other.height + maxGapY < region.y;
    done.push(...open.filter(isAbove));
    const candidates = open.filter((other) => !isAbove(other));
    const near = candidates.filter((other) => isNear(region, other, maxGapX, maxGapY));
    open = [...candidates.filter((other) => !near.includes(other)), near.reduce(joinRegions, region)];
  }
  return [...done, ...open];
}

function isNear(a: Rectangle, b: Rectangle, maxGapX: number, maxGapY: number): boolean {
  const gapX = Math.max(a.x, b.x) - Math.min(a.x + a.width, b.x + b.width);
  const gapY = Math.max(a.y, b.y) - Math.min(a.y + a.height, b.y + b.height);
  return gapX <= maxGapX && gapY <= maxGapY;
}

/** The side of a tile in pixels: about one letter. */
const TILE = 8;

/** A mask in square tiles of TILE pixels. */
export interface Tiles {
  readonly columns: number;
  readonly rows: number;
  /** The bounding region of the changed pixels of each tile that has some. */
  readonly regions: readonly (Region | undefined)[];
}

export function tilesOf(mask: Mask): Tiles {
  const { data, width, height } = mask;
  const [columns, rows] = [Math.ceil(width / TILE), Math.ceil(height / TILE)];
  const regions = new Array<Region | undefined>(columns * rows);
  for (const y of markedRows(mask)) {
    const row = data.subarray(y * width, (y + 1) * width);
    for (let x = row.indexOf(CHANGED), end = 0; x >= 0; x = row.indexOf(CHANGED, end)) {
      const column = Math.floor(x / TILE);
      const edge = Math.min(width, (column + 1) * TILE);
      for (end = x + 1; end < edge && row[end] === CHANGED; ) end++;
      const tile = Math.floor(y / TILE) * columns + column;
      const run = { x, y, width: end - x, height: 1, pixels: end - x };
      regions[tile] = regions[tile] ? joinRegions(regions[tile], run) : run;
    }
  }
  return { columns, rows, regions };
}

/** Groups tiles with changes into regions. Tiles belong together if at most `reach - 1` tiles lie between them. */
function gatherTiles(tiles: Tiles, reach: number): Region[] {
  const seen = new Uint8Array(tiles.regions.length);
  return tiles.regions.flatMap((region, tile) =>
    region && seen[tile] === 0 ? [growRegion(tile, region, tiles, reach, seen)] : [],
  );
}

/** Joins two regions that have no pixel in common. */
export function joinRegions(a: Region, b: Region): Region {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const [right, bottom] = [Math.max(a.x + a.width, b.x + b.width), Math.max(a.y + a.height, b.y + b.height)];
  return { x, y, width: right - x, height: bottom - y, pixels: a.pixels + b.pixels };
}

function growRegion(first: number, start: Region, tiles: Tiles, reach: number, seen: Uint8Array): Region {
  let region = start;
  const open = [first];
  seen[first] = 1;
  for (let tile = open.pop(); tile !== undefined; tile = open.pop()) {
    const [column, row] = [tile % tiles.columns, Math.floor(tile / tiles.columns)];
    for (let y = Math.max(0, row - reach); y <= Math.min(tiles.rows - 1, row + reach); y++) {
      for (let x = Math.max(0, column - reach); x <= Math.min(tiles.columns - 1, column + reach); x++) {
        const near = y * tiles.columns + x;
        const other = tiles.regions[near];
        if (!other || seen[near] !== 0) continue;
        seen[near] = 1;
        region = joinRegions(region, other);
        open.push(near);
      }
    }
  }
  return region;
}

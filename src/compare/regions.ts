import { areaOf } from '../image/index.js';
import type { Mask, Rectangle, Region } from '../model/index.js';
import { CHANGED, markedRows } from './engines/pixel-diff.js';

/**
 * Returns the bounding rectangles of changed content. Words are joined into lines, and lines into paragraphs. Each changed
 * pixel belongs to exactly one rectangle. Rectangles are tight and do not overlap.
 *
 * @returns at most {@link MAX_REGIONS} regions, unsorted
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

/** Returns the bounding region of areas that do not overlap. Every pixel of them counts. Returns null without areas. */
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

/** Joins near regions in one pass from the top. Regions that end far above the current one are closed. */
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
  /** The number of changed pixels of each tile. */
  readonly pixels: Uint16Array;
  /** Returns the bounding region of the changed pixels of a tile. The tile must have some. */
  regionAt(tile: number): Region;
}

/** Returns the tiles of a mask. */
export function tilesOf(mask: Mask): Tiles {
  const { data, width, height } = mask;
  const [columns, rows] = [Math.ceil(width / TILE), Math.ceil(height / TILE)];
  const pixels = new Uint16Array(columns * rows);
  const [left, right] = [new Uint8Array(pixels.length), new Uint8Array(pixels.length)];
  const [top, bottom] = [new Uint8Array(pixels.length), new Uint8Array(pixels.length)];
  for (const y of markedRows(mask)) {
    const row = data.subarray(y * width, (y + 1) * width);
    for (let start = row.indexOf(CHANGED); start >= 0; start = row.indexOf(CHANGED, start)) {
      let end = start + 1;
      while (end < width && row[end] === CHANGED) end++;
      add(start, end, y);
      start = end;
    }
  }
  return { columns, rows, pixels, regionAt };

  /** Adds the changed pixels `[from, to)` of a row. */
  function add(from: number, to: number, y: number): void {
    const row = Math.floor(y / TILE);
    for (let column = Math.floor(from / TILE); column * TILE < to; column++) {
      const tile = row * columns + column;
      const first = Math.max(0, from - column * TILE);
      const last = Math.min(TILE, to - column * TILE);
      const isNew = pixels[tile] === 0;
      left[tile] = isNew ? first : Math.min(left[tile] ?? 0, first);
      right[tile] = isNew ? last : Math.max(right[tile] ?? 0, last);
      if (isNew) top[tile] = y - row * TILE;
      bottom[tile] = y - row * TILE + 1;
      pixels[tile] = (pixels[tile] ?? 0) + last - first;
    }
  }

  function regionAt(tile: number): Region {
    const [x, y] = [(tile % columns) * TILE, Math.floor(tile / columns) * TILE];
    const [l = 0, r = 0, t = 0, b = 0] = [left[tile], right[tile], top[tile], bottom[tile]];
    return { x: x + l, y: y + t, width: r - l, height: b - t, pixels: pixels[tile] ?? 0 };
  }
}

/** Groups tiles with changes into regions. Tiles belong together if at most `reach - 1` tiles lie between them. */
function gatherTiles(tiles: Tiles, reach: number): Region[] {
  const seen = new Uint8Array(tiles.pixels.length);
  const regions: Region[] = [];
  for (let tile = 0; tile < seen.length; tile++) {
    if (tiles.pixels[tile] !== 0 && seen[tile] === 0) regions.push(growRegion(tile, tiles, reach, seen));
  }
  return regions;
}

/** Joins two regions that have no pixel in common. */
export function joinRegions(a: Region, b: Region): Region {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const [right, bottom] = [Math.max(a.x + a.width, b.x + b.width), Math.max(a.y + a.height, b.y + b.height)];
  return { x, y, width: right - x, height: bottom - y, pixels: a.pixels + b.pixels };
}

function growRegion(first: number, tiles: Tiles, reach: number, seen: Uint8Array): Region {
  let region = tiles.regionAt(first);
  const open = [first];
  seen[first] = 1;
  for (let tile = open.pop(); tile !== undefined; tile = open.pop()) {
    if (tile !== first) region = joinRegions(region, tiles.regionAt(tile));
    const [column, row] = [tile % tiles.columns, Math.floor(tile / tiles.columns)];
    for (let y = Math.max(0, row - reach); y <= Math.min(tiles.rows - 1, row + reach); y++) {
      for (let x = Math.max(0, column - reach); x <= Math.min(tiles.columns - 1, column + reach); x++) {
        const near = y * tiles.columns + x;
        if (tiles.pixels[near] === 0 || seen[near] !== 0) continue;
        seen[near] = 1;
        open.push(near);
      }
    }
  }
  return region;
}

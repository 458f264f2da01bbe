import type { Mask, Region } from '../../model/comparison.js';
import type { Size } from '../../model/image.js';
import { CHANGED, markedRows } from '../engines/pixel-diff.js';

/** An image in square tiles of TILE pixels. Each tile stores the number and the bounds of its changed pixels. */
export interface Tiles {
  readonly columns: number;
  readonly rows: number;
  readonly pixels: Uint16Array;
  /** Adds the changed pixels `[from, to)` of a row. */
  add(from: number, to: number, y: number): void;
  /** Returns the bounding region of the changed pixels of a tile. The tile must have some. */
  regionAt(tile: number): Region;
}

/** Returns the tiles of a mask. */
export function tilesOf(mask: Mask): Tiles {
  const tiles = createTiles(mask);
  const { data, width } = mask;
  for (const y of markedRows(mask)) {
    const row = data.subarray(y * width, (y + 1) * width);
    for (let start = row.indexOf(CHANGED); start >= 0; start = row.indexOf(CHANGED, start)) {
      let end = start + 1;
      while (end < width && row[end] === CHANGED) end++;
      tiles.add(start, end, y);
      start = end;
    }
  }
  return tiles;
}

/** Creates the tiles of an image, without changed pixels. */
function createTiles({ width, height }: Size): Tiles {
  const [columns, rows] = [Math.ceil(width / TILE), Math.ceil(height / TILE)];
  const pixels = new Uint16Array(columns * rows);
  const [left, right] = [new Uint8Array(pixels.length), new Uint8Array(pixels.length)];
  const [top, bottom] = [new Uint8Array(pixels.length), new Uint8Array(pixels.length)];
  return {
    columns,
    rows,
    pixels,
    add(from, to, y) {
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
    },
    regionAt(tile) {
      const [x, y] = [(tile % columns) * TILE, Math.floor(tile / columns) * TILE];
      const [l = 0, r = 0, t = 0, b = 0] = [left[tile], right[tile], top[tile], bottom[tile]];
      return { x: x + l, y: y + t, width: r - l, height: b - t, pixels: pixels[tile] ?? 0 };
    },
  };
}

/** Groups tiles with changes into regions. Tiles belong together if at most `reach - 1` tiles lie between them. */
export function gatherTiles(tiles: Tiles, reach: number): Region[] {
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

/** The side of a tile in pixels: about one letter. */
const TILE = 8;

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

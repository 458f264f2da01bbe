import type { Region } from '../../../model/comparison.js';
import { LINE_GAP, WORD_GAP } from '../../regions/regions.js';
import { joinRegions, type Tiles } from '../../regions/tiles.js';

/** A rectangle of tiles: columns `[left, right)` and rows `[top, bottom)`. */
export interface TileArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The changed region of an area, and the parts into which the area divides; none if it does not divide. */
export interface Piece {
  readonly region: Region;
  readonly parts: readonly TileArea[];
}

/**
 * Returns the bounding region of the changes in an area, and divides the area at its widest gaps without changes. It cuts
 * between rows if possible, otherwise between columns. Repeated on each part, this is the recursive X-Y cut of Nagy and
 * Seth, "Hierarchical representation of optically scanned documents", 1984. Returns null if nothing changed.
 */
export function cutArea(tiles: Tiles, area: TileArea): Piece | null {
  const [rows, columns]: [Extent[], Extent[]] = [[], []];
  let region: Region | null = null;
  for (let row = area.top; row < area.bottom; row++) {
    for (let column = area.left; column < area.right; column++) {
      const tile = row * tiles.columns + column;
      if (tiles.pixels[tile] === 0) continue;
      const tileRegion = tiles.regionAt(tile);
      region = region ? joinRegions(region, tileRegion) : tileRegion;
      extend(rows, row - area.top, tileRegion.y, tileRegion.y + tileRegion.height);
      extend(columns, column - area.left, tileRegion.x, tileRegion.x + tileRegion.width);
    }
  }
  if (!region) return null;
  const across = splitAt(rows, area.bottom - area.top, LINE_GAP);
  if (across.length > 1) {
    const parts = across.map(([from, to]) => ({ ...area, top: area.top + from, bottom: area.top + to }));
    return { region, parts };
  }
  const down = splitAt(columns, area.right - area.left, WORD_GAP);
  if (down.length === 1) return { region, parts: [] };
  return { region, parts: down.map(([from, to]) => ({ ...area, left: area.left + from, right: area.left + to })) };
}

/** The changed pixels `[from, to)` of a line of tiles. Extents are stored in a sparse array by line. */
interface Extent {
  from: number;
  to: number;
}

function extend(extents: Extent[], line: number, from: number, to: number): void {
  const extent = extents[line];
  if (!extent) extents[line] = { from, to };
  else {
    extent.from = Math.min(extent.from, from);
    extent.to = Math.max(extent.to, to);
  }
}

/** Divides lines of tiles at gaps of more than `minGap` pixels that are at least half as wide as the widest gap. */
function splitAt(
  extents: readonly (Extent | undefined)[],
  lines: number,
  minGap: number,
): (readonly [number, number])[] {
  const gaps: { line: number; pixels: number }[] = [];
  let last: Extent | undefined;
  for (const [line, extent] of extents.entries()) {
    if (!extent) continue;
    if (last) gaps.push({ line, pixels: extent.from - last.to });
    last = extent;
  }
  const widest = gaps.reduce((most, { pixels }) => Math.max(most, pixels), 0);
  const cuts = gaps.filter(({ pixels }) => pixels > minGap && pixels * 2 >= widest).map(({ line }) => line);
  return [0, ...cuts].map((from, index) => [from, cuts[index] ?? lines] as const);
}

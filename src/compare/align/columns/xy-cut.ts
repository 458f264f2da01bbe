import type { Region } from '../../../model/comparison.js';
import { LINE_GAP, WORD_GAP } from '../../regions/regions.js';
import { joinRegions, type Tiles } from '../../regions/tiles.js';

/** Tiles of an image: the first column and row, and those after the last. */
export interface TileArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What changed in an area, and the areas that it falls into; none where it is of one piece. */
export interface Piece {
  readonly region: Region;
  readonly parts: readonly TileArea[];
}

/**
 * Returns the rectangle around what changed in an area, and cuts it where nothing changed: between rows if it can be, else
 * between columns, at the widest gaps first. Done again on each part it is the recursive X-Y cut of Nagy and Seth,
 * "Hierarchical representation of optically scanned documents", 1984. Null where nothing changed.
 */
export function cutArea(tiles: Tiles, area: TileArea): Piece | null {
  const [rows, columns]: [Extent[], Extent[]] = [[], []];
  let region: Region | null = null;
  for (let row = area.top; row < area.bottom; row++) {
    for (let column = area.left; column < area.right; column++) {
      const tile = row * tiles.columns + column;
      if (tiles.pixels[tile] === 0) continue;
      const own = tiles.regionAt(tile);
      region = region ? joinRegions(region, own) : own;
      widen(rows, row - area.top, own.y, own.y + own.height);
      widen(columns, column - area.left, own.x, own.x + own.width);
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

/** From the first changed pixel of a line of tiles to the one after the last; in a sparse array, by the line. */
interface Extent {
  from: number;
  to: number;
}

function widen(extents: Extent[], line: number, from: number, to: number): void {
  const known = extents[line];
  if (!known) extents[line] = { from, to };
  else {
    known.from = Math.min(known.from, from);
    known.to = Math.max(known.to, to);
  }
}

/** Cuts lines of tiles at gaps of more than so many pixels, of which none is less than half as wide as the widest. */
function splitAt(
  extents: readonly (Extent | undefined)[],
  lines: number,
  least: number,
): (readonly [number, number])[] {
  const gaps: { line: number; pixels: number }[] = [];
  let last: Extent | undefined;
  for (const [line, extent] of extents.entries()) {
    if (!extent) continue;
    if (last) gaps.push({ line, pixels: extent.from - last.to });
    last = extent;
  }
  const widest = gaps.reduce((most, { pixels }) => Math.max(most, pixels), 0);
  const cuts = gaps.filter(({ pixels }) => pixels > least && pixels * 2 >= widest).map(({ line }) => line);
  return [0, ...cuts].map((from, index) => [from, cuts[index] ?? lines] as const);
}

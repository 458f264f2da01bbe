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

/** Two images whose rows are laid on one another. */
interface LaidRows extends Omit<LaidImages, 'down'> {
  readonly before: Pixels;
  readonly after: Pixels;
  readonly segments: readonly Segment[];
  /** Between which rows moved; outside, all stayed. */
  readonly columns: Columns;
  /** What changed in paired rows. */
  readonly pairedPixels: number;
}

/**
 * Finds what moved sideways in rows that are paired: of all that changed together as one, and where that explains too little,
 * of the parts that it falls into. No two overlap. None where all of them explain next to nothing of what changed: letters
 * and words that stand further apart move what is short enough by a pixel or two, and that is no story.
 */
export async function findMovedColumns(laid: LaidRows, compare: ComparePixels): Promise<MovedColumns[]> {
  const budget = { areas: MOST_AREAS };
  const found: MovedColumns[] = [];
  for (const { kind, before, after, height } of laid.segments) {
    if (kind !== 'paired' || !mayHaveMoved(laid, before, after, height)) continue;
    const search = searchOf(laid, after, height, after - before, compare, budget);
    const all = { left: 0, top: 0, right: search.tiles.columns, bottom: search.tiles.rows };
    found.push(...(await search.in(all, Number.POSITIVE_INFINITY)));
  }
  return explainedBy(found) >= laid.pairedPixels * LEAST_SHARE ? found : [];
}

function mayHaveMoved({ mask, ...images }: LaidRows, before: number, after: number, height: number): boolean {
  const changed = Array.from(markedRows(mask, after, after + height), (row) => row - after);
  const rows = { x: 0, width: mask.width, height };
  return hasOffset(viewOf(images.before, { ...rows, y: before }), viewOf(images.after, { ...rows, y: after }), changed);
}

/** Returns a mask without what moved columns explain. */
export function withoutMoved(mask: Mask, moved: readonly MovedColumns[]): Mask {
  const left = { ...mask, data: borrowBytes(mask.data.length) };
  left.data.set(mask.data);
  for (const { area, judged } of moved) {
    for (const [from, to] of spansOf(area, mask.width)) left.data.fill(0, from, to);
    if (judged) pasteJudged(left, judged);
  }
  return left;
}

/** Of all that changed in paired rows. */
const LEAST_SHARE = 0.1;

/** So many areas are looked at; a page that falls into more has changed too much to be told. */
const MOST_AREAS = 400;

/** Less has no content that could be known again; pixels. */
const LEAST = { width: 12, height: 4, pixels: 32 };

/** Of all that changed in paired rows: it takes ten such parts to be worth a story, and what is smaller has many. */
const LEAST_PART = 0.01;

/** A part of what moved as one is looked at for itself where it is at most so large a share of it: it takes time. */
const LESS = 0.75;

interface Search {
  readonly tiles: Tiles;
  /** @param most - more changed pixels are but what was looked at already */
  in(area: TileArea, most: number): Promise<MovedColumns[]>;
}

function searchOf(
  laid: LaidRows,
  top: number,
  height: number,
  down: number,
  compare: ComparePixels,
  budget: { areas: number },
): Search {
  const { width, data } = laid.mask;
  // Tiles begin where the rows do: swapped images fall into the same parts.
  const tiles = tilesOf({ width, height, data: data.subarray(top * width, (top + height) * width) });
  const [first, last] = down === 0 ? [0, width] : laid.columns;
  const least = Math.max(LEAST.pixels, laid.pairedPixels * LEAST_PART);
  const search = { tiles, in: searchIn };
  return search;

  async function searchIn(tileArea: TileArea, most: number): Promise<MovedColumns[]> {
    const piece = cutArea(tiles, tileArea);
    if (!piece || budget.areas-- <= 0) return [];
    const { region, parts } = piece;
    if (region.width < LEAST.width || region.height < LEAST.height || region.pixels < least) return [];
    const area = besides({ ...region, y: region.y + top }, first, last);
    const whole = region.pixels > most ? null : await alignColumns({ ...laid, down }, region, area, compare);
    if (whole?.isClear) return [whole];
    const found: MovedColumns[] = [];
    const next = whole ? region.pixels * LESS : most;
    for (const part of parts) found.push(...(await searchIn(part, next)));
    return whole && explainedBy(found) <= whole.explained ? [whole] : found;
  }
}

function explainedBy(moved: readonly MovedColumns[]): number {
  return moved.reduce((sum, { explained }) => sum + explained, 0);
}

/** What did not change beside it tells whether what came in is only space. */
function besides({ x, y, width, height }: Rectangle, first: number, last: number): Rectangle {
  const [left, right] = [Math.max(first, x - 1), Math.min(last, x + width + 1)];
  return { x: left, y, width: right - left, height };
}

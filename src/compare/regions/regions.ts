import { areaOf } from '../../image/canvas.js';
import type { Mask, Region } from '../../model/comparison.js';
import type { Rectangle } from '../../model/image.js';
import { gatherTiles, joinRegions, tilesOf } from './tiles.js';

/**
 * Returns the bounding rectangles of changed content. Words are joined into lines, and lines into paragraphs. Each changed
 * pixel belongs to exactly one rectangle. Rectangles are tight and do not overlap.
 *
 * @returns at most {@link MOST_REGIONS} regions, unsorted
 */
export function findRegions(mask: Mask): Region[] {
  const tiles = tilesOf(mask);
  let parts = gatherTiles(tiles, 1);
  // More parts than this are noise, so a coarser grouping is sufficient.
  for (let reach = 2; parts.length > MAX_PARTS; reach *= 2) parts = gatherTiles(tiles, reach);
  let [maxGapX, maxGapY] = [WORD_GAP, LINE_GAP];
  let regions = joinNear(parts, maxGapX, maxGapY);
  while (regions.length > MOST_REGIONS) {
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
export const MOST_REGIONS = 24;

/** The maximum number of parts to join: joining slows down with each part. */
const MAX_PARTS = 4000;

/** The maximum gap between words of one line, in pixels. Columns of a grid are further apart. */
export const WORD_GAP = 14;
/** The maximum gap between lines of one paragraph, in pixels. */
export const LINE_GAP = 18;

/** Joins regions that overlap or are near, until none are. */
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
  const [dx, dy] = [gap(a.x, a.width, b.x, b.width), gap(a.y, a.height, b.y, b.height)];
  return dx <= maxGapX && dy <= maxGapY;
}

function gap(a: number, aLength: number, b: number, bLength: number): number {
  return Math.max(a, b) - Math.min(a + aLength, b + bLength);
}

import { areaOf } from '../../image/canvas.js';
import type { Mask, Region } from '../../model/comparison.js';
import type { Rectangle } from '../../model/image.js';
import { gatherTiles, joinRegions, tilesOf } from './tiles.js';

/**
 * Returns the few rectangles that a person would draw around what changed: words are joined to lines, lines to paragraphs.
 * Each changed pixel belongs to exactly one, and each rectangle is as tight as can be; they do not overlap.
 *
 * @returns at most {@link MOST_REGIONS}, in no order
 */
export function findRegions(mask: Mask): Region[] {
  const tiles = tilesOf(mask);
  let parts = gatherTiles(tiles, 1);
  // So many are noise: their number counts, not how they lie.
  for (let reach = 2; parts.length > MOST_PARTS; reach *= 2) parts = gatherTiles(tiles, reach);
  let [across, down] = [WORD_GAP, LINE_GAP];
  let regions = joinNear(parts, across, down);
  while (regions.length > MOST_REGIONS) {
    [across, down] = [across * 2, down * 2];
    regions = joinNear(regions, across, down);
  }
  return regions;
}

/** Returns the rectangle around areas of which every pixel counts and none lies in two; null around none. */
export function regionOf(areas: readonly Rectangle[]): Region | null {
  const [first, ...others] = areas.map((area) => ({ ...area, pixels: areaOf(area) }));
  return first ? others.reduce(joinRegions, first) : null;
}

/** Puts the most pixels first; of as many, the topmost. */
export function sortRegions<R extends Omit<Region, 'side'>>(regions: readonly R[]): R[] {
  return regions.toSorted((a, b) => b.pixels - a.pixels || a.y - b.y || a.x - b.x);
}

/** More than that nobody looks at one by one. */
export const MOST_REGIONS = 24;

/** Joining takes time with every part. */
const MOST_PARTS = 4000;

/** Words of a line are nearer to one another than that, columns of a grid are not; pixels. */
export const WORD_GAP = 14;
/** And so are lines of a paragraph; pixels. */
export const LINE_GAP = 18;

/** Joins what overlaps or is near, until nothing is. */
function joinNear(regions: readonly Region[], across: number, down: number): Region[] {
  let joined: readonly Region[] = regions;
  for (let count = Number.POSITIVE_INFINITY; joined.length < count; ) {
    count = joined.length;
    joined = joinOnce(joined, across, down);
  }
  return [...joined];
}

/** Goes from the top to the bottom; only what is not yet far above can be near. */
function joinOnce(regions: readonly Region[], across: number, down: number): Region[] {
  const done: Region[] = [];
  let open: Region[] = [];
  for (const region of regions.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const isAbove = (other: Region) => other.y + other.height + down < region.y;
    done.push(...open.filter(isAbove));
    const level = open.filter((other) => !isAbove(other));
    const near = level.filter((other) => isNear(region, other, across, down));
    open = [...level.filter((other) => !near.includes(other)), near.reduce(joinRegions, region)];
  }
  return [...done, ...open];
}

function isNear(a: Rectangle, b: Rectangle, across: number, down: number): boolean {
  const [dx, dy] = [gap(a.x, a.width, b.x, b.width), gap(a.y, a.height, b.y, b.height)];
  return dx <= across && dy <= down;
}

function gap(a: number, aLength: number, b: number, bLength: number): number {
  return Math.max(a, b) - Math.min(a + aLength, b + bLength);
}

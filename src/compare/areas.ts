import { areaOf, hasArea, overlapOf } from '../image/index.js';
import type { Rectangle, Size } from '../model/index.js';

/** Clips rectangles to an image of this size. Rectangles outside the image are omitted. */
export function clipAreas(areas: readonly Rectangle[], { width, height }: Size): Rectangle[] {
  return areas.map((area) => intersect(area, { x: 0, y: 0, width, height })).filter(hasArea);
}

/** Translates rectangles to the coordinates of a crop that starts at (x, y). */
export function shiftAreas(areas: readonly Rectangle[], { x, y }: Pick<Rectangle, 'x' | 'y'>): Rectangle[] {
  return areas.map((area) => ({ ...area, x: area.x - x, y: area.y - y }));
}

/** Extends a rectangle by this many pixels on all four sides. */
export function widenArea({ x, y, width, height }: Rectangle, by: number): Rectangle {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** Subtracts ignored areas from rectangles that do not overlap. The resulting rectangles do not overlap either. */
export function cutAreas(areas: readonly Rectangle[], ignoredAreas: readonly Rectangle[]): Rectangle[] {
  return ignoredAreas.reduce<Rectangle[]>(
    (remaining, ignoredArea) => remaining.flatMap((area) => subtract(area, ignoredArea)),
    areas.filter(hasArea),
  );
}

/** Returns the parts of an image to the right of and below another image's size. The parts do not overlap. */
export function areasBeyond(other: Size, { width, height }: Size): Rectangle[] {
  const overlap = overlapOf(other, { width, height });
  return [
    { x: overlap.width, y: 0, width: width - overlap.width, height: overlap.height },
    { x: 0, y: overlap.height, width, height: height - overlap.height },
  ].filter(hasArea);
}

/** Returns the number of pixels of areas that do not overlap. */
export function totalArea(areas: readonly Rectangle[]): number {
  return areas.reduce((sum, area) => sum + areaOf(area), 0);
}

/** Checks whether two rectangles have any pixel in common. */
export function isIntersecting(one: Rectangle, other: Rectangle): boolean {
  return hasArea(intersect(one, other));
}

/** Returns the share of a rectangle that lies within another one, 0 to 1; 0 if it has no area. */
export function shareWithin(area: Rectangle | undefined, other: Rectangle | undefined): number {
  const common = area && other && intersect(area, other);
  return area && common && hasArea(common) ? areaOf(common) / areaOf(area) : 0;
}

/** Yields the rows of a rectangle as offsets `[from, to)` into the pixels of an image of this width. */
export function* spansOf({ x, y, width, height }: Rectangle, imageWidth: number): Generator<readonly [number, number]> {
  for (let row = y; row < y + height; row++) yield [row * imageWidth + x, row * imageWidth + x + width];
}

function subtract(area: Rectangle, ignoredArea: Rectangle): Rectangle[] {
  const common = intersect(area, ignoredArea);
  if (!hasArea(common)) return [area];
  const { x, y, width, height } = common;
  const [right, bottom] = [area.x + area.width, area.y + area.height];
  return [
    { ...area, height: y - area.y },
    { x: area.x, y, width: x - area.x, height },
    { x: x + width, y, width: right - (x + width), height },
    { ...area, y: y + height, height: bottom - (y + height) },
  ].filter(hasArea);
}

function intersect(a: Rectangle, b: Rectangle): Rectangle {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  return {
    x,
    y,
    width: Math.min(a.x + a.width, b.x + b.width) - x,
    height: Math.min(a.y + a.height, b.y + b.height) - y,
  };
}

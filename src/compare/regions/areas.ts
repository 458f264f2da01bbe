import { overlapOf } from '../../image/canvas.js';
import type { Rectangle, Size } from '../../model/image.js';

/** Returns what of some rectangles lies within a size; those of which nothing does are left out. */
export function clipAreas(areas: readonly Rectangle[], { width, height }: Size): Rectangle[] {
  return areas.map((area) => intersect(area, { x: 0, y: 0, width, height })).filter(isSome);
}

/** Returns rectangles as they lie in an image that was cut out of theirs at a place. */
export function shiftAreas(areas: readonly Rectangle[], { x, y }: Pick<Rectangle, 'x' | 'y'>): Rectangle[] {
  return areas.map((area) => ({ ...area, x: area.x - x, y: area.y - y }));
}

/** Returns a rectangle that reaches further, to all four sides. */
export function widenArea({ x, y, width, height }: Rectangle, by: number): Rectangle {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** Returns what is left of rectangles that do not overlap when ignoredAreas are cut into them: again such rectangles. */
export function cutAreas(areas: readonly Rectangle[], ignoredAreas: readonly Rectangle[]): Rectangle[] {
  return ignoredAreas.reduce<Rectangle[]>(
    (left, hole) => left.flatMap((area) => cut(area, hole)),
    areas.filter(isSome),
  );
}

/** Returns the parts that exactly one of two images covers when both lie at one corner; no two of them overlap. */
export function extraAreas(before: Size, after: Size): Rectangle[] {
  return [...areasBeyond(after, before), ...areasBeyond(before, after)];
}

/** Returns the parts of an image that lie beyond another's, to its right and below; no two of them overlap. */
export function areasBeyond(other: Size, { width, height }: Size): Rectangle[] {
  const overlap = overlapOf(other, { width, height });
  return [
    { x: overlap.width, y: 0, width: width - overlap.width, height: overlap.height },
    { x: 0, y: overlap.height, width, height: height - overlap.height },
  ].filter(isSome);
}

/** Checks whether two rectangles have any pixel in common. */
export function doMeet(one: Rectangle, other: Rectangle): boolean {
  return isSome(intersect(one, other));
}

/** Walks the rows of a rectangle as offsets `[from, to)` into the pixels of an image of this width. */
export function* spansOf({ x, y, width, height }: Rectangle, imageWidth: number): Generator<readonly [number, number]> {
  for (let row = y; row < y + height; row++) yield [row * imageWidth + x, row * imageWidth + x + width];
}

function cut(area: Rectangle, hole: Rectangle): Rectangle[] {
  const { x, y, width, height } = intersect(area, hole);
  if (width <= 0 || height <= 0) return [area];
  const [right, bottom] = [area.x + area.width, area.y + area.height];
  return [
    { ...area, height: y - area.y },
    { x: area.x, y, width: x - area.x, height },
    { x: x + width, y, width: right - (x + width), height },
    { ...area, y: y + height, height: bottom - (y + height) },
  ].filter(isSome);
}

/** Without area where they do not meet; its width or height may then be negative. */
function intersect(a: Rectangle, b: Rectangle): Rectangle {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  return {
    x,
    y,
    width: Math.min(a.x + a.width, b.x + b.width) - x,
    height: Math.min(a.y + a.height, b.y + b.height) - y,
  };
}

function isSome({ width, height }: Size): boolean {
  return width > 0 && height > 0;
}

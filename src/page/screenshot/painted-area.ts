import { wordsOf } from '../../image/index.js';
import type { Pixels, Rectangle } from '../../model/index.js';

/**
 * Returns the part of an image with an element and all that is painted outside of it: its shadow, menus, dialogs. The most frequent color
 * outside of the element is that of the empty space.
 *
 * @param element - in image pixels; it may be empty, and reach beyond the image
 * @returns null if the element is empty and nothing else is painted
 */
export function paintedArea(pixels: Pixels, element: Rectangle): Rectangle | null {
  const { width } = pixels;
  const words = wordsOf(pixels);
  const inside = clampTo(pixels, element);
  const spans = spansOutside(pixels, inside);
  const space = mostFrequent(words, width, spans);
  const isEmpty = inside.left >= inside.right || inside.top >= inside.bottom;
  let { left, top, right, bottom } = isEmpty ? { left: width, top: pixels.height, right: 0, bottom: 0 } : inside;
  for (const { y, from, to } of spans) {
    const [start, end] = [y * width + from, y * width + to];
    let [first, last] = [start, end - 1];
    while (first < end && words[first] === space) first++;
    if (first === end) continue;
    while (words[last] === space) last--;
    [left, right] = [Math.min(left, first - y * width), Math.max(right, last + 1 - y * width)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
  }
  return left < right ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A part of a row. */
interface Span {
  readonly y: number;
  readonly from: number;
  /** The first column after it. */
  readonly to: number;
}

function clampTo({ width, height }: Pixels, { x, y, ...size }: Rectangle): Edges {
  const clamp = (value: number, max: number) => Math.max(0, Math.min(value, max));
  return {
    ...{ left: clamp(x, width), right: clamp(x + size.width, width) },
    ...{ top: clamp(y, height), bottom: clamp(y + size.height, height) },
  };
}

function spansOutside({ width, height }: Pixels, { left, top, right, bottom }: Edges): Span[] {
  return Array.from({ length: height }, (_, y) => y).flatMap((y) => {
    const isBeside = y >= top && y < bottom && left < right;
    const parts = isBeside ? [[0, left] as const, [right, width] as const] : [[0, width] as const];
    return parts.filter(([from, to]) => from < to).map(([from, to]) => ({ y, from, to }));
  });
}

/** Counts runs of one color, because most of the space has one. */
function mostFrequent(words: Uint32Array, width: number, spans: readonly Span[]): number | undefined {
  const counts = new Map<number, number>();
  for (const { y, from, to } of spans) {
    let start = y * width + from;
    const end = y * width + to;
    for (let at = start + 1; at <= end; at++) {
      const color = words[start];
      if (color === undefined || (at < end && words[at] === color)) continue;
      counts.set(color, (counts.get(color) ?? 0) + at - start);
      start = at;
    }
  }
  const most = Math.max(...counts.values());
  return [...counts.keys()].find((color) => counts.get(color) === most);
}

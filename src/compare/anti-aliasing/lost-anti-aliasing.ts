import { borrowZeros } from '../../image/index.js';
import type { Pixels, Rectangle } from '../../model/index.js';
import { spansOf } from '../regions/areas.js';

/**
 * Checks whether a pixel belongs to a shape that is anti-aliased in one image only. A shape is a set of steps of anti-aliased
 * edges that differ, each at most MAX_GAP pixels from the next. Caches the result for all visited pixels of the shape.
 */
export function isLostAntiAliasing(pair: Pair, at: number): boolean {
  if (pair.shapes[at] === 0) visitShape(pair, at);
  return pair.shapes[at] === LOST;
}

// States of a pixel, in `Pair.shapes`. 0: it was not visited.
/** The pixel belongs to no shape that lost its anti-aliasing, or it waits in the queue. */
const VISITED = 1;
/** The pixel is a step of the shape that is being visited, and all pixels near it were visited, too. */
const MEMBER = 2;
/** The pixel is a step of a shape that is anti-aliased in both images. Other steps of that shape may not have been visited. */
const KEPT = 3;
/** The pixel is a step of a shape that is anti-aliased in one image only. */
const LOST = 4;

/** The maximum distance between two steps of one shape, in pixels. */
const MAX_GAP = 3;

/** Bits for the directions in which the step of an edge gets brighter; 0 means no step. */
const STEP = 16;
const RIGHT = 1;
const LEFT = 2;
const DOWN = 4;
const UP = 8;

/**
 * Visits the shape of a pixel. It stops at the first proof that both images are anti-aliased: a replaced photo is one shape of
 * millions of pixels. Memory holds one byte per pixel, and the edge of the visited area.
 */
function visitShape(pair: Pair, start: number): void {
  const { shapes, queue, width } = pair;
  const bounds = { left: width, top: pair.height, right: 0, bottom: 0 };
  let [before, after, isKept] = [0, 0, false];
  shapes[start] = VISITED;
  queue.push(start);
  while (queue.length > 0 && !isKept) {
    const at = queue.shift();
    const [oldStep, newStep] = [stepsAt(pair, pair.before, at), stepsAt(pair, pair.after, at)];
    if (oldStep === 0 && newStep === 0) continue;
    before |= oldStep;
    after |= newStep;
    const x = at % width;
    extendBounds(bounds, x, (at - x) / width);
    isKept = visitNear(pair, x, (at - x) / width) || (before !== 0 && after !== 0);
  }
  // These may be steps of the shape, so a later visit must not skip them.
  while (queue.length > 0) shapes[queue.shift()] = 0;
  const isLost = !isKept && (before === 0) !== (after === 0) && isClosed(before | after);
  labelShape(pair, bounds, isKept ? KEPT : isLost ? LOST : VISITED);
}

/** Marks a step and adds the pixels near it to the queue. Returns whether one of them is known to be kept. */
function visitNear(pair: Pair, x: number, y: number): boolean {
  const { width, height, shapes, queue } = pair;
  const at = y * width + x;
  let [left, right] = [Math.max(0, x - MAX_GAP), Math.min(width - 1, x + MAX_GAP)];
  let [top, bottom] = [Math.max(0, y - MAX_GAP), Math.min(height - 1, y + MAX_GAP)];
  // Pixels that are also near a visited step were visited with it.
  if (x > 0 && shapes[at - 1] === MEMBER) left = x + MAX_GAP;
  else if (x < width - 1 && shapes[at + 1] === MEMBER) right = x - MAX_GAP;
  else if (y > 0 && shapes[at - width] === MEMBER) top = y + MAX_GAP;
  else if (y < height - 1 && shapes[at + width] === MEMBER) bottom = y - MAX_GAP;
  shapes[at] = MEMBER;
  for (let row = top; row <= bottom; row++) {
    for (let near = row * width + left; near <= row * width + right; near++) {
      if (shapes[near] === KEPT) return true;
      if (shapes[near] !== 0 || !isDifferent(pair, near)) continue;
      shapes[near] = VISITED;
      queue.push(near);
    }
  }
  return false;
}

/** The first and last columns and rows of a shape. */
interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function extendBounds(bounds: Bounds, x: number, y: number): void {
  if (x < bounds.left) bounds.left = x;
  if (x > bounds.right) bounds.right = x;
  if (y < bounds.top) bounds.top = y;
  if (y > bounds.bottom) bounds.bottom = y;
}

/** Labels the steps of the visited shape. No other shape has members. */
function labelShape({ shapes, width }: Pair, { left, top, right, bottom }: Bounds, label: number): void {
  for (let row = top; row <= bottom; row++) {
    for (let at = row * width + left; at <= row * width + right; at++) if (shapes[at] === MEMBER) shapes[at] = label;
  }
}

/** Checks whether steps rise in opposite directions, as those of a shape do. Steps of a straight edge rise in one direction. */
function isClosed(directions: number): boolean {
  return (directions & (LEFT | RIGHT)) === (LEFT | RIGHT) || (directions & (UP | DOWN)) === (UP | DOWN);
}

/**
 * Returns the directions in which a pixel's surroundings get brighter, if the pixel is a step of an anti-aliased edge;
 * otherwise 0. Such a step has darker and brighter neighbors, and at most two of the same luma. Neighbors outside the
 * image or in an ignored area count as the same, because their luma is unknown.
 */
function stepsAt(pair: Pair, view: View, at: number): number {
  const { width, height, ignoredAreas } = pair;
  const x = at % width;
  const y = (at - x) / width;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1 && !ignoredAreas) return stepsAtInterior(view.words, at, width);
  const center = lumaAt(view, at);
  let [same, darker, brighter, across, down] = [0, 0, 0, 0, 0];
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const near = at + dy * width + dx;
      const isKnown = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height && !ignoredAreas?.[near];
      const rise = isKnown ? lumaAt(view, near) - center : 0;
      if (rise < 0) darker++;
      else if (rise > 0) brighter++;
      else same++;
      if (dy === 0) across += dx * rise;
      if (dx === 0) down += dy * rise;
    }
  }
  // `same` includes the pixel itself.
  if (darker === 0 || brighter === 0 || same > 3) return 0;
  return stepOf(across, down);
}

/** A fast path of `stepsAt` for pixels whose neighbors are all known. Most pixels have the color of three neighbors. */
function stepsAtInterior(words: Uint32Array, at: number, width: number): number {
  const word = words[at] ?? 0;
  const center = lumaOf(word);
  let [same, darker, brighter] = [0, 0, 0];
  for (let row = at - width; row <= at + width; row += width) {
    for (let near = row - 1; near <= row + 1; near++) {
      const neighbor = words[near] ?? 0;
      const rise = neighbor === word ? 0 : lumaOf(neighbor) - center;
      if (rise < 0) darker++;
      else if (rise > 0) brighter++;
      else if (++same > 3) return 0;
    }
  }
  if (darker === 0 || brighter === 0) return 0;
  const across = lumaOf(words[at + 1] ?? 0) - lumaOf(words[at - 1] ?? 0);
  const down = lumaOf(words[at + width] ?? 0) - lumaOf(words[at - width] ?? 0);
  return stepOf(across, down);
}

function stepOf(across: number, down: number): number {
  return STEP | (across > 0 ? RIGHT : across < 0 ? LEFT : 0) | (down > 0 ? DOWN : down < 0 ? UP : 0);
}

/** The pixels of an opaque image as 32-bit words, one per pixel. */
export interface View {
  readonly words: Uint32Array;
}

/** Two opaque images of one size, and the cached results of their pixels. */
export interface Pair {
  readonly width: number;
  readonly height: number;
  readonly before: View;
  readonly after: View;
  /** 1 for each ignored pixel; null if none is ignored. */
  readonly ignoredAreas: Uint8Array | null;
  /** The cached result for each pixel: 0 if not visited. */
  readonly shapes: Uint8Array;
  /** The pixels of the current shape whose neighbors were not visited. Empty between two shapes. */
  readonly queue: PixelQueue;
}

/** A first-in, first-out queue of pixel offsets. */
interface PixelQueue {
  readonly length: number;
  push(at: number): void;
  /** Returns the oldest offset. The queue must not be empty. */
  shift(): number;
}

/** Creates a queue in a ring buffer, which grows to the largest number of offsets at once: 4 bytes each. */
function createQueue(): PixelQueue {
  let ring = new Uint32Array(1024);
  let [first, length] = [0, 0];
  return {
    get length() {
      return length;
    },
    push(at) {
      if (length === ring.length) {
        const larger = new Uint32Array(2 * length);
        larger.set(ring.subarray(first));
        larger.set(ring.subarray(0, first), length - first);
        [ring, first] = [larger, 0];
      }
      ring[(first + length) & (ring.length - 1)] = at;
      length++;
    },
    shift() {
      const at = ring[first] ?? 0;
      first = (first + 1) & (ring.length - 1);
      length--;
      return at;
    },
  };
}

/** Creates a pair. @param areas - the ignored areas, within the images */
export function createPair(before: Pixels, after: Pixels, areas: readonly Rectangle[]): Pair {
  const { width, height } = before;
  const ignoredAreas = areas.length === 0 ? null : new Uint8Array(width * height);
  for (const area of areas) for (const [from, to] of spansOf(area, width)) ignoredAreas?.fill(1, from, to);
  const shapes = borrowZeros(width * height);
  return { width, height, before: viewOf(before), after: viewOf(after), ignoredAreas, shapes, queue: createQueue() };
}

/** Checks whether a pixel differs and is not ignored. */
export function isDifferent({ before, after, ignoredAreas }: Pair, at: number): boolean {
  return before.words[at] !== after.words[at] && !ignoredAreas?.[at];
}

/** Returns the offset of a neighbor, or of the pixel itself if the neighbor is outside the image or ignored. */
export function neighborOf({ width, height, ignoredAreas }: Pair, at: number, dx: number, dy: number): number {
  const x = (at % width) + dx;
  const y = Math.floor(at / width) + dy;
  if (x < 0 || y < 0 || x >= width || y >= height) return at;
  const neighbor = y * width + x;
  return ignoredAreas?.[neighbor] ? at : neighbor;
}

/** Returns the Rec. 601 luma of a pixel as an integer, 0 to 255,000. */
export function lumaAt({ words }: View, at: number): number {
  return lumaOf(words[at] ?? 0);
}

/** Returns the Rec. 601 luma of a 32-bit pixel, 0 to 255,000. The lowest byte is red. */
export function lumaOf(word: number): number {
  return 299 * (word & 255) + 587 * ((word >> 8) & 255) + 114 * ((word >> 16) & 255);
}

function viewOf({ data }: Pixels): View {
  return { words: new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4) };
}

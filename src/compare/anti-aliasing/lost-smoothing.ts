import { borrowZeros } from '../../image/buffer-pool.js';
import type { Pixels, Rectangle } from '../../model/image.js';
import { spansOf } from '../regions/areas.js';

/** Checks whether a pixel belongs to a shape that is anti-aliased in one image only. Caches the result in the pair. */
export function hasLostAntiAliasing(pair: Pair, at: number): boolean {
  if (pair.shapes[at] === 0) visitShape(pair, at);
  return ((pair.shapes[at] ?? 0) & LOST) !== 0;
}

/** A byte of `Pair.shapes`: the pixel was visited, and belongs to no shape that lost its anti-aliasing. */
const VISITED = 1;
/** A byte of `Pair.shapes`: the pixel belongs to a shape that is anti-aliased in one image only. */
const LOST = 2;
/** An additional bit: all pixels near this one were visited, too. */
const NEIGHBORS_VISITED = 4;

/** The maximum distance between two steps of one shape, in pixels. */
const MAX_GAP = 3;

/** Bits for the directions in which the step of an edge gets brighter; 0 means no step. */
const STEP = 16;
const RIGHT = 1;
const LEFT = 2;
const DOWN = 4;
const UP = 8;

/** Visits all connected steps that differ. Each pixel is visited once, for any number of shapes. */
function visitShape(pair: Pair, start: number): void {
  const queue = [start];
  const shape: number[] = [];
  let [before, after] = [0, 0];
  pair.shapes[start] = VISITED;
  // The loop appends to the queue.
  for (const at of queue) {
    const oldStep = stepsAt(pair, pair.before, at);
    // Once both images have anti-aliased steps the verdict is certain: only the connection of pixels matters from then on.
    const newStep = oldStep !== 0 && before !== 0 && after !== 0 ? oldStep : stepsAt(pair, pair.after, at);
    if (oldStep === 0 && newStep === 0) continue;
    before |= oldStep;
    after |= newStep;
    shape.push(at);
    pushNear(pair, queue, at);
  }
  if ((before === 0) === (after === 0) || !isClosed(before | after)) return;
  for (const at of shape) pair.shapes[at] = LOST;
}

function pushNear(pair: Pair, queue: number[], at: number): void {
  const { width, height, shapes } = pair;
  const x = at % width;
  const y = (at - x) / width;
  let [left, right] = [Math.max(0, x - MAX_GAP), Math.min(width - 1, x + MAX_GAP)];
  let [top, bottom] = [Math.max(0, y - MAX_GAP), Math.min(height - 1, y + MAX_GAP)];
  const hasVisitedNeighbors = (pixel: number) => ((shapes[pixel] ?? 0) & NEIGHBORS_VISITED) !== 0;
  // Pixels that are also near such a neighbor were visited with it.
  if (x > 0 && hasVisitedNeighbors(at - 1)) left = x + MAX_GAP;
  else if (x < width - 1 && hasVisitedNeighbors(at + 1)) right = x - MAX_GAP;
  else if (y > 0 && hasVisitedNeighbors(at - width)) top = y + MAX_GAP;
  else if (y < height - 1 && hasVisitedNeighbors(at + width)) bottom = y - MAX_GAP;
  shapes[at] = VISITED | NEIGHBORS_VISITED;
  for (let row = top; row <= bottom; row++) {
    for (let near = row * width + left; near <= row * width + right; near++) {
      if (shapes[near] !== 0 || !isDifferent(pair, near)) continue;
      shapes[near] = VISITED;
      queue.push(near);
    }
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
  /** The cached result for each pixel: VISITED, LOST, NEIGHBORS_VISITED; 0 if not visited. */
  readonly shapes: Uint8Array;
}

/** Creates a pair. @param areas - the ignored areas, within the images */
export function createPair(before: Pixels, after: Pixels, areas: readonly Rectangle[]): Pair {
  const { width, height } = before;
  const ignoredAreas = areas.length === 0 ? null : new Uint8Array(width * height);
  for (const area of areas) for (const [from, to] of spansOf(area, width)) ignoredAreas?.fill(1, from, to);
  const shapes = borrowZeros(width * height);
  return { width, height, before: viewOf(before), after: viewOf(after), ignoredAreas, shapes };
}

/** Checks whether a pixel differs and is not ignored. */
export function isDifferent({ before, after, ignoredAreas }: Pair, at: number): boolean {
  return before.words[at] !== after.words[at] && !ignoredAreas?.[at];
}

/** Returns the offset of a neighbor, or of the pixel itself if the neighbor is outside the image or ignored. */
export function besideOf({ width, height, ignoredAreas }: Pair, at: number, dx: number, dy: number): number {
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

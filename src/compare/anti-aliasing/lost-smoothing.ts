import { borrowZeros } from '../../image/buffer-pool.js';
import type { Pixels, Rectangle } from '../../model/image.js';
import { spansOf } from '../regions/areas.js';

/** Checks whether a pixel belongs to a shape that is smooth in one of the images only. What is found out is kept in the pair. */
export function hasLostAntiAliasing(pair: Pair, at: number): boolean {
  if (pair.shapes[at] === 0) traceShape(pair, at);
  return ((pair.shapes[at] ?? 0) & LOST) !== 0;
}

/** A byte of the pair's shapes: was looked at, and belongs to no shape that lost its smoothing. */
const KEPT = 1;
/** Another: belongs to a shape that is smooth in one image only. */
const LOST = 2;
/** A bit beside these: all that is near it was looked at, too. */
const SPREAD = 4;

/** How far apart two steps of one shape may lie. */
const GAP = 3;

/** Which ways the steps of edges rise: any of these bits; 0 where there is no step. */
const STEP = 16;
const RIGHT = 1;
const LEFT = 2;
const DOWN = 4;
const UP = 8;

/** Walks all steps that differ and hang together. Each pixel is looked at once, however many shapes there are. */
function traceShape(pair: Pair, start: number): void {
  const queue = [start];
  const shape: number[] = [];
  let [before, after] = [0, 0];
  pair.shapes[start] = KEPT;
  // It grows while it is walked.
  for (const at of queue) {
    const old = stepsAt(pair, pair.before, at);
    // Smooth in both images: from there on, all that counts is what hangs together.
    const now = old !== 0 && before !== 0 && after !== 0 ? old : stepsAt(pair, pair.after, at);
    if (old === 0 && now === 0) continue;
    before |= old;
    after |= now;
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
  let [left, right] = [Math.max(0, x - GAP), Math.min(width - 1, x + GAP)];
  let [top, bottom] = [Math.max(0, y - GAP), Math.min(height - 1, y + GAP)];
  const isSpread = (beside: number) => ((shapes[beside] ?? 0) & SPREAD) !== 0;
  // What is near a neighbour as well was looked at with it.
  if (x > 0 && isSpread(at - 1)) left = x + GAP;
  else if (x < width - 1 && isSpread(at + 1)) right = x - GAP;
  else if (y > 0 && isSpread(at - width)) top = y + GAP;
  else if (y < height - 1 && isSpread(at + width)) bottom = y - GAP;
  shapes[at] = KEPT | SPREAD;
  for (let row = top; row <= bottom; row++) {
    for (let near = row * width + left; near <= row * width + right; near++) {
      if (shapes[near] !== 0 || !isDifferent(pair, near)) continue;
      shapes[near] = KEPT;
      queue.push(near);
    }
  }
}

/** A shape has sides that face one another; the steps of a straight edge all rise one way. */
function isClosed(ways: number): boolean {
  return (ways & (LEFT | RIGHT)) === (LEFT | RIGHT) || (ways & (UP | DOWN)) === (UP | DOWN);
}

/**
 * Which ways it rises here, if this is a step of a smooth edge: neighbours are darker and brighter, and at most two the same.
 * What is beyond the image or in a hole counts as the same: nothing is known of it.
 */
function stepsAt(pair: Pair, view: View, at: number): number {
  const { width, height, ignoredAreas } = pair;
  const x = at % width;
  const y = (at - x) / width;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1 && !ignoredAreas) return stepsInside(view.words, at, width);
  const own = lumaAt(view, at);
  let [same, darker, brighter, across, down] = [0, 0, 0, 0, 0];
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const near = at + dy * width + dx;
      const isKnown = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height && !ignoredAreas?.[near];
      const rise = isKnown ? lumaAt(view, near) - own : 0;
      if (rise < 0) darker++;
      else if (rise > 0) brighter++;
      else same++;
      if (dy === 0) across += dx * rise;
      if (dx === 0) down += dy * rise;
    }
  }
  // The pixel itself is among the same.
  if (darker === 0 || brighter === 0 || same > 3) return 0;
  return stepOf(across, down);
}

/** The same where all neighbours are known, which is nearly everywhere: most pixels have the very color of three of them. */
function stepsInside(words: Uint32Array, at: number, width: number): number {
  const word = words[at] ?? 0;
  const own = lumaOf(word);
  let [same, darker, brighter] = [0, 0, 0];
  for (let row = at - width; row <= at + width; row += width) {
    for (let near = row - 1; near <= row + 1; near++) {
      const beside = words[near] ?? 0;
      const rise = beside === word ? 0 : lumaOf(beside) - own;
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

/** One image as one number a pixel, opaque ones. */
export interface View {
  readonly words: Uint32Array;
}

/** Two opaque images of one size, to be looked at around single pixels, and what was found out about their pixels so far. */
export interface Pair {
  readonly width: number;
  readonly height: number;
  readonly before: View;
  readonly after: View;
  /** 1 where nothing may be looked at; null: nowhere. */
  readonly ignoredAreas: Uint8Array | null;
  /** What is known of the shape that a pixel belongs to; 0: nothing yet. */
  readonly shapes: Uint8Array;
}

/** Makes a pair. @param areas - the ignoredAreas, within the images */
export function createPair(before: Pixels, after: Pixels, areas: readonly Rectangle[]): Pair {
  const { width, height } = before;
  const ignoredAreas = areas.length === 0 ? null : new Uint8Array(width * height);
  for (const area of areas) for (const [from, to] of spansOf(area, width)) ignoredAreas?.fill(1, from, to);
  const shapes = borrowZeros(width * height);
  return { width, height, before: viewOf(before), after: viewOf(after), ignoredAreas, shapes };
}

/** Checks whether a pixel differs and may be looked at. */
export function isDifferent({ before, after, ignoredAreas }: Pair, at: number): boolean {
  return before.words[at] !== after.words[at] && !ignoredAreas?.[at];
}

/** Returns the offset of a neighbour; beyond the image or in a hole, the pixel itself: nothing is known there. */
export function besideOf({ width, height, ignoredAreas }: Pair, at: number, dx: number, dy: number): number {
  const x = (at % width) + dx;
  const y = Math.floor(at / width) + dy;
  if (x < 0 || y < 0 || x >= width || y >= height) return at;
  const beside = y * width + x;
  return ignoredAreas?.[beside] ? at : beside;
}

/** Returns the brightness of a pixel, 0 to 255,000: Rec. 601 luma, as a whole number. */
export function lumaAt({ words }: View, at: number): number {
  return lumaOf(words[at] ?? 0);
}

/** Returns the brightness of a pixel as one number, the lowest byte red. */
export function lumaOf(word: number): number {
  return 299 * (word & 255) + 587 * ((word >> 8) & 255) + 114 * ((word >> 16) & 255);
}

function viewOf({ data }: Pixels): View {
  return { words: new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4) };
}

import { borrowZeros, returnBytes, wordsOf } from '../../image/index.js';
import type { Mask, Pixels, Rectangle } from '../../model/index.js';
import { spansOf } from '../areas.js';
import { ANTI_ALIASED, CHANGED, markedRows, type PixelDiff } from './pixel-diff.js';

/**
 * Checks the pixels that an engine marked as anti-aliased. Each pixel is checked by itself and independent of the threshold, so that a
 * looser threshold never finds more changes. Three kinds of change are not anti-aliasing, although the colors of their pixels lie
 * between those of their neighbors:
 *
 * - a line: 8 pixels in a row or column that all changed from one color to another, such as a hairline next to a border
 * - an edge that moved by 3/4 of a pixel or more: the changes across the edge add up to at least 3/4 of its contrast
 * - a shape with anti-aliased edges in one image only; a single straight edge may lose its anti-aliasing
 *
 * @param pixelDiff - of two opaque images; its mask is modified and returned
 * @param ignoredAreas - within the images; their pixels are not read
 */
export function verifyAntiAliasing(
  pixelDiff: PixelDiff & { readonly mask: Mask },
  before: Pixels,
  after: Pixels,
  ignoredAreas: readonly Rectangle[],
): PixelDiff {
  const { mask, mismatchPixels, antialiasedPixels } = pixelDiff;
  const pair = createPair(before, after, ignoredAreas);
  let changed = 0;
  for (const y of markedRows(mask)) {
    for (let at = y * pair.width; at < (y + 1) * pair.width; at++) {
      if (mask.data[at] !== ANTI_ALIASED) continue;
      if (!isLine(pair, at) && !hasMoved(pair, at) && !isLostAntiAliasing(pair, at)) continue;
      mask.data[at] = CHANGED;
      changed++;
    }
  }
  returnBytes(pair.shapes);
  return { mismatchPixels: mismatchPixels + changed, antialiasedPixels: antialiasedPixels - changed, mask };
}

const MIN_LINE = 8;
const MIN_MOVE = 0.75;

function isLine(pair: Pair, at: number): boolean {
  const { width, height } = pair;
  const [x, y] = [at % width, Math.floor(at / width)];
  return (
    1 + runOf(pair, at, -1, x) + runOf(pair, at, 1, width - 1 - x) >= MIN_LINE ||
    1 + runOf(pair, at, -width, y) + runOf(pair, at, width, height - 1 - y) >= MIN_LINE
  );
}

function runOf({ before, after, ignored }: Pair, at: number, step: number, maxLength: number): number {
  const [oldWord, newWord] = [before[at], after[at]];
  let run = 0;
  for (let next = at + step; run < maxLength && run < MIN_LINE; run++, next += step) {
    if (ignored?.[next] || before[next] !== oldWord || after[next] !== newWord) break;
  }
  return run;
}

/** Checks whether an edge moved, along the axis of greater contrast, which is perpendicular to the edge. */
function hasMoved(pair: Pair, at: number): boolean {
  const { width, height } = pair;
  const [x, y] = [at % width, Math.floor(at / width)];
  const across = x === 0 || x === width - 1 ? NO_EDGE : changeAlong(pair, at, 1);
  const down = y === 0 || y === height - 1 ? NO_EDGE : changeAlong(pair, at, width);
  const { contrast, net } = across.contrast > down.contrast ? across : down;
  return contrast > 0 && Math.abs(net) >= MIN_MOVE * contrast;
}

const NO_EDGE = { contrast: 0, net: 0 };

function changeAlong({ before, after, ignored }: Pair, at: number, step: number): typeof NO_EDGE {
  if (ignored?.[at - step] || ignored?.[at + step]) return NO_EDGE;
  const [a, b, c] = [lumaOf(before[at - step]), lumaOf(before[at]), lumaOf(before[at + step])];
  const [d, e, f] = [lumaOf(after[at - step]), lumaOf(after[at]), lumaOf(after[at + step])];
  return { contrast: Math.max(a, b, c, d, e, f) - Math.min(a, b, c, d, e, f), net: d - a + (e - b) + (f - c) };
}

/** Two opaque images of one size, and the cached results of their pixels. */
interface Pair {
  readonly width: number;
  readonly height: number;
  /** One word per pixel. */
  readonly before: Uint32Array;
  readonly after: Uint32Array;
  /** 1 for each ignored pixel; null if none is ignored. */
  readonly ignored: Uint8Array | null;
  /** The state of each pixel: 0 if not visited. */
  readonly shapes: Uint8Array;
}

/** @param areas - the ignored areas, within the images */
export function createPair(before: Pixels, after: Pixels, areas: readonly Rectangle[]): Pair {
  const { width, height } = before;
  const ignored = areas.length === 0 ? null : new Uint8Array(width * height);
  for (const area of areas) for (const [from, to] of spansOf(area, width)) ignored?.fill(1, from, to);
  const shapes = borrowZeros(width * height);
  return { width, height, before: wordsOf(before), after: wordsOf(after), ignored, shapes };
}

/**
 * Checks whether a pixel belongs to a shape that is anti-aliased in one image only. A shape is a set of steps of anti-aliased edges that
 * differ, each at most MAX_GAP pixels from the next.
 */
export function isLostAntiAliasing(pair: Pair, at: number): boolean {
  if (pair.shapes[at] === 0) visitShape(pair, at);
  return pair.shapes[at] === LOST;
}

// States of a pixel, in `Pair.shapes`. 0: it was not visited.
/** The pixel belongs to no shape that lost its anti-aliasing, or it waits to be visited. */
const VISITED = 1;
/** The pixel is a step of the shape that is being visited, and all pixels near it were visited, too. */
const MEMBER = 2;
/** The pixel is a step of a shape that is anti-aliased in both images. Other steps of that shape may not have been visited. */
const KEPT = 3;
/** The pixel is a step of a shape that is anti-aliased in one image only. */
const LOST = 4;

const MAX_GAP = 3;

/** Bits for the directions in which the step of an edge gets brighter; 0 means no step. */
const STEP = 16;
const RIGHT = 1;
const LEFT = 2;
const DOWN = 4;
const UP = 8;

/** Visits the shape of a pixel until both images prove to be anti-aliased: a replaced photo is one shape of millions of pixels. */
function visitShape(pair: Pair, start: number): void {
  const { shapes } = pair;
  const members: number[] = [];
  let [before, after, isKept] = [0, 0, false];
  shapes[start] = VISITED;
  let edge = [start];
  let index = 0;
  let next: number[] = [];
  while (index < edge.length && !isKept) {
    const at = edge[index++] ?? 0;
    const [oldStep, newStep] = [stepsAt(pair, pair.before, at), stepsAt(pair, pair.after, at)];
    if (oldStep !== 0 || newStep !== 0) {
      before |= oldStep;
      after |= newStep;
      members.push(at);
      isKept = visitNear(pair, at, next) || (before !== 0 && after !== 0);
    }
    if (index === edge.length) [edge, index, next] = [next, 0, []];
  }
  // These may be steps of the shape, so a later visit must not skip them.
  for (const at of [...edge.slice(index), ...next]) shapes[at] = 0;
  const isLost = !isKept && (before === 0) !== (after === 0) && isClosed(before | after);
  for (const at of members) shapes[at] = isKept ? KEPT : isLost ? LOST : VISITED;
}

/** Marks a step, and adds the pixels near it to `next`. Returns whether one of them is known to be kept. */
function visitNear({ width, height, shapes, before, after, ignored }: Pair, at: number, next: number[]): boolean {
  const [x, y] = [at % width, Math.floor(at / width)];
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
      if (shapes[near] !== 0 || before[near] === after[near] || ignored?.[near]) continue;
      shapes[near] = VISITED;
      next.push(near);
    }
  }
  return false;
}

/** Steps of a shape rise in opposite directions, those of a straight edge in one. */
function isClosed(directions: number): boolean {
  return (directions & (LEFT | RIGHT)) === (LEFT | RIGHT) || (directions & (UP | DOWN)) === (UP | DOWN);
}

/**
 * Returns the directions in which a pixel's surroundings get brighter, if it is a step of an anti-aliased edge: it has darker and brighter
 * neighbors, and at most two of its luma. Neighbors outside the image or in an ignored area count as these. Otherwise returns 0.
 */
function stepsAt({ width, height, ignored }: Pair, words: Uint32Array, at: number): number {
  const x = at % width;
  const y = (at - x) / width;
  const areAllKnown = x > 0 && y > 0 && x < width - 1 && y < height - 1 && !ignored;
  const word = words[at] ?? 0;
  const center = lumaOf(word);
  // `same` includes the pixel itself.
  let [same, darker, brighter, across, down] = [0, 0, 0, 0, 0];
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const near = at + dy * width + dx;
      const neighbor = words[near] ?? 0;
      const isInside = areAllKnown || (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height);
      const rise = neighbor !== word && isInside && !ignored?.[near] ? lumaOf(neighbor) - center : 0;
      if (rise < 0) darker++;
      else if (rise > 0) brighter++;
      // Most pixels have the color of three neighbors.
      else if (++same > 3) return 0;
      if (dy === 0) across += dx * rise;
      if (dx === 0) down += dy * rise;
    }
  }
  if (darker === 0 || brighter === 0) return 0;
  return STEP | (across > 0 ? RIGHT : across < 0 ? LEFT : 0) | (down > 0 ? DOWN : down < 0 ? UP : 0);
}

/** Returns the Rec. 601 luma of a 32-bit pixel, 0 to 255,000. The lowest byte is red. */
function lumaOf(word = 0): number {
  return 299 * (word & 255) + 587 * ((word >> 8) & 255) + 114 * ((word >> 16) & 255);
}

import { isDifferent, lumaAt, type Pair, type View } from './smoothing-pair.js';

/** Tells whether a pixel belongs to a shape that is smooth in one of the images only. What is found out is kept in the pair. */
export function hasLostSmoothing(pair: Pair, at: number): boolean {
  if (pair.shapes[at] === 0) traceShape(pair, at);
  return pair.shapes[at] === LOST;
}

/** A byte of the pair's shapes: was looked at, and belongs to no shape that lost its smoothing. */
const KEPT = 1;
/** Another: belongs to a shape that is smooth in one image only. */
const LOST = 2;

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
    const [old, now] = [stepsAt(pair, pair.before, at), stepsAt(pair, pair.after, at)];
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
  const [right, bottom] = [Math.min(width - 1, x + GAP), Math.min(height - 1, y + GAP)];
  for (let row = Math.max(0, y - GAP); row <= bottom; row++) {
    for (let near = row * width + Math.max(0, x - GAP); near <= row * width + right; near++) {
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
function stepsAt({ width, height, holes }: Pair, view: View, at: number): number {
  const x = at % width;
  const y = (at - x) / width;
  const own = lumaAt(view, at);
  let [same, darker, brighter, across, down] = [0, 0, 0, 0, 0];
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const near = at + dy * width + dx;
      const isKnown = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height && !holes?.[near];
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
  return STEP | (across > 0 ? RIGHT : across < 0 ? LEFT : 0) | (down > 0 ? DOWN : down < 0 ? UP : 0);
}

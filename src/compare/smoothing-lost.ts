import { besideOf, isDifferent, KEPT, LOST, lumaAt, type Pair, type View } from './smoothing-pair.js';

/** Tells whether a pixel belongs to a shape that is smooth in one of the images only. What is found out is kept in the pair. */
export function hasLostSmoothing(pair: Pair, at: number): boolean {
  if (pair.shapes[at] === 0) traceShape(pair, at);
  return pair.shapes[at] === LOST;
}

/** How far apart two pixels of one shape may lie. */
const GAP = 3;

/** Which ways the steps of edges rise: any of these bits; 0 where there is no step. */
const STEP = 16;
const RIGHT = 1;
const LEFT = 2;
const DOWN = 4;
const UP = 8;

function traceShape(pair: Pair, start: number): void {
  const shape = [start];
  let [before, after] = [0, 0];
  pair.shapes[start] = KEPT;
  // It grows while it is walked.
  for (const at of shape) {
    before |= stepsAt(pair, pair.before, at);
    after |= stepsAt(pair, pair.after, at);
    for (let dy = -GAP; dy <= GAP; dy++) for (let dx = -GAP; dx <= GAP; dx++) join(pair, shape, at, dx, dy);
  }
  if ((before === 0) === (after === 0) || !isClosed(before | after)) return;
  for (const at of shape) pair.shapes[at] = LOST;
}

function join(pair: Pair, shape: number[], at: number, dx: number, dy: number): void {
  const beside = besideOf(pair, at, dx, dy);
  if (pair.shapes[beside] !== 0 || !isDifferent(pair, beside)) return;
  if (stepsAt(pair, pair.before, beside) === 0 && stepsAt(pair, pair.after, beside) === 0) return;
  pair.shapes[beside] = KEPT;
  shape.push(beside);
}

/** A shape has sides that face one another; the steps of a straight edge all rise one way. */
function isClosed(ways: number): boolean {
  return (ways & (LEFT | RIGHT)) === (LEFT | RIGHT) || (ways & (UP | DOWN)) === (UP | DOWN);
}

/** Which ways it rises here, if this is a step of a smooth edge: neighbours are darker and brighter, and few the same. */
function stepsAt(pair: Pair, view: View, at: number): number {
  const luma = (dx: number, dy: number) => lumaAt(view, besideOf(pair, at, dx, dy));
  const own = luma(0, 0);
  let [same, darker, brighter] = [0, 0, 0];
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const other = luma(dx, dy);
      if (other < own) darker++;
      else if (other > own) brighter++;
      else same++;
    }
  }
  if (darker === 0 || brighter === 0 || same > 1 + MOST_SAME) return 0;
  const [across, down] = [luma(1, 0) - luma(-1, 0), luma(0, 1) - luma(0, -1)];
  return STEP | (across > 0 ? RIGHT : across < 0 ? LEFT : 0) | (down > 0 ? DOWN : down < 0 ? UP : 0);
}

/** Besides the pixel itself; as pixelmatch has it. */
const MOST_SAME = 2;

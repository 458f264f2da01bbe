import type { Mask } from '../model/comparison.js';
import type { Pixels, Rectangle } from '../model/image.js';
import { CHANGED, type Finding, SMOOTHED } from './finding.js';
import { hasLostSmoothing } from './smoothing-lost.js';
import { besideOf, createPair, lumaAt, type Pair } from './smoothing-pair.js';

/**
 * Judges anew what an engine explains by anti-aliasing: each pixel of it for itself, whatever the threshold, so that a
 * looser one never finds more. Three things are no smoothing, though each of their pixels lies between its neighbours:
 *
 * - a line: 8 pixels in a row or column that all turned from one colour to another, as a hairline beside a border does
 * - an edge that moved by 3/4 of a pixel or more: across it, what changed adds up to as much
 * - a shape that has smooth edges in one image only; a single straight edge may lose its smoothing
 *
 * @param finding - on two opaque images; its mask is left as it is
 * @param holes - within the images; what is in them decides nothing
 */
export function judgeSmoothing(
  finding: Finding & { readonly mask: Mask },
  before: Pixels,
  after: Pixels,
  holes: readonly Rectangle[],
): Finding {
  const data = finding.mask.data.slice();
  const pair = createPair(before, after, holes);
  let changed = 0;
  for (let at = data.indexOf(SMOOTHED); at >= 0; at = data.indexOf(SMOOTHED, at + 1)) {
    if (!isLine(pair, at) && !hasMoved(pair, at) && !hasLostSmoothing(pair, at)) continue;
    data[at] = CHANGED;
    changed++;
  }
  return {
    mismatchPixels: finding.mismatchPixels + changed,
    antialiasedPixels: finding.antialiasedPixels - changed,
    mask: { ...finding.mask, data },
  };
}

const LINE = 8;
const MOVE = 0.75;

function isLine(pair: Pair, at: number): boolean {
  const { width, height } = pair;
  const [x, y] = [at % width, Math.floor(at / width)];
  return (
    1 + runOf(pair, at, -1, x) + runOf(pair, at, 1, width - 1 - x) >= LINE ||
    1 + runOf(pair, at, -width, y) + runOf(pair, at, width, height - 1 - y) >= LINE
  );
}

/** How many pixels this way are like this one, before and after. */
function runOf({ before, after, holes }: Pair, at: number, step: number, most: number): number {
  const [old, now] = [before.words[at], after.words[at]];
  let run = 0;
  for (let next = at + step; run < most && run < LINE; run++, next += step) {
    if (holes?.[next] || before.words[next] !== old || after.words[next] !== now) break;
  }
  return run;
}

/** Looks along the axis across which the edge runs: that of the greater contrast. */
function hasMoved(pair: Pair, at: number): boolean {
  const [across, down] = [measureMove(pair, at, 1, 0), measureMove(pair, at, 0, 1)];
  const { net, contrast } = across.contrast > down.contrast ? across : down;
  return contrast > 0 && Math.abs(net) >= MOVE * contrast;
}

/** Measures three pixels in line; nothing where one of them is beyond the image or in a hole: what it did is not known. */
function measureMove(pair: Pair, at: number, dx: number, dy: number) {
  let [net, least, most] = [0, Number.POSITIVE_INFINITY, 0];
  for (const step of [-1, 0, 1]) {
    const beside = besideOf(pair, at, step * dx, step * dy);
    if (beside === at && step !== 0) return { net: 0, contrast: 0 };
    const [old, now] = [lumaAt(pair.before, beside), lumaAt(pair.after, beside)];
    net += now - old;
    least = Math.min(least, old, now);
    most = Math.max(most, old, now);
  }
  return { net, contrast: most - least };
}

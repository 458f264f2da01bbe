import { returnBytes } from '../../image/buffer-pool.js';
import type { Mask } from '../../model/comparison.js';
import type { Pixels, Rectangle } from '../../model/image.js';
import { ANTI_ALIASED, CHANGED, markedRows, type PixelDiff } from '../engines/pixel-diff.js';
import { besideOf, createPair, hasLostAntiAliasing, lumaAt, type Pair } from './lost-smoothing.js';

/**
 * Judges anew what an engine explains by anti-aliasing: each pixel of it for itself, whatever the threshold, so that a
 * looser one never finds more. Three things are no smoothing, though each of their pixels lies between its neighbours:
 *
 * - a line: 8 pixels in a row or column that all turned from one color to another, as a hairline beside a border does
 * - an edge that moved by 3/4 of a pixel or more: across it, what changed adds up to as much
 * - a shape that has smooth edges in one image only; a single straight edge may lose its smoothing
 *
 * @param pixelDiff - on two opaque images; its mask is changed, and is that of the result
 * @param ignoredAreas - within the images; what is in them decides nothing
 */
export function judgeAntiAliasing(
  pixelDiff: PixelDiff & { readonly mask: Mask },
  before: Pixels,
  after: Pixels,
  ignoredAreas: readonly Rectangle[],
): PixelDiff {
  const { data } = pixelDiff.mask;
  const pair = createPair(before, after, ignoredAreas);
  let changed = 0;
  for (const y of markedRows(pixelDiff.mask)) {
    for (let at = y * pair.width; at < (y + 1) * pair.width; at++) {
      if (data[at] !== ANTI_ALIASED) continue;
      if (!isLine(pair, at) && !hasMoved(pair, at) && !hasLostAntiAliasing(pair, at)) continue;
      data[at] = CHANGED;
      changed++;
    }
  }
  returnBytes(pair.shapes);
  return {
    mismatchPixels: pixelDiff.mismatchPixels + changed,
    antialiasedPixels: pixelDiff.antialiasedPixels - changed,
    mask: pixelDiff.mask,
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
function runOf({ before, after, ignoredAreas }: Pair, at: number, step: number, most: number): number {
  const [old, now] = [before.words[at], after.words[at]];
  let run = 0;
  for (let next = at + step; run < most && run < LINE; run++, next += step) {
    if (ignoredAreas?.[next] || before.words[next] !== old || after.words[next] !== now) break;
  }
  return run;
}

/** Looks along the axis across which the edge runs: that of the greater contrast. */
function hasMoved(pair: Pair, at: number): boolean {
  const [across, down] = [contrastOf(pair, at, 1, 0), contrastOf(pair, at, 0, 1)];
  const contrast = Math.max(across, down);
  const step = across > down ? 1 : pair.width;
  return contrast > 0 && Math.abs(netOf(pair, at, step)) >= MOVE * contrast;
}

/** Measures three pixels in line; 0 where one of them is beyond the image or in a hole: what it did is not known. */
function contrastOf(pair: Pair, at: number, dx: number, dy: number): number {
  const [first, last] = [besideOf(pair, at, -dx, -dy), besideOf(pair, at, dx, dy)];
  if (first === at || last === at) return 0;
  const { before, after } = pair;
  const [a, b, c] = [lumaAt(before, first), lumaAt(before, at), lumaAt(before, last)];
  const [d, e, f] = [lumaAt(after, first), lumaAt(after, at), lumaAt(after, last)];
  return Math.max(a, b, c, d, e, f) - Math.min(a, b, c, d, e, f);
}

/** How much brighter three pixels in line became. */
function netOf({ before, after }: Pair, at: number, step: number): number {
  const rise = (beside: number) => lumaAt(after, beside) - lumaAt(before, beside);
  return rise(at - step) + rise(at) + rise(at + step);
}

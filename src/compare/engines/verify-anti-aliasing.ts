import { returnBytes } from '../../image/index.js';
import type { Mask, Pixels, Rectangle } from '../../model/index.js';
import { createPair, isLostAntiAliasing, lumaOf, type Pair } from './lost-anti-aliasing.js';
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

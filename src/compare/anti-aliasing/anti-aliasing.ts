import { returnBytes } from '../../image/index.js';
import type { Mask, Pixels, Rectangle } from '../../model/index.js';
import { ANTI_ALIASED, CHANGED, markedRows, type PixelDiff } from '../engines/pixel-diff.js';
import { createPair, isLostAntiAliasing, lumaAt, neighborOf, type Pair } from './lost-anti-aliasing.js';

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
  const { data } = pixelDiff.mask;
  const pair = createPair(before, after, ignoredAreas);
  let changed = 0;
  for (const y of markedRows(pixelDiff.mask)) {
    for (let at = y * pair.width; at < (y + 1) * pair.width; at++) {
      if (data[at] !== ANTI_ALIASED) continue;
      if (!isLine(pair, at) && !hasMoved(pair, at) && !isLostAntiAliasing(pair, at)) continue;
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

/** The minimum length of a line, in pixels. */
const MIN_LINE = 8;
/** The minimum distance of a moved edge, in pixels. */
const MIN_MOVE = 0.75;

function isLine(pair: Pair, at: number): boolean {
  const { width, height } = pair;
  const [x, y] = [at % width, Math.floor(at / width)];
  return (
    1 + runOf(pair, at, -1, x) + runOf(pair, at, 1, width - 1 - x) >= MIN_LINE ||
    1 + runOf(pair, at, -width, y) + runOf(pair, at, width, height - 1 - y) >= MIN_LINE
  );
}

/** Counts the pixels in one direction that have the same colors as this one, before and after. */
function runOf({ before, after, ignoredAreas }: Pair, at: number, step: number, maxLength: number): number {
  const [oldWord, newWord] = [before.words[at], after.words[at]];
  let run = 0;
  for (let next = at + step; run < maxLength && run < MIN_LINE; run++, next += step) {
    if (ignoredAreas?.[next] || before.words[next] !== oldWord || after.words[next] !== newWord) break;
  }
  return run;
}

/** Checks whether an edge moved, along the axis of greater contrast, which is perpendicular to the edge. */
function hasMoved(pair: Pair, at: number): boolean {
  const [across, down] = [contrastOf(pair, at, 1, 0), contrastOf(pair, at, 0, 1)];
  const contrast = Math.max(across, down);
  const step = across > down ? 1 : pair.width;
  return contrast > 0 && Math.abs(netChangeOf(pair, at, step)) >= MIN_MOVE * contrast;
}

/** Returns the contrast of three pixels in line; 0 if one of them lies outside the image or in an ignored area. */
function contrastOf(pair: Pair, at: number, dx: number, dy: number): number {
  const [first, last] = [neighborOf(pair, at, -dx, -dy), neighborOf(pair, at, dx, dy)];
  if (first === at || last === at) return 0;
  const { before, after } = pair;
  const [a, b, c] = [lumaAt(before, first), lumaAt(before, at), lumaAt(before, last)];
  const [d, e, f] = [lumaAt(after, first), lumaAt(after, at), lumaAt(after, last)];
  return Math.max(a, b, c, d, e, f) - Math.min(a, b, c, d, e, f);
}

/** Returns the sum of the luma changes of three pixels in line. */
function netChangeOf({ before, after }: Pair, at: number, step: number): number {
  const rise = (pixel: number) => lumaAt(after, pixel) - lumaAt(before, pixel);
  return rise(at - step) + rise(at) + rise(at + step);
}

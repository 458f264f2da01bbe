import { kernels, SLACK, scratch } from '../../image/kernels.js';
import type { Pixels } from '../../model/image.js';
import { createMask, type Finding, NOTHING, type PixelRule, REACH } from '../finding.js';
import type { Side } from '../side.js';
import { findStrips, type Strip } from '../strips.js';

/**
 * Compares by the arithmetic of pixelmatch, in this process; an Engine. Its counts are those of one call of pixelmatch for the
 * whole images: only the strips in which anything differs are looked at, each with as many rows more as tell anti-aliasing,
 * if that is set apart.
 */
export async function compareByPixelmatch(before: Side, after: Side, rule: PixelRule): Promise<Finding> {
  // That of after may be decoded aside: it is asked for first.
  const [right, left] = await Promise.all([after.pixels(), before.pixels()]);
  const strips = [...findStrips(left, right)];
  if (strips.length === 0) return NOTHING;
  const mask = createMask(left);
  let [changed, smoothed] = [0, 0];
  for (const strip of strips) {
    const found = markStrip(left, right, strip, rule, mask.data);
    changed += found.changed;
    smoothed += found.smoothed;
  }
  return changed + smoothed === 0 ? NOTHING : { mismatchPixels: changed, antialiasedPixels: smoothed, mask };
}

/** Gives the version of pixelmatch whose arithmetic this is, such as 7.2.0. */
export function pixelmatchVersion(): string {
  return '7.2.0';
}

/** The greatest distance of two colours: https://github.com/mapbox/pixelmatch/blob/v7.2.0/index.js. */
const MOST_DISTANCE = 35215;

function markStrip(left: Pixels, right: Pixels, { from, to }: Strip, rule: PixelRule, marks: Uint8Array) {
  const { threshold, antialiasing } = rule;
  const { width } = left;
  const [first, last] = [Math.max(0, from - REACH), Math.min(left.height, to + REACH)];
  const rows = ({ data }: Pixels) => data.subarray(first * width * 4, last * width * 4);
  const length = (last - first) * width * 4;
  const memory = scratch(2 * length + (to - from) * width + SLACK);
  memory.set(rows(left), 0);
  memory.set(rows(right), length);
  const most = MOST_DISTANCE * threshold * threshold;
  const { markDifferent, countSmoothed } = kernels();
  const [height, top, bottom] = [last - first, from - first, to - first];
  const changed = markDifferent(0, length, 2 * length, width, height, top, bottom, most, antialiasing === 'ignore');
  marks.set(memory.subarray(2 * length, 2 * length + (to - from) * width), from * width);
  return { changed, smoothed: countSmoothed() };
}

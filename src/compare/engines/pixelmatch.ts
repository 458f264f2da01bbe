import { createRequire } from 'node:module';
import pixelmatch from 'pixelmatch';
import type { Pixels } from '../../model/image.js';
import { CHANGED, createMask, type Finding, NOTHING, SMOOTHED } from '../finding.js';
import type { Side } from '../side.js';
import { findStrips, type Strip } from '../strips.js';

/**
 * Compares by pixelmatch, in this process; an Engine. Its counts are those of one call for the whole image: it is called for
 * the strips in which anything differs, each with as many rows more as it looks at to tell anti-aliasing.
 */
export async function compareByPixelmatch(before: Side, after: Side, threshold: number): Promise<Finding> {
  const [left, right] = await Promise.all([before.pixels(), after.pixels()]);
  const strips = [...findStrips(left, right)];
  if (strips.length === 0) return NOTHING;
  const mask = createMask(left);
  let [changed, smoothed] = [0, 0];
  for (const strip of strips) {
    const found = markStrip(left, right, strip, threshold, mask.data);
    changed += found.changed;
    smoothed += found.smoothed;
  }
  return changed + smoothed === 0 ? NOTHING : { mismatchPixels: changed, antialiasedPixels: smoothed, mask };
}

/** Gives the version that is installed, such as 7.2.0. */
export function pixelmatchVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)('pixelmatch/package.json');
  return version;
}

/** How far away a pixel can be that anti-aliasing is told by: a neighbour's neighbour. */
const REACH = 2;

function markStrip(left: Pixels, right: Pixels, { from, to }: Strip, threshold: number, marks: Uint8Array) {
  const { width } = left;
  const [first, last] = [Math.max(0, from - REACH), Math.min(left.height, to + REACH)];
  const rows = ({ data }: Pixels) => data.subarray(first * width * 4, last * width * 4);
  const painted = new Uint8Array((last - first) * width * 4);
  // All that is alike comes out white, what changed red, what anti-aliasing explains green.
  pixelmatch(rows(left), rows(right), painted, width, last - first, {
    threshold,
    alpha: 0,
    diffColor: [255, 0, 0],
    aaColor: [0, 255, 0],
  });
  let [changed, smoothed] = [0, 0];
  for (let at = from * width, i = (from - first) * width * 4; at < to * width; at++, i += 4) {
    if (painted[i + 1] === 0) {
      marks[at] = CHANGED;
      changed++;
    } else if (painted[i] === 0) {
      marks[at] = SMOOTHED;
      smoothed++;
    }
  }
  return { changed, smoothed };
}

import { kernels, SLACK, scratch } from '../../image/kernels.js';
import type { Pixels } from '../../model/image.js';
import type { Side } from '../side.js';
import { createMask, NOTHING, type PixelDiff, type PixelRule, REACH } from './pixel-diff.js';

/**
 * Compares two images with the arithmetic of pixelmatch, in this process; an Engine. The counts equal those of one
 * pixelmatch call for the whole images. Only strips with differing bytes are compared. Each strip is extended by
 * {@link REACH} rows, which anti-aliasing detection needs.
 */
export async function compareByPixelmatch(before: Side, after: Side, rule: PixelRule): Promise<PixelDiff> {
  // The after image may be decoded in a worker thread, so its decoding starts first.
  const [right, left] = await Promise.all([after.pixels(), before.pixels()]);
  const strips = [...findStrips(left, right)];
  if (strips.length === 0) return NOTHING;
  const mask = createMask(left);
  let [changed, antialiased] = [0, 0];
  for (const strip of strips) {
    const found = markStrip(left, right, strip, rule, mask.data);
    changed += found.changed;
    antialiased += found.antialiased;
  }
  return changed + antialiased === 0 ? NOTHING : { mismatchPixels: changed, antialiasedPixels: antialiased, mask };
}

/** Returns the version of pixelmatch whose arithmetic is used, such as 7.2.0. */
export function pixelmatchVersion(): string {
  return '7.2.0';
}

/** The maximum distance between two colors, squared YIQ units: https://github.com/mapbox/pixelmatch/blob/v7.2.0/index.js. */
const MAX_DISTANCE = 35215;

function markStrip(left: Pixels, right: Pixels, { from, to }: Strip, rule: PixelRule, marks: Uint8Array) {
  const { threshold, antialiasing } = rule;
  const { width } = left;
  const [first, last] = [Math.max(0, from - REACH), Math.min(left.height, to + REACH)];
  const rows = ({ data }: Pixels) => data.subarray(first * width * 4, last * width * 4);
  const length = (last - first) * width * 4;
  const memory = scratch(2 * length + (to - from) * width + SLACK);
  memory.set(rows(left), 0);
  memory.set(rows(right), length);
  const maxDistance = MAX_DISTANCE * threshold * threshold;
  const { markDifferent, countSmoothed } = kernels();
  const [height, top, bottom] = [last - first, from - first, to - first];
  const changed = markDifferent(
    0,
    length,
    2 * length,
    width,
    height,
    top,
    bottom,
    maxDistance,
    antialiasing === 'ignore',
  );
  marks.set(memory.subarray(2 * length, 2 * length + (to - from) * width), from * width);
  return { changed, antialiased: countSmoothed() };
}

/** Rows `[from, to)`. */
export interface Strip {
  readonly from: number;
  readonly to: number;
}

/**
 * Yields the rows in which two images of one size differ by any byte, from the top, as strips of adjacent rows. A strip has
 * at most {@link MAX_STRIP_ROWS} rows, so that its buffers stay small for images of any height.
 */
export function* findStrips(before: Pixels, after: Pixels): Generator<Strip> {
  const { width, height } = before;
  const stride = width * 4;
  const [left, right] = [viewOf(before), viewOf(after)];
  const differs = (y: number) => left.compare(right, y * stride, (y + 1) * stride, y * stride, (y + 1) * stride) !== 0;
  let from = -1;
  for (let y = 0; y <= height; y++) {
    const isIn = y < height && differs(y);
    if (from >= 0 && (!isIn || y - from === MAX_STRIP_ROWS)) {
      yield { from, to: y };
      from = -1;
    }
    if (isIn && from < 0) from = y;
  }
}

const MAX_STRIP_ROWS = 256;

function viewOf({ data }: Pixels): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

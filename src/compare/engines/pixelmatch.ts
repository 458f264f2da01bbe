import { createRequire } from 'node:module';
import { borrowBytes, returnBytes } from '../../image/index.js';
import { DEFAULTS, type Pixels } from '../../model/index.js';
import type { Side } from '../side.js';
import {
  ANTI_ALIASED,
  CHANGED,
  countMask,
  createMask,
  NO_DIFFERENCE,
  type PixelDiff,
  type PixelRule,
  REACH,
} from './pixel-diff.js';

type Pixelmatch = typeof import('pixelmatch').default;

/**
 * Compares two images with pixelmatch, in this process; an Engine. Only strips with differing bytes are compared. Each strip is extended by
 * {@link REACH} rows, which anti-aliasing detection needs.
 *
 * Up to the default threshold, a pixel also differs if one channel differs by more than a rounding error: YIQ weighs the channels, so no
 * threshold of it separates 3 steps of blue from a rounding error in all channels. pixelmatch then marks all differences.
 */
export async function compareByPixelmatch(before: Side, after: Side, rule: PixelRule): Promise<PixelDiff> {
  const [left, right] = await Promise.all([before.pixels(), after.pixels()]);
  const strips = [...findStrips(left, right)];
  if (strips.length === 0) return NO_DIFFERENCE;
  // A dynamic import also works in the CommonJS build: pixelmatch is an ES module.
  const { default: pixelmatch } = await import('pixelmatch');
  const isStrict = rule.threshold <= DEFAULTS.threshold;
  const mask = createMask(left);
  for (const strip of strips) {
    markStrip(pixelmatch, left, right, strip, isStrict ? { ...rule, threshold: 0 } : rule, mask.data);
    if (isStrict) eraseRounding(pixelmatch, left, right, strip, rule.threshold, mask.data);
  }
  return countMask(mask);
}

/** Returns the installed version, such as 7.2.0. */
export function pixelmatchVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)('pixelmatch/package.json');
  return version;
}

/**
 * Marks the pixels of a strip that differ. pixelmatch draws each mark as the red of a pixel, and equal pixels
 * in white.
 */
function markStrip(
  pixelmatch: Pixelmatch,
  left: Pixels,
  right: Pixels,
  { from, to }: Strip,
  { threshold, antialiasing }: PixelRule,
  marks: Uint8Array,
): void {
  const { width } = left;
  const [first, last] = [Math.max(0, from - REACH), Math.min(left.height, to + REACH)];
  const rows = ({ data }: Pixels) => data.subarray(first * width * 4, last * width * 4);
  const drawn = borrowBytes((last - first) * width * 4);
  pixelmatch(rows(left), rows(right), drawn, width, last - first, {
    threshold,
    includeAA: antialiasing === 'count',
    alpha: 0,
    diffColor: [CHANGED, 0, 0],
    aaColor: [ANTI_ALIASED, 0, 0],
  });
  for (let i = from * width, at = (from - first) * width * 4; i < to * width; i++, at += 4) {
    const red = drawn[at] ?? WHITE;
    if (red !== WHITE) marks[i] = red;
  }
  returnBytes(drawn);
}

const WHITE = 255;

/** Rows `[from, to)`. */
interface Strip {
  readonly from: number;
  readonly to: number;
}

/**
 * Yields the rows in which two images of one size differ by any byte, from the top, as strips of adjacent rows. A strip has
 * at most {@link MAX_STRIP_ROWS} rows, so that its buffers stay small for images of any height.
 */
function* findStrips(before: Pixels, after: Pixels): Generator<Strip> {
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

/** The largest rounding error, in steps of 255. At the default threshold, YIQ ignores it in all channels. */
const MAX_ROUNDING = 1;

/** Removes the marks of pixels that differ by rounding errors, and by at most the threshold. */
function eraseRounding(
  pixelmatch: Pixelmatch,
  left: Pixels,
  right: Pixels,
  { from, to }: Strip,
  threshold: number,
  marks: Uint8Array,
): void {
  const { width } = left;
  for (let i = from * width; i < to * width; i++) {
    if (!marks[i] || !isRounding(left.data, right.data, i * 4)) continue;
    const pixelOf = ({ data }: Pixels) => data.subarray(i * 4, i * 4 + 4);
    const isAbove =
      threshold < DEFAULTS.threshold && pixelmatch(pixelOf(left), pixelOf(right), undefined, 1, 1, { threshold }) > 0;
    if (!isAbove) marks[i] = 0;
  }
}

function isRounding(one: Uint8Array, other: Uint8Array, at: number): boolean {
  return (
    Math.abs((one[at] ?? 0) - (other[at] ?? 0)) <= MAX_ROUNDING &&
    Math.abs((one[at + 1] ?? 0) - (other[at + 1] ?? 0)) <= MAX_ROUNDING &&
    Math.abs((one[at + 2] ?? 0) - (other[at + 2] ?? 0)) <= MAX_ROUNDING
  );
}

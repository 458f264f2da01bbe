import { borrowBytes, returnBytes, toBuffer } from '../../image/index.js';
import { DEFAULTS, type Pixels } from '../../model/index.js';
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

/**
 * Compares two images with pixelmatch, in this process; an Engine. Only rows with differing bytes are compared, with the
 * {@link REACH} rows above and below them that anti-aliasing detection needs.
 *
 * Up to the default threshold, a pixel also differs if one channel differs by more than a rounding error: YIQ weighs the channels, so no
 * threshold of it separates 3 steps of blue from a rounding error in all channels. pixelmatch then marks all differences.
 */
export async function compareByPixelmatch(before: Pixels, after: Pixels, rule: PixelRule): Promise<PixelDiff> {
  const strips = [...findChangedRows(before, after)];
  if (strips.length === 0) return NO_DIFFERENCE;
  // A dynamic import also works in the CommonJS build: pixelmatch is an ES module.
  const { default: pixelmatch } = await import('pixelmatch');
  const mask = createMask(before);
  for (const rows of strips) markRows(pixelmatch, before, after, rows, rule, mask.data);
  return countMask(mask);
}

/** Marks the pixels that differ. pixelmatch draws each mark as the red of a pixel, and equal pixels in white. */
function markRows(
  pixelmatch: typeof import('pixelmatch').default,
  before: Pixels,
  after: Pixels,
  [from, to]: ChangedRows,
  { threshold, antialiasing }: PixelRule,
  marks: Uint8Array,
): void {
  const isStrict = threshold <= DEFAULTS.threshold;
  const { width, height } = before;
  const [first, last] = [Math.max(0, from - REACH), Math.min(height, to + REACH)];
  const rowsOf = ({ data }: Pixels) => data.subarray(first * width * 4, last * width * 4);
  const drawn = borrowBytes((last - first) * width * 4);
  pixelmatch(rowsOf(before), rowsOf(after), drawn, width, last - first, {
    threshold: isStrict ? 0 : threshold,
    includeAA: antialiasing === 'count',
    alpha: 0,
    diffColor: [CHANGED, 0, 0],
    aaColor: [ANTI_ALIASED, 0, 0],
  });
  for (let i = from * width, at = (from - first) * width * 4; i < to * width; i++, at += 4) {
    const red = drawn[at] ?? WHITE;
    if (red !== WHITE && !(isStrict && isRounding(i))) marks[i] = red;
  }
  returnBytes(drawn);

  /** Checks whether a pixel differs by rounding errors, and by at most the threshold. */
  function isRounding(pixel: number): boolean {
    const [start, end] = [pixel * 4, pixel * 4 + 4];
    for (let at = start; at < end - 1; at++)
      if (Math.abs((before.data[at] ?? 0) - (after.data[at] ?? 0)) > MAX_ROUNDING) return false;
    if (threshold === DEFAULTS.threshold) return true;
    const [one, other] = [before.data.subarray(start, end), after.data.subarray(start, end)];
    return pixelmatch(one, other, undefined, 1, 1, { threshold }) === 0;
  }
}

const WHITE = 255;

/** The largest rounding error, in steps of 255. At the default threshold, YIQ ignores it in all channels. */
const MAX_ROUNDING = 1;

/** Rows `[from, to)` that differ. */
type ChangedRows = readonly [from: number, to: number];

/** A strip of rows has at most this many, so that its buffers stay small for images of any height. */
const MAX_ROWS = 256;

function* findChangedRows(before: Pixels, after: Pixels): Generator<ChangedRows> {
  const { width, height } = before;
  const stride = width * 4;
  const [one, other] = [toBuffer(before.data), toBuffer(after.data)];
  const differs = (y: number) => one.compare(other, y * stride, (y + 1) * stride, y * stride, (y + 1) * stride) !== 0;
  let from = -1;
  for (let y = 0; y <= height; y++) {
    const isIn = y < height && differs(y);
    if (from >= 0 && (!isIn || y - from === MAX_ROWS)) {
      yield [from, y];
      from = -1;
    }
    if (isIn && from < 0) from = y;
  }
}

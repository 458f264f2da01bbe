import { borrowZeros } from '../../image/buffer-pool.js';
import type { Mask } from '../../model/comparison.js';
import type { Size } from '../../model/image.js';
import type { ResolvedCompareSettings } from '../../model/shot.js';
import type { Side } from '../side.js';

/** What an engine found in two images of one size. */
export interface PixelDiff {
  /** Pixels that differ and are not explained by anti-aliasing. */
  readonly mismatchPixels: number;
  /** Pixels that differ by anti-aliasing only; 0 where these count as different. */
  readonly antialiasedPixels: number;
  /** Where; null when nothing differs. */
  readonly mask: Mask | null;
}

/** The rule by which single pixels are compared. */
export type PixelRule = Pick<ResolvedCompareSettings, 'threshold' | 'antialiasing'>;

/**
 * Compares two opaque images of one size. Two pixels differ when their distance in YIQ is above `threshold` (0..1) times
 * the greatest there is: Kotsarenko and Ramos, "Measuring perceived color difference using YIQ NTSC transmission color
 * space in mobile applications", 2010. Under `antialiasing: count` every such pixel is a mismatch.
 */
export type Engine = (before: Side, after: Side, rule: PixelRule) => Promise<PixelDiff>;

/** What is found where nothing differs. */
export const NOTHING: PixelDiff = { mismatchPixels: 0, antialiasedPixels: 0, mask: null };

/** A byte of a {@link Mask}: this pixel changed. */
export const CHANGED = 1;

/** A byte of a {@link Mask}: this pixel differs, but only by anti-aliasing. */
export const ANTI_ALIASED = 2;

/** How far away a pixel can be that anti-aliasing is told by: a neighbour's neighbour. */
export const REACH = 2;

/** Makes a mask in which nothing differs. */
export function createMask({ width, height }: Size): Mask {
  return { width, height, data: borrowZeros(width * height) };
}

/** Joins two findings on the same two images: what changed in either has changed. */
export function joinPixelDiffs(a: PixelDiff, b: PixelDiff): PixelDiff {
  if (!a.mask || !b.mask) return a.mask ? a : b;
  const joined = createMask(a.mask);
  for (let i = 0; i < joined.data.length; i++) {
    const [one, other] = [a.mask.data[i] ?? 0, b.mask.data[i] ?? 0];
    joined.data[i] = one === CHANGED || other === CHANGED ? CHANGED : one | other;
  }
  return countMask(joined);
}

/** Returns the pixel diff that a mask shows. */
export function countMask(mask: Mask): PixelDiff {
  let mismatchPixels = 0;
  let antialiasedPixels = 0;
  const { data, width } = mask;
  for (const y of markedRows(mask)) {
    for (let i = y * width; i < (y + 1) * width; i++) {
      if (data[i] === CHANGED) mismatchPixels++;
      else if (data[i] === ANTI_ALIASED) antialiasedPixels++;
    }
  }
  return mismatchPixels + antialiasedPixels === 0 ? NOTHING : { mismatchPixels, antialiasedPixels, mask };
}

/** Walks the rows of a mask in which any pixel is marked, from the top: most rows of most masks are empty. */
export function* markedRows({ width, height, data }: Mask, from = 0, to = height): Generator<number> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const empty = Buffer.alloc(width);
  for (let y = from; y < Math.min(to, height); y++) {
    if (bytes.compare(empty, 0, width, y * width, (y + 1) * width) !== 0) yield y;
  }
}

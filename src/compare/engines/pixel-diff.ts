import { borrowZeros, toBuffer } from '../../image/index.js';
import type { Mask, Pixels, ResolvedCompareSettings, Size } from '../../model/index.js';

/** The result of comparing two images of one size. */
export interface PixelDiff {
  /** Pixels that differ and are not explained by anti-aliasing. */
  readonly mismatchPixels: number;
  /** Pixels that differ by anti-aliasing only; 0 under `antialiasing: count`, and for an engine that does not count them. */
  readonly antialiasedPixels: number;
  /** The pixels that differ; null if none do. */
  readonly mask: Mask | null;
}

/** The settings for comparing single pixels. */
export type PixelRule = Pick<ResolvedCompareSettings, 'threshold' | 'antialiasing'>;

/**
 * Compares two opaque images of one size. Two pixels differ if their distance in YIQ is above `threshold` (0..1) times the maximum
 * distance. Formula: Kotsarenko and Ramos, "Measuring perceived color difference using YIQ NTSC transmission color space in mobile
 * applications", 2010.
 */
export type Engine = (before: Pixels, after: Pixels, rule: PixelRule) => Promise<PixelDiff>;

export const NO_DIFFERENCE: PixelDiff = { mismatchPixels: 0, antialiasedPixels: 0, mask: null };

/** A byte of a {@link Mask}: the pixel changed. */
export const CHANGED = 1;

/** A byte of a {@link Mask}: the pixel differs by anti-aliasing only. */
export const ANTI_ALIASED = 2;

/** The radius of anti-aliasing detection in pixels: it reads the neighbors of neighbors. */
export const REACH = 2;

/** Creates a mask in which no pixel differs. */
export function createMask({ width, height }: Size): Mask {
  return { width, height, data: borrowZeros(width * height) };
}

/** Joins two pixel diffs of the same two images. A pixel that changed in either has changed. */
export function joinPixelDiffs(a: PixelDiff, b: PixelDiff): PixelDiff {
  if (!a.mask || !b.mask) return a.mask ? a : b;
  const joined = createMask(a.mask);
  for (let i = 0; i < joined.data.length; i++) {
    const [one, other] = [a.mask.data[i] ?? 0, b.mask.data[i] ?? 0];
    joined.data[i] = one === CHANGED || other === CHANGED ? CHANGED : one | other;
  }
  return countMask(joined);
}

/** Returns the pixel diff of a mask, with its counts. */
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
  return mismatchPixels + antialiasedPixels === 0 ? NO_DIFFERENCE : { mismatchPixels, antialiasedPixels, mask };
}

/** Yields the rows of a mask that contain a mark, from the top. Fast for empty rows: most rows of most masks are. */
export function* markedRows({ width, height, data }: Mask, from = 0, to = height): Generator<number> {
  const bytes = toBuffer(data);
  const empty = Buffer.alloc(width);
  for (let y = from; y < Math.min(to, height); y++) {
    if (bytes.compare(empty, 0, width, y * width, (y + 1) * width) !== 0) yield y;
  }
}

/** Copies the mask of a part of an image to its position in a mask. */
export function pasteMask(into: Mask, part: Mask, x: number, y: number): void {
  for (let row = 0; row < part.height; row++) {
    const from = row * part.width;
    into.data.set(part.data.subarray(from, from + part.width), (y + row) * into.width + x);
  }
}

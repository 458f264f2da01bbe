import type { Rectangle, Size } from './image.js';
import type { CompareSettings } from './shot.js';

/** The counts of a comparison. All counts are exact integers. */
export interface Counts {
  /** Pixels that differ for other reasons than anti-aliasing, plus all pixels that only one image covers. */
  readonly mismatchPixels: number;
  /** Pixels that differ only by anti-aliasing. They are not in `mismatchPixels`. 0 when such pixels count as different. */
  readonly antialiasedPixels: number;
  /** Area of the union canvas. */
  readonly totalPixels: number;
  readonly sameDimensions: boolean;
}

/** A rectangle of changed pixels, and how many of its pixels changed. */
export interface Region extends Rectangle {
  readonly pixels: number;
  /** Set for a removed region, whose coordinates are in the before image. Otherwise they are in the after image. */
  readonly side?: 'before';
}

/** The differing pixels of the overlap, 1 byte per pixel, rows from the top: 0 equal, 1 changed, 2 anti-aliasing only. */
export interface Mask extends Size {
  readonly data: Uint8Array;
}

/** Rows of the before image that moved vertically, including the changed pixels in them. */
export interface Shift {
  /** First row in the before image. */
  readonly y: number;
  readonly height: number;
  /** Distance in pixels, positive for down and negative for up. Never 0. */
  readonly by: number;
}

/** An area of the before image that moved horizontally, including the changed pixels in it. */
export interface ColumnShift extends Rectangle {
  /** Distance in pixels, positive for right and negative for left. Never 0. */
  readonly by: number;
}

/** Describes the differences between two images. */
export interface Explanation {
  /**
   * The changed regions, those with the most pixels first. Their counts add up to `mismatchPixelsAfterAlignment`. Changed and
   * inserted regions use coordinates of the after image, removed regions those of the before image.
   */
  readonly regions: readonly Region[];
  /** Rows that moved, from the top. If it is empty, each pixel was compared with the pixel at the same position. */
  readonly shifts: readonly Shift[];
  /** Areas of the before image that moved sideways, from the top. */
  readonly columnShifts: readonly ColumnShift[];
  /** Pixels that differ after moved content is aligned, plus inserted and removed pixels. Equals `mismatchPixels` if nothing moved. */
  readonly mismatchPixelsAfterAlignment: number;
  /** The diff image, PNG, on the union canvas. */
  readonly diff: Buffer;
  readonly diffSize: Size;
  /** Hash of the changes. Equal changes have equal hashes. */
  readonly fingerprint: string;
  /** For two PDFs, a description of their page counts: `3 pages -> 4 pages`. */
  readonly pages?: string;
}

interface Verdict<Kind extends string> {
  readonly kind: Kind;
  readonly counts: Counts;
  readonly limitPixels: number;
}

/**
 * The result of comparing two images. `equal`: the files are identical, nothing was decoded. `tolerated`: above the limit or of
 * different sizes, but `maxSizeDiff` or `allowShift` permits it.
 */
export type Comparison =
  | Verdict<'equal'>
  | Verdict<'within-limit'>
  | (Verdict<'tolerated'> & Explanation)
  | (Verdict<'different'> & Explanation);

/** Checks whether a comparison has an {@link Explanation}. */
export function isExplained(comparison: Comparison): comparison is Extract<Comparison, Explanation> {
  return comparison.kind === 'tolerated' || comparison.kind === 'different';
}

/** Returns 100 * mismatchPixels / totalPixels without rounding. It is 0 only when no pixel differs. */
export function mismatchPercentage({ mismatchPixels, totalPixels }: Counts): number {
  return totalPixels === 0 ? 0 : (100 * mismatchPixels) / totalPixels;
}

/**
 * Returns how many pixels may differ: the smallest of the limits that are set, or 0 when none is set.
 *
 * `maxDiffPixelRatio` allows the largest count for which count / totalPixels does not exceed it. This avoids rounding errors:
 * 0.29 of 100 pixels is 29, although 0.29 * 100 is 28.999999999999996.
 */
export function limitOf(
  settings: Pick<CompareSettings, 'maxDiffPixels' | 'maxDiffPixelRatio'>,
  totalPixels: number,
): number {
  const { maxDiffPixels, maxDiffPixelRatio } = settings;
  const limits = [
    ...(maxDiffPixels === null ? [] : [maxDiffPixels]),
    ...(maxDiffPixelRatio === null ? [] : [countWithin(maxDiffPixelRatio, totalPixels)]),
  ];
  return limits.length === 0 ? 0 : Math.min(...limits);
}

function countWithin(ratio: number, totalPixels: number): number {
  const near = Math.floor(ratio * totalPixels);
  // The product may have a rounding error in either direction.
  const isWithin = (count: number) => count / totalPixels <= ratio;
  if (isWithin(near + 1)) return near + 1;
  return isWithin(near) ? near : near - 1;
}

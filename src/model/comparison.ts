import type { Rectangle, Size } from './image.js';
import type { CompareSettings } from './shot.js';

/** What a comparison counted; all are exact integers but the percentage, which is their exact quotient. */
export interface Counts {
  /** Pixels that differ and are not explained by anti-aliasing, plus all that one image covers alone. */
  readonly mismatchPixels: number;
  /** Pixels that differ by anti-aliasing only. Not among `mismatchPixels`; 0 where these count as different. */
  readonly antialiasedPixels: number;
  /** Area of the union canvas. */
  readonly totalPixels: number;
  readonly sameDimensions: boolean;
}

/** A rectangle of changed pixels, and how many of its pixels changed. */
export interface Region extends Rectangle {
  readonly pixels: number;
  /** Set where it was removed: then its place is in before, else in after. */
  readonly side?: 'before';
}

/** Which pixels of the overlap differ: 1 byte a pixel, rows from the top; 0 equal, 1 changed, 2 anti-aliasing only. */
export interface Mask extends Size {
  readonly data: Uint8Array;
}

/** Rows of before that stand elsewhere in after, what changed among them included. */
export interface Shift {
  /** Where they begin in before. */
  readonly y: number;
  readonly height: number;
  /** How far down they moved; negative: up. Never 0. */
  readonly by: number;
}

/** Columns of a part of before that stand elsewhere in after, what changed among them included. */
export interface ColumnShift extends Rectangle {
  /** How far to the right they moved; negative: to the left. Never 0. */
  readonly by: number;
}

/** What happened between two images that differ. */
export interface Explanation {
  /**
   * Where it happened, the most pixels first; their counts add up to `mismatchPixelsAfterAlignment`. What changed or was
   * inserted has its place in after, what was removed its place in before.
   */
  readonly regions: readonly Region[];
  /** What moved as a whole, from the top; empty: nothing did, and each pixel was held against the one at its place. */
  readonly shifts: readonly Shift[];
  /** What moved sideways, in before, from the top. */
  readonly columnShifts: readonly ColumnShift[];
  /** Pixels that differ once what moved is laid on itself: in it, inserted and removed. Where nothing moved, `mismatchPixels`. */
  readonly mismatchPixelsAfterAlignment: number;
  /** The diff image, PNG, on the union canvas. */
  readonly diff: Buffer;
  readonly diffSize: Size;
  /** What changed, as a hash: equal where the changes are the same. */
  readonly fingerprint: string;
  /** Of two PDFs, what became of their pages, in words: `3 pages -> 4 pages`. */
  readonly pages?: string;
}

interface Verdict<Kind extends string> {
  readonly kind: Kind;
  readonly counts: Counts;
  readonly limitPixels: number;
}

/**
 * Two images compared. `equal`: not one byte differs, nothing was decoded. `tolerated`: above the limit or of other sizes,
 * but `maxSizeDiff` or `allowShift` says that this may be.
 */
export type Comparison =
  | Verdict<'equal'>
  | Verdict<'within-limit'>
  | (Verdict<'tolerated'> & Explanation)
  | (Verdict<'different'> & Explanation);

/** Checks whether a comparison says what happened. */
export function isExplained(comparison: Comparison): comparison is Extract<Comparison, Explanation> {
  return comparison.kind === 'tolerated' || comparison.kind === 'different';
}

/** Returns 100 * mismatchPixels / totalPixels, unrounded: it is 0 only when no pixel differs. */
export function mismatchPercentage({ mismatchPixels, totalPixels }: Counts): number {
  return totalPixels === 0 ? 0 : (100 * mismatchPixels) / totalPixels;
}

/**
 * Returns how many pixels may differ: the smaller of the limits that are set, 0 when none is.
 *
 * `maxDiffPixelRatio` allows the largest count whose share, count / totalPixels, is not above it, so that the verdict is
 * the one a reader would give on the exact figures: 0.29 of 100 pixels is 29, though 0.29 * 100 is 28.999999999999996.
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
  // The product may be off by its last bit, to either side.
  const isWithin = (count: number) => count / totalPixels <= ratio;
  if (isWithin(near + 1)) return near + 1;
  return isWithin(near) ? near : near - 1;
}

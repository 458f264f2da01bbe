import type { Rectangle, Size } from './image.js';

/** What a comparison counted; all are exact integers but the percentage, which is their exact quotient. */
export interface Counts {
  /** Pixels that differ and are not explained by anti-aliasing, plus all that one image covers alone. */
  readonly mismatchPixels: number;
  /** Pixels that differ by anti-aliasing only. Not among `mismatchPixels`. */
  readonly antialiasedPixels: number;
  /** Area of the union canvas. */
  readonly totalPixels: number;
  readonly sameDimensions: boolean;
}

/** A rectangle of changed pixels, and how many of its pixels changed. */
export interface Region extends Rectangle {
  readonly pixels: number;
}

/** Which pixels of the overlap differ: 1 byte a pixel, rows from the top; 0 equal, 1 changed, 2 anti-aliasing only. */
export interface Mask extends Size {
  readonly data: Uint8Array;
}

/** Two images compared. `equal`: not one byte differs, nothing was decoded. */
export type Comparison =
  | { readonly kind: 'equal'; readonly counts: Counts; readonly limitPixels: number }
  | { readonly kind: 'within-limit'; readonly counts: Counts; readonly limitPixels: number }
  | {
      readonly kind: 'different';
      readonly counts: Counts;
      readonly limitPixels: number;
      readonly regions: readonly Region[];
      /** The diff image, PNG, on the union canvas. */
      readonly diff: Buffer;
      readonly diffSize: Size;
      /** Of two PDFs, what became of their pages, in words: `3 pages -> 4 pages`. */
      readonly pages?: string;
    };

/** Gives 100 * mismatchPixels / totalPixels, unrounded: it is 0 only when no pixel differs. */
export function mismatchPercentage({ mismatchPixels, totalPixels }: Counts): number {
  return totalPixels === 0 ? 0 : (100 * mismatchPixels) / totalPixels;
}

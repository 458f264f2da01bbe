import { z } from 'zod';
import { ruleSourceSchema } from './capture.js';
import { rectangleSchema as imageRectangle } from './environment.js';
import type { Size } from './image.js';
import type { AntialiasingRule, CompareSettings } from './shot.js';

const count = z.int().min(0);
const rectangle = { x: count, y: count, width: count, height: count };
const rectangleSchema = z.strictObject(rectangle);

export const comparisonSummarySchema = z.strictObject({
  mismatchPixels: count,
  mismatchPercentage: z.number().min(0).max(100).describe('100 * mismatchPixels / totalPixels, not rounded'),
  totalPixels: count.describe('area of the union canvas'),
  sameDimensions: z.boolean(),
  antialiasedPixels: count.describe('pixels that differ only by anti-aliasing, and do not count as mismatched'),
  mismatchPixelsAfterAlignment: count.nullable().describe('null: no alignment was computed'),
});

export type ComparisonSummary = z.infer<typeof comparisonSummarySchema>;

/** The counts of a comparison before its alignment. Pixels that only one image covers are mismatched. */
export type Counts = Readonly<Omit<ComparisonSummary, 'mismatchPercentage' | 'mismatchPixelsAfterAlignment'>>;

/** Schema of a rectangle of changed pixels, and how many of its pixels changed. */
export const regionSchema = z.strictObject({
  ...{ ...rectangle, pixels: count },
  side: z.literal('before').exactOptional().describe('removed content, with coordinates of the before image'),
});

export const regionPlaceSchema = z.strictObject({
  before: rectangleSchema.nullable().describe('null: the before image does not have this content'),
  after: rectangleSchema.nullable().describe('null: the after image does not have this content'),
  diff: rectangleSchema.describe('for content that the diff image has no space for: the rectangle of its marker bar'),
});

/** Schema of rows of the before image that moved vertically, including the changed pixels in them. */
export const shiftSchema = z.strictObject({
  y: count.describe('first row in the before image'),
  height: count,
  by: z.int().describe('distance in pixels: positive is down, negative is up; never 0'),
});

/** Schema of an area of the before image that moved sideways, including the changed pixels in it. */
export const columnShiftSchema = z.strictObject({
  ...rectangle,
  by: z.int().describe('distance in pixels: positive is right, negative is left; never 0'),
});

export const changeEventSchema = z.strictObject({
  kind: z.enum(['inserted', 'removed', 'moved']),
  axis: z.enum(['rows', 'columns']).describe('rows move down or up, columns move right or left'),
  by: z.int().describe('distance in pixels: positive is down or right, negative is up or left; never 0'),
  before: rectangleSchema.nullable().describe('rectangle of removed or moved content; null for inserted content'),
  after: rectangleSchema.nullable().describe('rectangle of inserted or moved content; null for removed content'),
  regions: z.array(count).describe('indexes of the regions that belong to the event'),
});

export type Region = Readonly<z.infer<typeof regionSchema>>;
export type RegionPlace = Readonly<z.infer<typeof regionPlaceSchema>>;
export type Shift = Readonly<z.infer<typeof shiftSchema>>;
export type ColumnShift = Readonly<z.infer<typeof columnShiftSchema>>;
export type ChangeEvent = Readonly<z.infer<typeof changeEventSchema>>;

/** The differing pixels of the overlap, 1 byte per pixel, rows from the top: 0 equal, 1 changed, 2 anti-aliasing only. */
export interface Mask extends Size {
  readonly data: Uint8Array;
}

export interface ChangeDescription {
  /** Those with the most pixels first. Their counts add up to `mismatchPixelsAfterAlignment`. */
  readonly regions: readonly Region[];
  /** Where each of the regions lies in before, after and the diff image, in the order of `regions`. */
  readonly regionPlaces: readonly RegionPlace[];
  /** Insertions, removals and moves: those of rows from the top, then those of columns from the top. */
  readonly contentMoves: readonly ChangeEvent[];
  /** Rows that moved, from the top. If it is empty, each pixel was compared with the pixel at the same position. */
  readonly shifts: readonly Shift[];
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
  | (Verdict<'tolerated'> & ChangeDescription)
  | (Verdict<'different'> & ChangeDescription);

export function hasChangeDescription(comparison: Comparison): comparison is Extract<Comparison, ChangeDescription> {
  return comparison.kind === 'tolerated' || comparison.kind === 'different';
}

/** Returns 100 * mismatchPixels / totalPixels without rounding. It is 0 only when no pixel differs. */
export function mismatchPercentage({ mismatchPixels, totalPixels }: Counts): number {
  return totalPixels === 0 ? 0 : (100 * mismatchPixels) / totalPixels;
}

/**
 * Returns how many pixels may differ: the smallest of the limits that are set, or 0 when none is set. `maxDiffPixelRatio` allows the
 * largest count for which count / totalPixels does not exceed it: 29 is 0.29 of 100, although 0.29 * 100 is less.
 */
export function limitOf(
  { maxDiffPixels, maxDiffPixelRatio }: Pick<CompareSettings, 'maxDiffPixels' | 'maxDiffPixelRatio'>,
  totalPixels: number,
): number {
  const ofRatio = maxDiffPixelRatio === null ? null : countWithin(maxDiffPixelRatio, totalPixels);
  return Math.min(maxDiffPixels ?? ofRatio ?? 0, ofRatio ?? maxDiffPixels ?? 0);
}

function countWithin(ratio: number, totalPixels: number): number {
  const near = Math.floor(ratio * totalPixels);
  // The product may have a rounding error in either direction.
  const isWithin = (count: number) => count / totalPixels <= ratio;
  if (isWithin(near + 1)) return near + 1;
  return isWithin(near) ? near : near - 1;
}

/** Resolves `auto`. @param isOneEnvironment - true if both images are known to come from the same environment */
export function resolveAntialiasing(rule: AntialiasingRule, isOneEnvironment: boolean) {
  if (rule !== 'auto') return rule;
  return isOneEnvironment ? 'count' : 'ignore';
}

/** The kinds of causes. Only a shot that is unstable has `changing`. docs/causes.md documents each. */
export const CAUSE_KINDS = [
  'restyled',
  'reworded',
  'wrong-text',
  'hidden-text',
  'image',
  'broken',
  'drawing',
  'inserted',
  'removed',
  'moved',
  'misplaced',
  'changing',
  'opaque',
  'unexplained',
] as const;

export const causeSchema = z.strictObject({
  kind: z.enum(CAUSE_KINDS),
  element: z.string().nullable().describe('short selector of the first element; null: the whole page, or unexplained'),
  property: z.string().nullable().describe('restyled: the CSS property; otherwise null'),
  before: z.string().nullable().describe('value, text, or URL of the image before; wrong-text: the pattern'),
  after: z
    .string()
    .nullable()
    .describe('value, text, or URL of the image; broken: with the error; misplaced: where; opaque: what it is'),
  source: ruleSourceSchema.nullable().describe('restyled: the declaration that wins now; null: none, or unknown'),
  certain: z.boolean().describe('false: other causes of the same pixels are possible'),
  elements: z.int().min(0).describe('number of elements that the cause changed in the same way'),
  boxes: z
    .array(z.strictObject({ before: imageRectangle.nullable(), after: imageRectangle.nullable() }))
    .describe('the first elements, in pixels of the before image and of the after image'),
  regions: z.array(z.int().min(0)).describe('indexes of the regions that the cause explains'),
  pixels: z.int().min(0).describe('differing pixels of these regions'),
});

export type Cause = Readonly<z.infer<typeof causeSchema>>;

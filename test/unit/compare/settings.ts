import { expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { hasChangeDescription } from '../../../src/model/comparison.js';
import type { Pixels, Rectangle } from '../../../src/model/image.js';
import { DEFAULTS } from '../../../src/model/page-fields.js';
import type { ResolvedCompareSettings } from '../../../src/model/shot.js';
import { png } from '../image/paint.js';

/** Gives the defaults between two environments, with a few others. */
export function settings(overrides: Partial<ResolvedCompareSettings> = {}): ResolvedCompareSettings {
  const { threshold, maxSizeDiff, allowShift, engine } = DEFAULTS;
  return {
    ...{ threshold, maxDiffPixels: null, maxDiffPixelRatio: null, maxSizeDiff, allowShift, engine },
    antialiasing: 'ignore',
    ...overrides,
  };
}

/** Compares two images. */
export function compare(
  before: Pixels,
  after: Pixels,
  overrides: Partial<ResolvedCompareSettings> = {},
  masked: readonly Rectangle[] = [],
) {
  return compareImages(png(before), png(after), settings(overrides), masked);
}

/** Compares two images that differ. The regions have the pixels that differ after alignment. */
export async function describeChange(...compared: Parameters<typeof compare>) {
  const comparison = await compare(...compared);
  if (!hasChangeDescription(comparison)) throw new Error(`it is ${comparison.kind}`);
  const { regions, mismatchPixelsAfterAlignment, counts } = comparison;
  expect(regions.reduce((sum, { pixels }) => sum + pixels, 0)).toBe(mismatchPixelsAfterAlignment);
  expect(mismatchPixelsAfterAlignment).toBeLessThanOrEqual(counts.mismatchPixels);
  return comparison;
}

/** Compares two images, and returns the kind of the result. */
export async function kindOf(...compared: Parameters<typeof compare>) {
  return (await compare(...compared)).kind;
}

/** Declares a test for each seed from 1 to `all`. `npm test` runs the first ones, the soak tests run the others. */
export function testSeeds(title: string, first: number, all: number, law: (seed: number) => Promise<void>): void {
  for (let seed = 1; seed <= all; seed++)
    test(`${title} (${seed})`, { tags: seed > first ? ['soak'] : [] }, () => law(seed));
}

/** Declares a test with a few random rounds for `npm test`, and one with all rounds for the soak tests. */
export function testRounds(title: string, few: number, all: number, law: (rounds: number) => Promise<void>): void {
  test(title, () => law(few));
  test(`${title}, in ${all} rounds`, { tags: ['soak'] }, () => law(all));
}

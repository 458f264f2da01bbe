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

export async function kindOf(...compared: Parameters<typeof compare>) {
  return (await compare(...compared)).kind;
}

/** Declares a test for each seed from 1 to `all`. `npm test` runs the first ones, the soak tests run the others. */
export function testSeeds(title: string, first: number, all: number, law: (seed: number) => Promise<void>): void {
  for (let seed = 1; seed <= all; seed++)
    test(`${title} (${seed})`, { tags: seed > first ? ['soak'] : [] }, () => law(seed));
}

/**
 * Declares the laws of content that moved.
 *
 * @param pair - gives two images in which something moved
 * @param shifts - values of `allowShift`, the tightest first
 */
export function testMoves(
  pair: (seed: number) => readonly [Pixels, Pixels],
  shifts: readonly number[],
  limits: Partial<ResolvedCompareSettings>,
): void {
  testSeeds('swapping the sides does not change the counts and mirrors the moves', 3, 8, async (seed) => {
    const [before, after] = pair(seed);
    const there = await describeChange(before, after);
    const back = await describeChange(after, before);
    expect(there.shifts.length + there.columnShifts.length).toBeGreaterThan(0);
    expect(back.counts).toEqual(there.counts);
    expect(back.mismatchPixelsAfterAlignment).toBe(there.mismatchPixelsAfterAlignment);
    expect(back.shifts).toEqual(there.shifts.map(({ y, height, by }) => ({ y: y + by, height, by: -by })));
    const mirrored = there.columnShifts.map(({ x, by, ...rest }) => ({ ...rest, x: x + by, by: -by }));
    expect(new Set(back.columnShifts)).toEqual(new Set(mirrored));
  });

  testSeeds('a looser allowShift never fails images that a tighter one passed', 2, 4, async (seed) => {
    const passes: number[] = [];
    for (const allowShift of shifts)
      passes.push((await kindOf(...pair(seed), { ...limits, allowShift })) === 'different' ? 0 : 1);
    expect(passes).toEqual([...passes].sort());
  });
}

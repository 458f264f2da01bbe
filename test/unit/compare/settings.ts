import { test } from 'vitest';
import { DEFAULTS } from '../../../src/model/page-fields.js';
import type { ResolvedCompareSettings } from '../../../src/model/shot.js';

/** Gives the defaults between two environments, with a few others. */
export function settings(overrides: Partial<ResolvedCompareSettings> = {}): ResolvedCompareSettings {
  const { threshold, maxSizeDiff, allowShift, engine } = DEFAULTS;
  return {
    ...{ threshold, maxDiffPixels: null, maxDiffPixelRatio: null, maxSizeDiff, allowShift, engine },
    antialiasing: 'ignore',
    ...overrides,
  };
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

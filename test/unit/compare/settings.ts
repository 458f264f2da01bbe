import type { CompareSettings, EngineName } from '../../../src/model/plan.js';

export const ENGINES: readonly EngineName[] = ['odiff', 'pixelmatch'];

/** Gives the defaults, with a few others. */
export function settings(overrides: Partial<CompareSettings> = {}): CompareSettings {
  return {
    threshold: 0.02,
    maxDiffPixels: null,
    maxDiffPixelRatio: null,
    maxSizeDiff: 0,
    allowShift: 0,
    engine: 'odiff',
    ...overrides,
  };
}

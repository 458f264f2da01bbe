import type { CompareSettings, EngineName } from '../../../src/model/plan.js';
import { DEFAULTS } from '../../../src/plan/defaults.js';

export const ENGINES: readonly EngineName[] = ['odiff', 'pixelmatch'];

/** Gives the defaults, with a few others. */
export function settings(overrides: Partial<CompareSettings> = {}): CompareSettings {
  const { threshold, maxSizeDiff, allowShift, engine } = DEFAULTS;
  return { threshold, maxDiffPixels: null, maxDiffPixelRatio: null, maxSizeDiff, allowShift, engine, ...overrides };
}

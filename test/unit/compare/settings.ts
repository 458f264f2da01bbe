import { DEFAULTS } from '../../../src/model/list/defaults.js';
import type { EngineName, ResolvedCompareSettings } from '../../../src/model/shot.js';

export const ENGINES: readonly EngineName[] = ['odiff', 'pixelmatch'];

/** Gives the defaults between two environments, with a few others. */
export function settings(overrides: Partial<ResolvedCompareSettings> = {}): ResolvedCompareSettings {
  const { threshold, maxSizeDiff, allowShift, engine } = DEFAULTS;
  return {
    ...{ threshold, maxDiffPixels: null, maxDiffPixelRatio: null, maxSizeDiff, allowShift, engine },
    antialiasing: 'ignore',
    ...overrides,
  };
}

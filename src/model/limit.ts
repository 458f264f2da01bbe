import type { CompareSettings } from './plan.js';

/**
 * Gives how many pixels may differ: the smaller of the limits that are set, 0 when none is.
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

import pixelmatch from 'pixelmatch';
import { compareImages } from '../../.build/compare/compare.js';
import { resolveAntialiasing } from '../../.build/model/comparison.js';
import { DEFAULTS } from '../../.build/model/page-fields.js';

/** The thresholds that ours is measured at beside its default. */
const THRESHOLDS = [0, 0.005, 0.01, 0.02, 0.05, 0.1];

/** A run and its baseline come from one environment here: anti-aliasing counts. */
const COUNTED = resolveAntialiasing(DEFAULTS.antialiasing, true);

const OTHER_ENGINE = DEFAULTS.engine === 'odiff' ? 'pixelmatch' : 'odiff';

/** Who judges, by name: each tells whether two images of one size, `{ image, pixels }` each, are a change. */
export const JUDGES = new Map([
  [`proofsheet (default, threshold ${DEFAULTS.threshold})`, (...pair) => isChange(...pair, {})],
  ...THRESHOLDS.map((threshold) => [
    `proofsheet at threshold ${threshold}`,
    (...pair) => isChange(...pair, { threshold }),
  ]),
  ['proofsheet with antialiasing: ignore', (...pair) => isChange(...pair, { antialiasing: 'ignore' })],
  [`proofsheet by ${OTHER_ENGINE}`, (...pair) => isChange(...pair, { engine: OTHER_ENGINE })],
  ['toHaveScreenshot (default)', isChangeToPlaywright],
  ['BackstopJS (default)', isChangeToBackstop],
]);

async function isChange(before, after, settings) {
  const { threshold, maxDiffPixels, maxSizeDiff, allowShift, engine } = DEFAULTS;
  const limits = { threshold, maxDiffPixels, maxDiffPixelRatio: null, maxSizeDiff, allowShift };
  const all = { ...limits, antialiasing: COUNTED, engine, ...settings };
  return (await compareImages(before.image, after.image, all, [])).kind === 'different';
}

/** Its comparator is pixelmatch at 0.2, and without maxDiffPixels one pixel fails. */
function isChangeToPlaywright({ pixels: { width, height, data } }, after) {
  return pixelmatch(data, after.pixels.data, null, width, height, { threshold: 0.2 }) > 0;
}

/**
 * Its comparator is a fork of resemble.js: a pixel differs when a channel is 16 or more away, and what differs is a share in
 * percent, rounded to two digits, that may be 0.1.
 */
function isChangeToBackstop({ pixels: { width, height, data } }, after) {
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    if ([0, 1, 2, 3].some((channel) => Math.abs(data[i + channel] - after.pixels.data[i + channel]) >= 16)) count++;
  }
  return Number(((100 * count) / (width * height)).toFixed(2)) > 0.1;
}

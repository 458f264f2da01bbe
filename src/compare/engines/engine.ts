import { returnBytes } from '../../image/buffer-pool.js';
import type { Pixels } from '../../model/image.js';
import { DEFAULTS } from '../../model/list/defaults.js';
import type { EngineName } from '../../model/shot.js';
import { compareByOdiff, odiffVersion } from './odiff.js';
import { CHANGED, countMask, createMask, type Engine } from './pixel-diff.js';
import { compareByPixelmatch, findStrips, pixelmatchVersion } from './pixelmatch.js';

/** Returns the compare function of an engine. */
export function selectEngine(name: EngineName): Engine {
  switch (name) {
    case 'odiff':
      return withColorSteps(compareByOdiff);
    case 'pixelmatch':
      return withColorSteps(compareByPixelmatch);
    default:
      return name satisfies never;
  }
}

/** Returns the name and installed version of an engine, as the environment of a baseline records it: `pixelmatch 7.2.0`. */
export function engineVersion(name: EngineName): string {
  switch (name) {
    case 'odiff':
      return `odiff ${odiffVersion()}`;
    case 'pixelmatch':
      return `pixelmatch ${pixelmatchVersion()}`;
    default:
      return name satisfies never;
  }
}

/**
 * Makes an engine strict up to the default threshold: a pixel also differs if one channel differs by more than a rounding error. YIQ
 * weighs the channels, so no threshold of it separates 3 steps of blue from a rounding error in all channels.
 */
function withColorSteps(engine: Engine): Engine {
  return async (before, after, rule) => {
    const found = await engine(before, after, rule);
    if (rule.threshold > DEFAULTS.threshold) return found;
    const images = [await before.pixels(), await after.pixels()] as const;
    if (listSteps(...images, found.mask?.data).next().done) return found;
    const { mask: kinds } =
      rule.antialiasing === 'count'
        ? { mask: null }
        : await compareByPixelmatch(before, after, { ...rule, threshold: 0 });
    const mask = found.mask ?? createMask(images[0]);
    for (const pixel of listSteps(...images, mask.data)) mask.data[pixel] = kinds?.data[pixel] ?? CHANGED;
    if (kinds) returnBytes(kinds.data);
    return countMask(mask);
  };
}

/** The largest rounding error, in steps of 255. */
const MAX_ROUNDING = 1;

/** Lists the pixels without a mark that differ by more than a rounding error. */
function* listSteps(before: Pixels, after: Pixels, marks: Uint8Array | undefined): Generator<number> {
  const { width } = before;
  const [one, other] = [before.data, after.data];
  for (const { from, to } of findStrips(before, after)) {
    for (let pixel = from * width, at = 4 * pixel; pixel < to * width; pixel++, at += 4) {
      const isStep =
        Math.abs((one[at] ?? 0) - (other[at] ?? 0)) > MAX_ROUNDING ||
        Math.abs((one[at + 1] ?? 0) - (other[at + 1] ?? 0)) > MAX_ROUNDING ||
        Math.abs((one[at + 2] ?? 0) - (other[at + 2] ?? 0)) > MAX_ROUNDING;
      if (isStep && !marks?.[pixel]) yield pixel;
    }
  }
}

import { isDeepStrictEqual } from 'node:util';
import { compareAside } from '../compare/aside.js';
import type { Capture } from '../model/capture.js';
import type { Comparison } from '../model/comparison.js';
import type { Rectangle } from '../model/image.js';
import type { CompareSettings } from '../model/plan.js';
import type { Baseline } from '../record/baseline.js';
import type { Before } from './outcome.js';
import { readImage } from './read-image.js';

/** What a capture is expected to be. */
export interface Expectation {
  /** Tells whether an image is as expected, to the byte. */
  isMet(bytes: Buffer): boolean;
  /** Holds the capture against it. @throws ProofsheetError as compareAside does */
  compare(capture: Capture): Promise<Before>;
}

/**
 * Expects a baseline. In a run in which the last page differed from its own, the first image that is not as expected is compared
 * at once, in the time in which the page is looked at again: mostly it is what the capture ends in. Elsewhere it mostly is a
 * page that is not ready, and to compare it would be idle work.
 */
export function expectBaseline(baseline: Baseline, settings: CompareSettings): Expectation {
  if (baseline.kind !== 'image') return { isMet: () => false, compare: async () => baseline };
  const { image, sha256, record } = baseline;
  const environment = record?.environment ?? null;
  const known = record ?? NOTHING;
  let begun: Begun | null = null;
  return {
    isMet(bytes) {
      const isMet = image.bytes.equals(bytes);
      if (!isMet && lastDiffered) begun ??= begin(bytes);
      return isMet;
    },
    async compare(capture) {
      const comparison = await (begun?.isOf(capture) ? begun.comparison : compareNow(capture));
      lastDiffered = comparison.kind === 'different';
      return { kind: 'baseline', image, sha256, environment, comparison };
    },
  };

  function compareNow(capture: Capture): Promise<Comparison> {
    return compareAside(image, capture.image, settings, areasOf(known, capture));
  }

  /** What the capture leaves out is known at its end: mostly it is what was left out before. */
  function begin(bytes: Buffer): Begun {
    const masked = areasOf(known, known);
    const comparison = compareBytes(bytes, masked);
    // Nobody may ask for it.
    comparison.catch(() => {});
    const isOf = (capture: Capture) =>
      capture.image.bytes.equals(bytes) && isDeepStrictEqual(areasOf(known, capture), masked);
    return { comparison, isOf };
  }

  async function compareBytes(bytes: Buffer, masked: readonly Rectangle[]): Promise<Comparison> {
    return compareAside(image, readImage(bytes), settings, masked);
  }
}

/** A comparison that was begun before it was certain that it would be asked for. */
interface Begun {
  readonly comparison: Promise<Comparison>;
  /** Is it that of what the capture ended in? */
  readonly isOf: (capture: Capture) => boolean;
}

let lastDiffered = false;

type LeftOut = Pick<Capture, 'masks' | 'ignored'>;

const NOTHING: LeftOut = { masks: [], ignored: [] };

/** Gives what does not count in either of two images, each area once. */
export function areasOf(one: LeftOut, other: LeftOut): Rectangle[] {
  const areas = [...one.masks, ...one.ignored, ...other.masks, ...other.ignored];
  return areas.filter((area, index) => areas.findIndex((known) => isDeepStrictEqual(known, area)) === index);
}

import { isDeepStrictEqual } from 'node:util';
import { compareAside } from '../compare/aside.js';
import type { Capture } from '../model/capture.js';
import type { Comparison } from '../model/comparison.js';
import type { Rectangle } from '../model/image.js';
import type { CompareSettings } from '../model/plan.js';
import type { Baseline } from '../record/baseline.js';
import { type ExcludingImage, excludeWithBaseline, warnOfBaseline } from './exclusions.js';
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
  const known: ExcludingImage = { image, masks: record?.masks ?? [], ignored: record?.ignored ?? [] };
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
      const { compared } = excludeWithBaseline(known, capture);
      const warnings = warnOfBaseline(known, capture, comparison);
      return { kind: 'baseline', image, sha256, environment, comparison, compared, warnings };
    },
  };

  function compareNow(capture: Capture): Promise<Comparison> {
    return compareAside(image, capture.image, settings, excludeWithBaseline(known, capture).areas);
  }

  /** What the capture leaves out is known at its end: mostly it is what was left out before. */
  function begin(bytes: Buffer): Begun {
    const masked = excludeWithBaseline(known, known).areas;
    const comparison = compareBytes(bytes, masked);
    // Nobody may ask for it.
    comparison.catch(() => {});
    const isOf = (capture: Capture) =>
      capture.image.bytes.equals(bytes) && isDeepStrictEqual(excludeWithBaseline(known, capture).areas, masked);
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

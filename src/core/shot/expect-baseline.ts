import type { Baseline } from '../../baselines/baseline.js';
import { compareInWorker } from '../../compare/worker/compare-worker.js';
import type { Capture } from '../../model/capture.js';
import { differingParts, type Environment } from '../../model/environment.js';
import { resolveAntialiasing } from '../../model/list/fields.js';
import type { CompareSettings } from '../../model/shot.js';
import type { Before } from './decide.js';
import { type ExcludingImage, excludeWithBaseline, warnOfBaseline } from './excluded-areas.js';

/** The image that a capture is compared with. */
export interface Expectation {
  /** Checks whether an image equals it, byte for byte. */
  isMet(bytes: Buffer): boolean;
  /** Compares a capture with it. @throws ProofsheetError as compareInWorker does */
  compare(capture: Capture): Promise<Before>;
}

/**
 * Expects a baseline.
 *
 * @param headless the kind of browser that captures. Anti-aliasing counts where the baseline was made in the same environment.
 */
export function expectBaseline(
  baseline: Baseline,
  settings: CompareSettings,
  headless: Environment['headless'],
): Expectation {
  if (baseline.kind !== 'image') return { isMet: () => false, compare: async () => baseline };
  const { image, sha256, record } = baseline;
  const environment = record?.environment ?? null;
  const known: ExcludingImage = { image, masks: record?.masks ?? [], ignored: record?.ignored ?? [] };
  return {
    isMet: (bytes) => image.bytes.equals(bytes),
    async compare(capture) {
      const antialiasing = resolveAntialiasing(settings.antialiasing, isMadeIn(environment, capture, headless));
      const { areas, compared } = excludeWithBaseline(known, capture);
      const comparison = await compareInWorker(image, capture.image, { ...settings, antialiasing }, areas);
      const warnings = warnOfBaseline(known, capture, comparison);
      return { kind: 'baseline', image, sha256, environment, comparison, compared, warnings };
    },
  };
}

/** The engine is left out: another engine draws no pixel differently. */
function isMadeIn(madeIn: Environment | null, capture: Capture, headless: Environment['headless']): boolean {
  if (!madeIn) return false;
  return differingParts(madeIn, { ...capture.environment, headless, engine: madeIn.engine }).length === 0;
}

import type { Baseline } from '../../baselines/baseline.js';
import { compareInWorker } from '../../compare/worker/compare-worker.js';
import type { Capture } from '../../model/capture.js';
import { differingParts, type Environment } from '../../model/environment.js';
import { resolveAntialiasing } from '../../model/list/fields.js';
import type { CompareSettings } from '../../model/shot.js';
import type { Before } from './decide.js';
import { type ExcludingImage, excludeWithBaseline, warnAboutBaseline } from './excluded-areas.js';

/** The image that a capture is compared with. */
export interface Expectation {
  /** Checks whether an image equals the expected image, byte for byte. */
  equals(bytes: Buffer): boolean;
  /** Compares a capture with the expected image. @throws ProofsheetError as compareInWorker does */
  compare(capture: Capture): Promise<Before>;
}

/**
 * Creates the expectation for a baseline.
 *
 * @param headless the kind of browser that captures. With `antialiasing: auto`, anti-aliased pixels count only if the baseline
 *   was captured in the same environment.
 */
export function expectBaseline(
  baseline: Baseline,
  settings: CompareSettings,
  headless: Environment['headless'],
): Expectation {
  if (baseline.kind !== 'image') return { equals: () => false, compare: async () => baseline };
  const { image, sha256, record } = baseline;
  const environment = record?.environment ?? null;
  const known: ExcludingImage = { image, masks: record?.masks ?? [], ignored: record?.ignored ?? [] };
  return {
    equals: (bytes) => image.bytes.equals(bytes),
    async compare(capture) {
      const antialiasing = resolveAntialiasing(
        settings.antialiasing,
        isSameEnvironment(environment, capture, headless),
      );
      const { areas, compared } = excludeWithBaseline(known, capture);
      const comparison = await compareInWorker(image, capture.image, { ...settings, antialiasing }, areas);
      const warnings = warnAboutBaseline(known, capture, comparison);
      return { kind: 'baseline', image, sha256, environment, comparison, compared, warnings };
    },
  };
}

/** Ignores the engine, because it does not change how a page is drawn. */
function isSameEnvironment(
  baselineEnvironment: Environment | null,
  capture: Capture,
  headless: Environment['headless'],
): boolean {
  if (!baselineEnvironment) return false;
  return (
    differingParts(baselineEnvironment, { ...capture.environment, headless, engine: baselineEnvironment.engine })
      .length === 0
  );
}

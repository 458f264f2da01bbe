import { type Baseline, readBaseline } from '../../baselines/baseline.js';
import { compareInWorker } from '../../compare/worker/compare-worker.js';
import type { Capture, CaptureResult } from '../../model/capture.js';
import { differingParts, type Environment } from '../../model/environment.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import { resolveAntialiasing } from '../../model/list/fields.js';
import type { CompareSettings, Shot } from '../../model/shot.js';
import type { BaselinePath } from './baseline-path.js';
import type { Before, Evidence } from './decide.js';
import {
  type ExcludingImage,
  excludeBoth,
  excludeWithBaseline,
  ownShare,
  warnAboutBaseline,
  warnAboutShare,
} from './excluded-areas.js';
import type { CaptureFunction, CaptureFunctions } from './page-session.js';

/** The inputs of {@link gatherEvidence} that do not depend on the capture. */
export interface EvidenceContext {
  readonly baseline: BaselinePath;
}

/** Captures and compares a shot. Never throws: a failure is returned as evidence. */
export async function gatherEvidence(
  shot: Shot,
  captureFunctions: CaptureFunctions,
  context: EvidenceContext,
): Promise<Evidence> {
  try {
    return captureFunctions.before
      ? await gatherLive(shot, captureFunctions.after, captureFunctions.before)
      : await gatherOnDisk(shot, captureFunctions.after, context);
  } catch (cause) {
    return { kind: 'failed', error: cause instanceof ProofsheetError ? cause : interrupted(shot, cause) };
  }
}

async function gatherOnDisk(shot: Shot, capturePage: CaptureFunction, context: EvidenceContext): Promise<Evidence> {
  const { path, shownPath, writtenInRun } = context.baseline;
  // An earlier attempt of this run wrote this baseline because it was missing: ignore it.
  const baseline = writtenInRun.isKnown() ? MISSING : await readBaseline(path, shot.capture.format, shownPath);
  const expected = expectBaseline(baseline, shot.compare);
  const result = await capturePage({ timeoutMs: shot.timeoutMs, isExpected: expected.equals });
  const unstable = await findMotion(shot, result);
  if (unstable) return unstable;
  return toEvidence(shot, result.capture, await expected.compare(result.capture));
}

/** Adds the warnings of the comparison to those of the capture. */
function toEvidence({ compare, minCompared }: Shot, capture: Capture, before: Before): Evidence {
  const isCompared = before.kind === 'baseline' || before.kind === 'live';
  const compared = isCompared ? before.compared : ownShare(capture);
  const more = [
    ...(before.kind === 'baseline' ? before.warnings : []),
    // Below `minCompared`, the shot is an error and needs no warning.
    ...(compared < minCompared ? [] : warnAboutShare(compared, isCompared ? before.comparison : null, compare)),
  ];
  return { kind: 'captured', capture: { ...capture, warnings: [...capture.warnings, ...more] }, before };
}

const MISSING = { kind: 'missing' } as const;

async function gatherLive(
  shot: Shot,
  captureAfter: CaptureFunction,
  captureBefore: CaptureFunction,
): Promise<Evidence> {
  // Two pages that are still loading can look the same, so neither side is the expected image of the other.
  const help = { timeoutMs: shot.timeoutMs, isExpected: () => false };
  const sides = await Promise.allSettled([captureBefore(help), captureAfter(help)]);
  const [before, after] = sides.map((side) => {
    if (side.status === 'rejected') throw side.reason;
    return side.value;
  });
  if (!before || !after) throw new Error('a two-state shot must have two captures');
  const unstable = (await findMotion(shot, before)) ?? (await findMotion(shot, after));
  if (unstable) return unstable;
  const { areas, compared } = excludeBoth(before.capture, after.capture);
  // One run captures both sides, in one environment.
  const settings = { ...shot.compare, antialiasing: resolveAntialiasing(shot.compare.antialiasing, true) };
  const comparison = await compareInWorker(before.capture.image, after.capture.image, settings, areas);
  return toEvidence(shot, after.capture, { kind: 'live', capture: before.capture, comparison, compared });
}

/**
 * Compares the last two screenshots of an unstable capture. It uses no tolerance, because their bytes differ.
 *
 * @returns null if the capture is stable, or if only ignored areas changed.
 */
async function findMotion(shot: Shot, result: CaptureResult): Promise<Extract<Evidence, { kind: 'unstable' }> | null> {
  if (result.kind === 'settled') return null;
  const { capture, previous } = result;
  const settings = {
    ...shot.compare,
    threshold: 0,
    maxDiffPixels: 0,
    maxDiffPixelRatio: null,
    maxSizeDiff: 0,
    allowShift: 0,
    antialiasing: 'count',
  } as const;
  const motion = await compareInWorker(previous, capture.image, settings, excludeBoth(capture, capture).areas);
  const isIgnored = motion.kind !== 'different';
  const hasIgnored = capture.ignored.some(({ rectangles }) => rectangles.length > 0);
  return hasIgnored && isIgnored ? null : { kind: 'unstable', result, motion };
}

function interrupted({ after }: Shot, cause: unknown): ProofsheetError {
  return new ProofsheetError({
    code: 'shot-interrupted',
    where: after.url,
    found: `the capture was interrupted (${messageOf(cause).split('\n')[0]})`,
    advice: 'The browser or the page closed during the capture. Run the test again.',
  });
}

/** The image that a capture is compared with. */
export interface Expectation {
  /** Checks whether an image equals the expected image, byte for byte. */
  equals(bytes: Buffer): boolean;
  /** Compares a capture with the expected image. @throws ProofsheetError as compareInWorker does */
  compare(capture: Capture): Promise<Before>;
}

/**
 * Creates the expectation for a baseline. With `antialiasing: auto`, anti-aliased pixels count only if the baseline was captured
 * in the same environment.
 */
export function expectBaseline(baseline: Baseline, settings: CompareSettings): Expectation {
  if (baseline.kind !== 'image') return { equals: () => false, compare: async () => baseline };
  const { image, sha256, record } = baseline;
  const environment = record?.environment ?? null;
  const known: ExcludingImage = { image, masks: record?.masks ?? [], ignored: record?.ignored ?? [] };
  return {
    equals: (bytes) => image.bytes.equals(bytes),
    async compare(capture) {
      const antialiasing = resolveAntialiasing(settings.antialiasing, isSameEnvironment(environment, capture));
      const { areas, compared } = excludeWithBaseline(known, capture);
      const comparison = await compareInWorker(image, capture.image, { ...settings, antialiasing }, areas);
      const warnings = warnAboutBaseline(known, capture, comparison);
      return { kind: 'baseline', image, sha256, environment, comparison, compared, warnings };
    },
  };
}

/** Ignores the engine, because it does not change how a page is drawn. */
function isSameEnvironment(baselineEnvironment: Environment | null, capture: Capture): boolean {
  if (!baselineEnvironment) return false;
  const { engine } = baselineEnvironment;
  return differingParts(baselineEnvironment, { ...capture.environment, engine }).length === 0;
}

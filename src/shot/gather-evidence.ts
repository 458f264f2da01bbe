import { type Baseline, readBaseline } from '../baselines/index.js';
import { compareInWorker } from '../compare/index.js';
import {
  BASELINE_WARNINGS,
  type Capture,
  type CompareSettings,
  differingParts,
  type Environment,
  type HiddenElement,
  ProofsheetError,
  renderCountOf,
  resolveAntialiasing,
  type Shot,
  type Warning,
} from '../model/index.js';
import type { Stopwatch } from '../page/index.js';
import type { BaselinePath } from './baseline-path.js';
import type { Before, Captured, Evidence, Policy } from './decide.js';
import {
  type ExcludingImage,
  excludeBoth,
  excludeWithBaseline,
  ownShare,
  warnAboutBaseline,
  warnAboutShare,
} from './excluded-areas.js';
import { observePage, type PageObservation, requireStable } from './observe-page.js';
import { type CaptureFunction, type CaptureFunctions, interrupted } from './page-session.js';
import { redactorOf } from './redact.js';
import { exchangeStructures, requestStructure } from './structure-requests.js';

/** The inputs of {@link gatherEvidence} that do not depend on the capture. */
export interface EvidenceContext {
  readonly baseline: BaselinePath;
  readonly policy: Policy;
  readonly stopwatch: Stopwatch;
}

/** Captures and compares a shot. Never throws: a failure is returned as evidence. */
export async function gatherEvidence(
  shot: Shot,
  captureFunctions: CaptureFunctions,
  context: EvidenceContext,
): Promise<Evidence> {
  try {
    const observation = captureFunctions.before
      ? observeBothSides(shot, captureFunctions, captureFunctions.before, context)
      : await observeOnDisk(shot, captureFunctions, context);
    const evidence = await observePage(shot, observation, context.policy);
    return evidence.kind === 'captured' ? withObservationWarnings(evidence) : evidence;
  } catch (cause) {
    return { kind: 'failed', error: cause instanceof ProofsheetError ? cause : interrupted(shot.after.url, cause) };
  }
}

async function observeOnDisk(
  shot: Shot,
  { after: capturePage, canReload }: CaptureFunctions,
  { baseline: { path, shownPath, writtenInRun }, stopwatch }: EvidenceContext,
): Promise<PageObservation> {
  // An earlier attempt of this run wrote this baseline because it was missing: ignore it.
  const baseline = writtenInRun.isKnown() ? MISSING : await readBaseline(path, shot.capture.format, shownPath);
  const expected = expectBaseline(baseline, shot.compare, shownPath);
  return {
    canReload,
    stopwatch,
    async load(earlier) {
      const structure = shot.capture.explain ? requestStructure(baseline, redactorOf(shot)) : null;
      const isEarlier = isImageOf(earlier?.after ?? null);
      const isExpected = (bytes: Buffer) => expected.equals(bytes) || isEarlier(bytes);
      const request = { timeoutMs: shot.timeoutMs, isExpected, structure, stopwatch };
      const after = await requireStable(shot, await capturePage(request));
      return 'kind' in after ? after : { kind: 'loaded', after: redactHidden(after, shot), before: null };
    },
    compare: async ({ after }) => toEvidence(shot, after, await expected.compare(after)),
  };
}

/** The record of a baseline contains these texts. */
function redactHidden(capture: Capture, shot: Shot): Capture {
  if (!capture.hidden) return capture;
  const redact = redactorOf(shot);
  return {
    ...capture,
    hidden: capture.hidden.map(({ element, text }) => ({ element: redact(element), text: redact(text) })),
  };
}

/** Creates the check for an image that equals an earlier one, byte for byte. */
function isImageOf(capture: Capture | null): (bytes: Buffer) => boolean {
  return (bytes) => capture?.image.bytes.equals(bytes) ?? false;
}

/** Adds the warnings of the comparison to those of the capture. */
function toEvidence({ compare, minCompared }: Shot, capture: Capture, before: Before): Captured {
  const isCompared = before.kind === 'baseline' || before.kind === 'live';
  const compared = isCompared ? before.compared : ownShare(capture);
  const more = [
    ...(before.kind === 'baseline' ? before.warnings : []),
    // Below `minCompared`, the shot is an error and needs no warning.
    ...(compared < minCompared ? [] : warnAboutShare(compared, isCompared ? before.comparison : null, compare)),
  ];
  return { kind: 'captured', capture: withWarnings(capture, more), before, earlier: [] };
}

function withWarnings(capture: Capture, more: readonly Warning[]): Capture {
  return { ...capture, warnings: [...capture.warnings, ...more] };
}

/** Adds a warning about loads that differ. */
function withObservationWarnings(evidence: Captured): Captured {
  const { capture, earlier } = evidence;
  if (earlier.length === 0) return evidence;
  const message = `${renderCountOf(earlier.length, 'load')} of the page differed`;
  return { ...evidence, capture: withWarnings(capture, [{ code: OBSERVATION_WARNINGS.unsteady, message }]) };
}

const MISSING = { kind: 'missing' } as const;

/** Codes of warnings about the loads of a page. */
export const OBSERVATION_WARNINGS = { unsteady: 'unsteady' } as const;

function observeBothSides(
  shot: Shot,
  { after: captureAfter, canReload }: CaptureFunctions,
  captureBefore: CaptureFunction,
  { stopwatch }: EvidenceContext,
): PageObservation {
  return {
    canReload,
    stopwatch,
    async load(earlier) {
      // Two pages that are still loading can look the same, so neither side is the expected image of the other.
      const request = { timeoutMs: shot.timeoutMs, stopwatch };
      const exchange = shot.capture.explain ? exchangeStructures(redactorOf(shot)) : null;
      const [structure, otherStructure] = [exchange?.before ?? null, exchange?.after ?? null];
      const isExpected = isImageOf(earlier?.before ?? null);
      const sides = await Promise.allSettled([
        captureBefore({ ...request, structure, isExpected }).finally(() => exchange?.end()),
        captureAfter({ ...request, structure: otherStructure, isExpected: isImageOf(earlier?.after ?? null) }),
      ]);
      const [before, after] = sides.map((side) => {
        if (side.status === 'rejected') throw side.reason;
        return side.value;
      });
      if (!before || !after) throw new Error('a two-state shot must have two captures');
      const [stableBefore, stableAfter] = [await requireStable(shot, before), await requireStable(shot, after)];
      if ('kind' in stableBefore) return stableBefore;
      return 'kind' in stableAfter ? stableAfter : { kind: 'loaded', before: stableBefore, after: stableAfter };
    },
    async compare({ before, after }) {
      if (!before) throw new Error('a two-state shot must have two captures');
      const { areas, compared } = excludeBoth(before, after);
      // One run captures both sides, in one environment.
      const settings = { ...shot.compare, antialiasing: resolveAntialiasing(shot.compare.antialiasing, true) };
      const comparison = await compareInWorker(before.image, after.image, settings, areas);
      return toEvidence(shot, after, { kind: 'live', capture: before, comparison, compared });
    },
  };
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
export function expectBaseline(baseline: Baseline, settings: CompareSettings, shownPath: string): Expectation {
  if (baseline.kind !== 'image') return { equals: () => false, compare: async () => baseline };
  const { image, sha256, record, structure } = baseline;
  const environment = record?.environment ?? null;
  const known: ExcludingImage = { image, masks: record?.masks ?? [], ignored: record?.ignored ?? [] };
  return {
    equals: (bytes) => image.bytes.equals(bytes),
    async compare(capture) {
      const antialiasing = resolveAntialiasing(settings.antialiasing, isSameEnvironment(environment, capture));
      const { areas, compared } = excludeWithBaseline(known, capture);
      const comparison = await compareInWorker(image, capture.image, { ...settings, antialiasing }, areas);
      const warnings = warnAboutBaseline(known, capture, comparison);
      // Equal bytes need no record.
      const isLost = record === null && comparison.kind !== 'equal';
      const outdated = [...(isLost ? [warnOfLostRecord(shownPath)] : []), ...warnOfHidden(record?.hidden, capture)];
      return { kind: 'baseline', image, sha256, structure, environment, comparison, compared, warnings, outdated };
    },
  };
}

function warnOfLostRecord(path: string): Warning {
  const message = `the baseline ${path} has no record, because another tool wrote it: its environment, masks and structure are lost, and pixels that only anti-aliasing explains may not count; to write it again, run: ${UPDATE}`;
  return { code: BASELINE_WARNINGS.record, message };
}

const UPDATE = 'npx playwright test --update-snapshots';

/** Names what `hideCookie` hides and did not hide in the baseline: it may be an error of the page. An older baseline does not know it. */
function warnOfHidden(old: readonly HiddenElement[] | undefined, { hidden = [] }: Capture): Warning[] {
  const known = new Set(old?.map(identityOf));
  const added = old ? hidden.filter((one) => !known.has(identityOf(one))) : [];
  if (added.length === 0) return [];
  const names = added.map(({ element, text }) => (text === '' ? element : `${element} "${text}"`));
  const message = `\`hideCookie\` hides what it did not hide in the baseline: ${names.join(', ')}; if that is right, run: ${UPDATE}`;
  return [{ code: BASELINE_WARNINGS.hidden, message }];
}

/** Generated class names differ from build to build, so an element is known by its text. A banner may count its partners. */
function identityOf({ element, text }: HiddenElement): string {
  return (text === '' ? element : text).replace(/\d+/g, '0');
}

/** Ignores the engine, because it does not change how a page is drawn. */
function isSameEnvironment(baselineEnvironment: Environment | null, capture: Capture): boolean {
  if (!baselineEnvironment) return false;
  const { engine } = baselineEnvironment;
  return differingParts(baselineEnvironment, { ...capture.environment, engine }).length === 0;
}

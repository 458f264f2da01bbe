import type { Baseline } from '../baselines/index.js';
import { compareInWorker } from '../compare/index.js';
import type { Redraw } from '../explain/index.js';
import {
  BASELINE_WARNINGS,
  type Capture,
  differingParts,
  type Environment,
  type HiddenElement,
  ProofsheetError,
  renderCountOf,
  resolveAntialiasing,
  type Shot,
  type ShownTexts,
  type Warning,
} from '../model/index.js';
import type { Stopwatch } from '../page/index.js';
import type { ShotReuse } from '../reuse/index.js';
import type { BaselinePath } from './baseline-path.js';
import { type Before, type Captured, type Observation, type Policy, withWarnings } from './decide.js';
import { excludeBoth, excludeWithBaseline, ownShare, warnAboutBaseline, warnAboutShare } from './excluded-areas.js';
import { compareCaptures, type Load, loadUntilCertain, type PageLoader, requireStable } from './loads.js';
import { type CaptureFunction, type CaptureFunctions, interrupted } from './page-session.js';
import { redactHidden, redactorOf } from './redact.js';
import { decideReuse, readComparable } from './reused-shot.js';
import type { StoryShot } from './story-shot.js';
import { type AfterRequest, exchangeStructures, requestStructure } from './structure-requests.js';

interface ObserveContext {
  readonly baseline: BaselinePath;
  readonly policy: Policy & { readonly ignoreSnapshots: boolean };
  readonly reuse: ShotReuse | null;
  readonly stopwatch: Stopwatch;
}

/** Captures and compares a shot, unless an earlier capture stands for it. Never throws: a failure is an observation. */
export async function observe(
  story: StoryShot,
  captureFunctions: CaptureFunctions,
  context: ObserveContext,
): Promise<Observation> {
  if (context.policy.ignoreSnapshots) return { status: 'skipped', reason: null };
  const shot = story.current();
  try {
    const baseline = await readComparable(shot, context.baseline);
    const decision = context.reuse && (await decideReuse(baseline, context.reuse));
    if (decision?.kind === 'reuse') return { status: 'reused', stored: decision.stored, baseline: decision.baseline };
    const { before } = captureFunctions;
    const loader = before
      ? createTwoSideLoader(story, captureFunctions, before, context)
      : createPageLoader(story, captureFunctions, baseline, context);
    const observation = await loadUntilCertain(loader, context.policy);
    return observation.status === 'captured' ? warnAboutLoads(observation) : observation;
  } catch (cause) {
    const reason = story.skipReason();
    if (reason !== null) return { status: 'skipped', reason };
    return { status: 'failed', error: cause instanceof ProofsheetError ? cause : interrupted(shot.after.url, cause) };
  }
}

/** Codes of warnings about the loads of a page. */
export const OBSERVATION_WARNINGS = { loadsDiffer: 'unsteady' } as const;

function warnAboutLoads(captured: Captured): Captured {
  const { capture, earlier } = captured;
  if (earlier.length === 0) return captured;
  const message = `${renderCountOf(earlier.length, 'load')} of the page differed`;
  return { ...captured, capture: withWarnings(capture, [{ code: OBSERVATION_WARNINGS.loadsDiffer, message }]) };
}

function createPageLoader(
  story: StoryShot,
  { after: capture, canReload }: CaptureFunctions,
  baseline: Baseline,
  { baseline: { shownPath }, stopwatch }: ObserveContext,
): PageLoader {
  const shot = story.current();
  const redact = redactorOf(shot);
  const structure = shot.capture.explain ? requestStructure(baseline, redact) : null;
  return {
    canReload,
    stopwatch,
    settings: () => story.current().compare,
    async load(earlier) {
      const isEarlier = isImageOf(earlier?.after ?? null);
      const isExpected = (bytes: Buffer) =>
        (baseline.kind === 'image' && baseline.image.bytes.equals(bytes)) || isEarlier(bytes);
      // Each load shows the texts of the baseline. Without one, and of texts that are wrong, those of the first load.
      const known = baseline.kind === 'image' ? baseline.record?.texts : undefined;
      const texts = [known ?? [], earlier?.after.texts ?? []];
      const request = {
        timeoutMs: shot.timeoutMs,
        isExpected,
        structure,
        stopwatch,
        texts,
        takeParameters: story.take,
      };
      const after = await requireStable(shot.compare, await capture(request));
      if ('status' in after) return after;
      // The record of a baseline contains texts of the page. A text with a secret is not kept, so the page shows its own.
      const { hidden, texts: shown } = after;
      const isPublic = ({ elements }: ShownTexts) => elements.flat().every((text) => redact(text) === text);
      const records = {
        ...(hidden && { hidden: redactHidden(hidden, redact) }),
        ...(shown && { texts: shown.filter(isPublic) }),
      };
      return toLoad({ ...after, ...records }, null, structure);
    },
    compare: async (load) =>
      baseline.kind === 'image'
        ? compareWithBaseline(story.current(), baseline, load, shownPath)
        : toCaptured(story.current(), load, baseline),
  };
}

/** Each story decides what its own image shows. The limits, and whether the shot is tested, are those of the after side. */
function createTwoSideLoader(
  story: StoryShot,
  { after: captureAfter, canReload }: CaptureFunctions,
  captureBefore: CaptureFunction,
  { stopwatch }: ObserveContext,
): PageLoader {
  const shot = story.current();
  return {
    canReload,
    stopwatch,
    settings: () => story.current().compare,
    async load(earlier) {
      // Two pages that are still loading can look the same, so neither side is the expected image of the other.
      const request = { timeoutMs: shot.timeoutMs, stopwatch };
      const exchange = shot.capture.explain ? exchangeStructures(redactorOf(shot)) : null;
      const [structure, otherStructure] = [exchange?.before ?? null, exchange?.after ?? null];
      const isExpected = isImageOf(earlier?.before ?? null);
      const sides = await Promise.allSettled([
        captureBefore({ ...request, structure, isExpected, takeParameters: story.takeImageOnly }).finally(() =>
          exchange?.end(),
        ),
        captureAfter({
          ...{ ...request, structure: otherStructure, takeParameters: story.take },
          isExpected: isImageOf(earlier?.after ?? null),
        }),
      ]);
      const [before, after] = sides.map((side) => {
        if (side.status === 'rejected') throw side.reason;
        return side.value;
      });
      if (!before || !after) throw new Error('a two-state shot must have two captures');
      const [stableBefore, stableAfter] = [
        await requireStable(shot.compare, before),
        await requireStable(shot.compare, after),
      ];
      if ('status' in stableBefore) return stableBefore;
      return 'status' in stableAfter ? stableAfter : toLoad(stableAfter, stableBefore, otherStructure);
    },
    async compare(load) {
      const { before, after, explanation } = load;
      if (!before) throw new Error('a two-state shot must have two captures');
      const { compared } = excludeBoth(before, after);
      const comparison = await compareCaptures(story.current().compare, before, after);
      return toCaptured(story.current(), load, { kind: 'live', capture: before, comparison, compared, explanation });
    },
  };
}

function toLoad(after: Capture, before: Capture | null, request: AfterRequest | null): Load {
  return { status: 'loaded', after, before, explanation: request?.explanationOf(after) ?? null };
}

function isImageOf(capture: Capture | null): (bytes: Buffer) => boolean {
  return (bytes) => capture?.image.bytes.equals(bytes) ?? false;
}

function toCaptured(
  { compare, minCompared }: Shot,
  { after }: Load,
  before: Before,
  warnings: readonly Warning[] = [],
): Captured {
  const isCompared = before.kind === 'baseline' || before.kind === 'live';
  const compared = isCompared ? before.compared : ownShare(after);
  // Below `minCompared`, the shot is an error and needs no warning.
  const share = compared < minCompared ? [] : warnAboutShare(compared, isCompared ? before.comparison : null, compare);
  return { status: 'captured', capture: withWarnings(after, [...warnings, ...share]), before, earlier: [] };
}

/**
 * Compares a capture with its baseline. With `antialiasing: auto`, anti-aliased pixels count only if the baseline was captured in the same
 * environment.
 */
async function compareWithBaseline(
  shot: Shot,
  { image, sha256, record }: Extract<Baseline, { kind: 'image' }>,
  load: Load,
  shownPath: string,
): Promise<Captured> {
  const { after, explanation } = load;
  const environment = record?.environment ?? null;
  const known = { image, masks: record?.masks ?? [], ignored: record?.ignored ?? [] };
  const antialiasing = resolveAntialiasing(shot.compare.antialiasing, isSameEnvironment(environment, after));
  const { areas, compared } = excludeWithBaseline(known, after);
  const comparison = await compareInWorker(image, after.image, { ...shot.compare, antialiasing }, areas);
  // Equal bytes need no record.
  const isLost = record === null && comparison.kind !== 'equal';
  const redraw = await judgeOtherEnvironment(shot, { image, environment, comparison }, load);
  const outdated = [...(isLost ? [warnOfLostRecord(shownPath)] : []), ...warnOfHidden(record?.hidden, after)];
  const common = { comparison, compared, explanation };
  const before = { kind: 'baseline', image, sha256, environment, redraw, outdated, ...common } as const;
  return toCaptured(shot, load, before, warnAboutBaseline(known, after, comparison));
}

/**
 * With `environment: auto`, judges whether the page differs from a baseline of another environment, or is only drawn differently.
 *
 * @returns null if the pixels decide: in one environment, at another scale, or without the structure of both pages
 */
async function judgeOtherEnvironment(
  { environment: rule }: Shot,
  { image, environment, comparison }: Pick<Known, 'image' | 'environment' | 'comparison'>,
  { after, explanation }: Load,
): Promise<Redraw | null> {
  if (rule !== 'auto' || comparison.kind !== 'different' || !environment || !explanation || !after.structure)
    return null;
  if (isSameEnvironment(environment, after) || environment.scale !== after.environment.scale) return null;
  return explanation.redraw(after.structure.answers, { ...comparison, before: image, after: after.image });
}

type Known = Extract<Before, { kind: 'baseline' }>;

const UPDATE = 'npx playwright test --update-snapshots';

function warnOfLostRecord(path: string): Warning {
  const message = `the baseline ${path} has no record, because another tool wrote it: its environment, masks and structure are lost, and pixels that only anti-aliasing explains may not count; to write it again, run: ${UPDATE}`;
  return { code: BASELINE_WARNINGS.record, message };
}

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
function isSameEnvironment(environment: Environment | null, capture: Capture): boolean {
  if (!environment) return false;
  return differingParts(environment, { ...capture.environment, engine: environment.engine }).length === 0;
}

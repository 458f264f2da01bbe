import { type Baseline, readBaseline } from '../baselines/index.js';
import {
  type Capture,
  type CompareSettings,
  ProofsheetError,
  renderCountOf,
  type Shot,
  type VerdictSettings,
  withWarnings,
} from '../model/index.js';
import type { BaselinePath } from './claim-baseline.js';
import { compareCaptures, compareLoad, withoutTolerance } from './compare-load.js';
import { decide, hasWrongTexts, isChanged, isReplaced, isRewriting, type Policy } from './decide.js';
import { type LoadContext, loadPage, StoryLeftOut } from './load-page.js';
import {
  type ComparedLoad,
  type LoadSides,
  type Observation,
  type Observed,
  sidesOf,
  type Unstable,
} from './observation.js';
import { interrupted, type ShotPages } from './page-session.js';
import { hasOtherTexts, withSteadyTexts } from './rendered-texts.js';

interface ObserveContext extends LoadContext {
  readonly baseline: BaselinePath;
  readonly policy: Policy & { readonly ignoreSnapshots: boolean };
}

/**
 * Observes a shot, in these steps:
 *
 * 1. {@link readComparable} reads its baseline.
 * 2. With `reuse`, an earlier capture with the same files stands for the page.
 * 3. {@link loadUntilCertain} loads the page, and compares each load with the baseline or the other side.
 *
 * With Playwright's `--ignore-snapshots`, nothing is captured. Never throws: a failure is an observation.
 */
export async function observe(given: Shot, pages: ShotPages, context: ObserveContext): Promise<Observed> {
  const { policy, reuse } = context;
  const see = (observation: Observation) => ({ compare: given.compare, observation });
  if (policy.ignoreSnapshots) return see({ status: 'skipped', reason: null });
  try {
    const baseline = await readComparable(given, context.baseline);
    if (baseline.kind === 'image') {
      const stored = reuse?.decide(baseline.sha256);
      if (typeof stored === 'object') return see({ status: 'reused', stored, baseline });
    }
    return await loadUntilCertain(given, baseline, pages, context);
  } catch (cause) {
    if (cause instanceof StoryLeftOut) return see({ status: 'skipped', reason: cause.message });
    return see({
      status: 'failed',
      error: cause instanceof ProofsheetError ? cause : interrupted(given.after.url, cause),
    });
  }
}

/** Reads the baseline of a shot. An earlier attempt of this run may have written one because it was missing. */
export async function readComparable(
  { before, capture }: Shot,
  { path, shownPath, writtenInRun }: BaselinePath,
): Promise<Baseline> {
  return before || writtenInRun.isKnown() ? { kind: 'missing' } : readBaseline(path, capture.format, shownPath);
}

/** Loads of a page for one shot. The last one decides. */
export const MAX_LOADS = 3;

/**
 * Loads a page until its state is certain:
 *
 * | load | it is accepted if | otherwise |
 * |---|---|---|
 * | first | it passes, or the structure explains the change of a page whose clock and frames are controlled: nothing is by chance | loaded again |
 * | second | it looks like the first, and they confirm each other | loaded again |
 * | third | it looks like an earlier one, and they confirm each other | the page is unstable |
 *
 * An image that this run would write as a baseline is never accepted from the first load. {@link isConfirming} says which loads confirm each other.
 */
async function loadUntilCertain(
  given: Shot,
  baseline: Baseline,
  pages: ShotPages,
  context: ObserveContext,
): Promise<Observed> {
  const { policy, stopwatch } = context;
  const loads: ComparedLoad[] = [];
  for (;;) {
    const last = loads.at(-1);
    const load = await loadPage(given, baseline, pages, context, last && sidesOf(last));
    if ('observation' in load) return load;
    const { compare, sides } = load;
    const accept = (captured: ComparedLoad, same: ComparedLoad | null) => {
      const different = loads.filter((one) => one !== same && !isSameBytes(sidesOf(one), sides));
      return { compare, observation: warnAboutLoads(captured, different) };
    };
    const confirming = loads.filter((one) => isConfirming(sidesOf(one), sides, loads));
    const equal = confirming.find((one) => isSameBytes(sidesOf(one), sides));
    // The earlier load has been compared already.
    if (equal) return accept(withSteadyTexts(equal, sides[0]), equal);
    const captured = await stopwatch.time(
      'compare',
      compareLoad(load, given.verdict, baseline, context.baseline.shownPath),
    );
    // A page that cannot be loaded again may have other texts by chance.
    if (!pages.canReload) return accept(withSteadyTexts(captured, null), null);
    if (!needsConfirmation(captured, given.verdict, policy)) return accept(captured, null);
    // A change is judged by the limits of the shot. A baseline must not depend on chance, so two loads must be equal. A third load may differ within the limits.
    const isStrict = captured.before.kind === 'missing' || isRewriting(policy);
    const limits = isStrict ? withoutTolerance(compare) : compare;
    for (const one of confirming)
      if (await stopwatch.time('compare', isSame(limits, sidesOf(one), sides)))
        return accept(withSteadyTexts(captured, one.capture), one);
    loads.push(captured);
    if (loads.length === MAX_LOADS) return { compare, observation: await decideByLimits(compare, loads) };
  }
}

export const OBSERVATION_WARNINGS = { loadsDiffer: 'unsteady' } as const;

function warnAboutLoads(captured: ComparedLoad, differing: readonly ComparedLoad[]): ComparedLoad {
  if (differing.length === 0) return captured;
  const message = `${renderCountOf(differing.length, 'load')} of the page differed`;
  const capture = withWarnings(captured.capture, [{ code: OBSERVATION_WARNINGS.loadsDiffer, message }]);
  return { ...captured, capture, differing };
}

/** Accepts the last load if another one is within the limits of the shot and confirms it, or if all are. */
async function decideByLimits(
  settings: CompareSettings,
  loads: readonly ComparedLoad[],
): Promise<ComparedLoad | Unstable> {
  const [last, ...others] = loads.toReversed();
  const [earlierLoad] = others;
  if (!last || !earlierLoad) throw new Error('expected several loads');
  const sides = sidesOf(last);
  const matches = await Promise.all(others.map((one) => isSame(settings, sidesOf(one), sides)));
  const confirming = others.find((one, index) => matches[index] && isConfirming(sidesOf(one), sides, loads));
  const different = others.filter((_, index) => !matches[index]);
  if (confirming || different.length === 0) {
    const { capture } = confirming ?? earlierLoad;
    return warnAboutLoads(withSteadyTexts(last, capture), different);
  }
  const earlier = sidesOf(earlierLoad);
  const index = isSameImage(earlier[0], sides[0]) ? 1 : 0;
  const [capture, before] = [sides[index] ?? sides[0], earlier[index] ?? earlier[0]];
  const { comparison: motion } = await compareCaptures(withoutTolerance(settings), before, capture);
  const { image: previous, structure: previousStructure } = before;
  return { status: 'unstable', by: 'loads', capture, previous, previousStructure, motion };
}

/**
 * Checks whether a result would write a baseline in this run, or is new, or would be an alarm or a warning about texts that chance may have
 * caused. An exact capture has no chance in it if it misses no response, or only what the baseline missed, such as those of a host that cannot
 * be reached. A change that nothing in the structure of the page explains may be by chance in any case: not everything has the clock of the
 * page, such as an animated SVG image in a style sheet.
 */
function needsConfirmation(captured: ComparedLoad, verdict: VerdictSettings, policy: Policy): boolean {
  const { capture, before } = captured;
  const known = (before.kind === 'baseline' && before.baseline.record?.missing) || [];
  const isCertain = sidesOf(captured).every(
    ({ isExact, missingResponses, lostResponses }) =>
      isExact && lostResponses.length === 0 && isSubset(missingResponses, known),
  );
  const isExplained = !('explanation' in before) || before.explanation === null || before.explanation.hasEdits;
  const isNew = before.kind === 'missing' || (before.kind === 'damaged' && isRewriting(policy));
  const isByChance = isChanged(capture, before) && !(isCertain && isExplained);
  const outcome = decide(verdict, captured, policy);
  const isWritten = isReplaced(before, policy) || ('write' in outcome && outcome.write);
  return isNew || isWritten || isByChance || hasOtherTexts(captured);
}

/**
 * Checks whether two loads that look the same confirm each other. One must have received every response that the other one received. No
 * other load may have received a response that both miss: otherwise, a response that the network lost twice would outvote the load that
 * received it. While two loads are all there are, neither may a connection have broken for the same response.
 */
function isConfirming(one: LoadSides, other: LoadSides, loads: readonly ComparedLoad[]): boolean {
  const [missing, otherMissing] = [missingIn(one), missingIn(other)];
  if (!isSubset(missing, otherMissing) && !isSubset(otherMissing, missing)) return false;
  const both = missing.filter((url) => otherMissing.includes(url));
  const isLostInBoth = lostIn(one).some((url) => lostIn(other).includes(url));
  const isLastLoad = loads.length >= MAX_LOADS - 1;
  return (isLastLoad || !isLostInBoth) && loads.every((load) => isSubset(both, missingIn(sidesOf(load))));
}

function missingIn(sides: LoadSides): string[] {
  return sides.flatMap(({ missingResponses }) => missingResponses);
}

function lostIn(sides: LoadSides): string[] {
  return sides.flatMap(({ lostResponses }) => lostResponses);
}

function isSubset(part: readonly string[], whole: readonly string[]): boolean {
  return part.every((url) => whole.includes(url));
}

function isSameBytes(one: LoadSides, other: LoadSides): boolean {
  return one.every((side, index) => isSameImage(side, other[index]));
}

function isSameImage(one: Capture, other: Capture | undefined): boolean {
  return (
    other !== undefined && hasWrongTexts(one) === hasWrongTexts(other) && one.image.bytes.equals(other.image.bytes)
  );
}

async function isSame(settings: CompareSettings, one: LoadSides, other: LoadSides): Promise<boolean> {
  for (const [index, side] of one.entries()) {
    const second = other[index];
    if (second && hasWrongTexts(side) !== hasWrongTexts(second)) return false;
    if (second && (await compareCaptures(settings, side, second)).comparison.kind === 'different') return false;
  }
  return true;
}

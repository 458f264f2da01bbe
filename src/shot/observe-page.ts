import type { Capture, CaptureResult, Shot } from '../model/index.js';
import type { Stopwatch } from '../page/index.js';
import {
  compareExactly,
  EXACT,
  isConfirming,
  isSame,
  isSameBytes,
  isSameImage,
  isSameSet,
  type Loaded,
  MAX_LOADS,
  missingIn,
} from './compare-loads.js';
import { type Before, type Captured, isRewriting, type Policy, type Unstable } from './decide.js';

/** The captures of one load: of the page, or of both sides of a two-state shot. */
export type Load = Unstable | Loaded;

/** How a page is loaded and compared. */
export interface PageObservation {
  /** The page can be loaded again. It cannot if the test opened it. */
  readonly canReload: boolean;
  /** Measures the comparisons. */
  readonly stopwatch: Stopwatch;
  /**
   * Loads and captures the page.
   *
   * @param earlier - the previous load, if there was one: one image that equals it is enough
   */
  load(earlier: Loaded | null): Promise<Load>;
  /** Compares a capture with its baseline or with its other side. */
  compare(loaded: Loaded): Promise<Captured>;
}

/**
 * Observes a page until its state is certain. A capture that passes is accepted at once, and so is a change of a page whose clock and frames
 * are controlled: nothing of it is by chance. Any other difference, and an image that may become a baseline, is accepted only if a second
 * load of the page shows the same; if it does not, a third load decides. Two loads that each miss a response of the other one do not confirm
 * each other. Neither do two that miss a response of the third one: a response that the network lost twice must not outvote the load that
 * received it.
 */
export async function observePage(
  shot: Shot,
  { load, compare, canReload, stopwatch }: PageObservation,
  policy: Policy,
): Promise<Captured | Unstable> {
  const loads: { readonly loaded: Loaded; readonly evidence: Captured }[] = [];
  while (loads.length < MAX_LOADS) {
    const loaded = await load(loads.at(-1)?.loaded ?? null);
    if (loaded.kind === 'unstable') return loaded;
    const others = (same: Loaded | null) =>
      loads.flatMap((one) => (one.loaded === same || isSameBytes(one.loaded, loaded) ? [] : [one.evidence]));
    const comparable = loads.filter((one) => isConfirming(one.loaded, loaded, loads));
    const equal = comparable.find((one) => isSameBytes(one.loaded, loaded));
    if (equal) return { ...equal.evidence, earlier: others(equal.loaded) };
    const evidence = await stopwatch.time('compare', compare(loaded));
    if (!canReload || !needsConfirmation(evidence, policy)) return { ...evidence, earlier: others(null) };
    // A change is judged by the limits of the shot. A baseline must not depend on chance, so its loads must be equal.
    const limits = evidence.before.kind === 'missing' || isRewriting(policy) ? EXACT : {};
    for (const one of comparable)
      if (await stopwatch.time('compare', isSame(shot, one.loaded, loaded, limits)))
        return { ...evidence, earlier: others(one.loaded) };
    loads.push({ loaded, evidence });
  }
  return decideByLimits(shot, loads);
}

/**
 * Accepts the last load if another one is within the limits of the shot and confirms it, or if all are. Otherwise the loads of the page
 * are too different.
 */
async function decideByLimits(
  shot: Shot,
  loads: readonly { readonly loaded: Loaded; readonly evidence: Captured }[],
): Promise<Captured | Unstable> {
  const [last, ...others] = loads.toReversed();
  const previous = others[0];
  if (!last || !previous) throw new Error('expected several loads');
  const matches = await Promise.all(others.map(({ loaded }) => isSame(shot, loaded, last.loaded, {})));
  const confirms = others.map(({ loaded }) => isConfirming(loaded, last.loaded, loads));
  if (matches.every(Boolean) || matches.some((isMatch, index) => isMatch && confirms[index])) {
    const different = others.filter((_, index) => !matches[index]);
    return { ...last.evidence, earlier: different.map(({ evidence }) => evidence) };
  }
  const side = isSameImage(previous.loaded.after, last.loaded.after) ? 'before' : 'after';
  const [capture, before] = [last.loaded[side] ?? last.loaded.after, previous.loaded[side] ?? previous.loaded.after];
  const result = { kind: 'unstable', capture, previous: before.image } as const;
  const isLossEqual = others.every(({ loaded }) => isSameSet(missingIn(loaded), missingIn(last.loaded)));
  const by = isLossEqual ? 'loads' : 'responses';
  return {
    kind: 'unstable',
    by,
    result,
    previous: before.structure,
    motion: await compareExactly(shot, before, capture),
  };
}

/**
 * Checks whether a result would write a baseline, now or by approval, or would be an alarm that chance may have caused. An exact capture
 * that misses no response has no chance in it.
 */
function needsConfirmation({ capture, before }: Captured, policy: Policy): boolean {
  const sides = before.kind === 'live' ? [capture, before.capture] : [capture];
  const isCertain = sides.every(({ isExact, missingResponses }) => isExact && missingResponses.length === 0);
  return becomesBaseline(before, policy) || (isDifferent(before) && !isCertain);
}

function isDifferent(before: Before): boolean {
  return (before.kind === 'live' || before.kind === 'baseline') && before.comparison.kind === 'different';
}

/** Checks whether a result writes a baseline, now or by approval. */
function becomesBaseline(before: Before, policy: Policy): boolean {
  switch (before.kind) {
    case 'missing':
      return true;
    case 'damaged':
      return isRewriting(policy);
    case 'live':
      return false;
    case 'baseline':
      if (before.outdated.length > 0) return isRewriting(policy);
      if (policy.mode === 'all') return before.comparison.kind !== 'equal';
      return isRewriting(policy) && before.comparison.kind === 'different';
    default:
      return before satisfies never;
  }
}

/**
 * Compares the last two screenshots of a capture that did not become stable. It uses no tolerance, because their bytes differ.
 *
 * @returns the capture if it is stable, or if only ignored areas changed.
 */
export async function requireStable(shot: Shot, result: CaptureResult): Promise<Unstable | Capture> {
  if (result.kind === 'settled') return result.capture;
  const { capture, previous } = result;
  const motion = await compareExactly(shot, { ...capture, image: previous }, capture);
  const hasIgnored = capture.ignored.some(({ rectangles }) => rectangles.length > 0);
  if (hasIgnored && motion.kind !== 'different') return capture;
  return { kind: 'unstable', by: 'time', result, previous: null, motion };
}

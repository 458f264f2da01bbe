import { compareInWorker } from '../compare/index.js';
import type { Explanation } from '../explain/index.js';
import {
  type Capture,
  type CaptureResult,
  type CompareSettings,
  type Comparison,
  resolveAntialiasing,
} from '../model/index.js';
import type { Stopwatch } from '../page/index.js';
import {
  type Before,
  type Captured,
  isDifferent,
  isReplaced,
  isRewriting,
  type Policy,
  type Unstable,
} from './decide.js';
import { excludeBoth } from './excluded-areas.js';

/** The captures of a load that became stable. */
export interface Load {
  readonly status: 'loaded';
  readonly after: Capture;
  /** The other side of a two-state shot; null if the capture is compared with the baseline on disk. */
  readonly before: Capture | null;
  /** What explains a difference from the baseline, or between both sides; null if it is not known. */
  readonly explanation: Explanation | null;
}

/** How a page is loaded and compared. */
export interface PageLoader {
  /** The page can be loaded again. It cannot if the test opened it. */
  readonly canReload: boolean;
  /** Returns the limits of the shot. A story may set its own, which are known after its first load. */
  settings(): CompareSettings;
  /** Measures the comparisons. */
  readonly stopwatch: Stopwatch;
  /**
   * Loads and captures the page.
   *
   * @param earlier - the previous load, if there was one: one image that equals it is enough
   */
  load(earlier: Load | null): Promise<Load | Unstable>;
  /** Compares a capture with its baseline or with its other side. */
  compare(load: Load): Promise<Captured>;
}

/** Maximum number of loads of a page for one shot. The last one decides. */
export const MAX_LOADS = 3;

interface ComparedLoad {
  readonly load: Load;
  readonly captured: Captured;
}

/**
 * Loads a page until its state is certain. A capture that passes is accepted at once, and so is a change of a page whose clock and frames
 * are controlled: nothing of it is by chance. Any other difference, and an image that may become a baseline, is accepted only if a second
 * load of the page shows the same; if it does not, a third load decides. Two loads that each miss a response of the other one do not confirm
 * each other. Neither do two that miss a response of the third one: a response that the network lost twice must not outvote the load that
 * received it.
 */
export async function loadUntilCertain(
  { load: loadPage, compare, canReload, settings, stopwatch }: PageLoader,
  policy: Policy,
): Promise<Captured | Unstable> {
  const loads: ComparedLoad[] = [];
  while (loads.length < MAX_LOADS) {
    const load = await loadPage(loads.at(-1)?.load ?? null);
    if (load.status === 'unstable') return load;
    const others = (same: Load | null) =>
      loads.flatMap((one) => (one.load === same || isSameBytes(one.load, load) ? [] : [one.captured]));
    const comparable = loads.filter((one) => isConfirming(one.load, load, loads));
    const equal = comparable.find((one) => isSameBytes(one.load, load));
    if (equal) return { ...equal.captured, earlier: others(equal.load) };
    const captured = await stopwatch.time('compare', compare(load));
    if (!canReload || !needsConfirmation(captured, policy)) return { ...captured, earlier: others(null) };
    // A change is judged by the limits of the shot. A baseline must not depend on chance, so its loads must be equal.
    const limits =
      captured.before.kind === 'missing' || isRewriting(policy) ? withoutTolerance(settings()) : settings();
    for (const one of comparable)
      if (await stopwatch.time('compare', isSame(limits, one.load, load)))
        return { ...captured, earlier: others(one.load) };
    loads.push({ load, captured });
  }
  return decideByLimits(settings(), loads);
}

/**
 * Accepts the last load if another one is within the limits of the shot and confirms it, or if all are. Otherwise the loads of the page
 * are too different.
 */
async function decideByLimits(settings: CompareSettings, loads: readonly ComparedLoad[]): Promise<Captured | Unstable> {
  const [last, ...others] = loads.toReversed();
  const previous = others[0];
  if (!last || !previous) throw new Error('expected several loads');
  const matches = await Promise.all(others.map(({ load }) => isSame(settings, load, last.load)));
  const confirms = others.map(({ load }) => isConfirming(load, last.load, loads));
  if (matches.every(Boolean) || matches.some((isMatch, index) => isMatch && confirms[index])) {
    const different = others.filter((_, index) => !matches[index]);
    return { ...last.captured, earlier: different.map(({ captured }) => captured) };
  }
  const side = isSameImage(previous.load.after, last.load.after) ? 'before' : 'after';
  const [capture, before] = [last.load[side] ?? last.load.after, previous.load[side] ?? previous.load.after];
  const isLossEqual = others.every(({ load }) => isSameSet(missingIn(load), missingIn(last.load)));
  return {
    status: 'unstable',
    by: isLossEqual ? 'loads' : 'responses',
    result: { kind: 'unstable', capture, previous: before.image },
    previous: before.structure,
    motion: await compareCaptures(withoutTolerance(settings), before, capture),
  };
}

/**
 * Checks whether a result would write a baseline, now or by approval, or would be an alarm that chance may have caused. An exact capture
 * that misses no response has no chance in it.
 */
function needsConfirmation({ capture, before }: Captured, policy: Policy): boolean {
  const sides = before.kind === 'live' ? [capture, before.capture] : [capture];
  const isCertain = sides.every(({ isExact, missingResponses }) => isExact && missingResponses.length === 0);
  return mayWrite(before, policy) || (isDifferent(before) && !isCertain);
}

function mayWrite(before: Before, policy: Policy): boolean {
  switch (before.kind) {
    case 'missing':
      return true;
    case 'damaged':
      return isRewriting(policy);
    case 'live':
      return false;
    case 'baseline':
      return isReplaced(before, policy);
    default:
      return before satisfies never;
  }
}

/**
 * Compares the last two screenshots of a capture that did not become stable. It uses no tolerance, because their bytes differ.
 *
 * @returns the capture if it is stable, or if only ignored areas changed.
 */
export async function requireStable(settings: CompareSettings, result: CaptureResult): Promise<Unstable | Capture> {
  if (result.kind === 'settled') return result.capture;
  const { capture, previous } = result;
  const motion = await compareCaptures(withoutTolerance(settings), { ...capture, image: previous }, capture);
  const hasIgnored = capture.ignored.some(({ rectangles }) => rectangles.length > 0);
  if (hasIgnored && motion.kind !== 'different') return capture;
  return { status: 'unstable', by: 'time', result, previous: null, motion };
}

/**
 * Checks that two loads confirm each other if they look the same: one received everything that the other one received, and they do not
 * both miss a response that a third load received. If the network lost a response of both, that is only known after the third load.
 */
function isConfirming(one: Load, other: Load, loads: readonly ComparedLoad[]): boolean {
  const [missing, otherMissing] = [missingIn(one), missingIn(other)];
  if (!isSubset(missing, otherMissing) && !isSubset(otherMissing, missing)) return false;
  const both = missing.filter((url) => otherMissing.includes(url));
  const isLostInBoth = lostIn(one).some((url) => lostIn(other).includes(url));
  const isThird = loads.length >= MAX_LOADS - 1;
  return (isThird || !isLostInBoth) && loads.every(({ load }) => isSubset(both, missingIn(load)));
}

function missingIn({ after, before }: Load): readonly string[] {
  return [...after.missingResponses, ...(before?.missingResponses ?? [])];
}

function lostIn({ after, before }: Load): readonly string[] {
  return [...after.lostResponses, ...(before?.lostResponses ?? [])];
}

function isSubset(part: readonly string[], whole: readonly string[]): boolean {
  return part.every((url) => whole.includes(url));
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return isSubset(one, other) && isSubset(other, one);
}

function isSameBytes(one: Load, other: Load): boolean {
  return isSameImage(one.after, other.after) && isSameImage(one.before, other.before);
}

function isSameImage(one: Capture | null, other: Capture | null): boolean {
  return one === other || (one !== null && other !== null && one.image.bytes.equals(other.image.bytes));
}

async function isSame(settings: CompareSettings, one: Load, other: Load): Promise<boolean> {
  for (const side of ['after', 'before'] as const) {
    const [first, second] = [one[side], other[side]];
    if (first && second && (await compareCaptures(settings, first, second)).kind === 'different') return false;
  }
  return true;
}

function withoutTolerance(settings: CompareSettings): CompareSettings {
  const limits = { threshold: 0, maxDiffPixels: 0, maxDiffPixelRatio: null, maxSizeDiff: 0, allowShift: 0 };
  return { ...settings, ...limits, antialiasing: 'count' };
}

/** Compares two captures of one run, except in ignored areas. */
export function compareCaptures(settings: CompareSettings, one: Capture, other: Capture): Promise<Comparison> {
  // One run captures both, in one environment.
  const antialiasing = resolveAntialiasing(settings.antialiasing, true);
  return compareInWorker(one.image, other.image, { ...settings, antialiasing }, excludeBoth(one, other).areas);
}

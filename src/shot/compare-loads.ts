import { compareInWorker } from '../compare/index.js';
import { type Capture, type CompareSettings, type Comparison, resolveAntialiasing, type Shot } from '../model/index.js';
import { excludeBoth } from './excluded-areas.js';

/** The captures of a load that became stable. */
export interface Loaded {
  readonly kind: 'loaded';
  readonly after: Capture;
  /** The other side of a two-state shot; null if the capture is compared with the baseline on disk. */
  readonly before: Capture | null;
}

/** Maximum number of loads of a page for one shot. The last one decides. */
export const MAX_LOADS = 3;

/**
 * Checks that two loads confirm each other if they look the same: one is as complete as the other, and they do not both miss a response
 * that a third load received. If the network lost a response of both, that is only known after the third load.
 *
 * @param loads - all loads, with or without `other`
 */
export function isConfirming(one: Loaded, other: Loaded, loads: readonly { readonly loaded: Loaded }[]): boolean {
  if (!isAsComplete(one, other)) return false;
  const missing = intersect(missingIn(one), missingIn(other));
  const isLostInBoth = intersect(lostIn(one), lostIn(other)).length > 0;
  const isThird = loads.length >= MAX_LOADS - 1;
  return (isThird || !isLostInBoth) && loads.every(({ loaded }) => isSubset(missing, missingIn(loaded)));
}

/**
 * Checks that one of two loads received everything that the other one received. If each misses a response that the other one has,
 * both may lack what makes the page complete, and look the same.
 */
function isAsComplete(one: Loaded, other: Loaded): boolean {
  const [missing, otherMissing] = [missingIn(one), missingIn(other)];
  return isSubset(missing, otherMissing) || isSubset(otherMissing, missing);
}

/** Checks whether two lists have the same entries, in any order. */
export function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return isSubset(one, other) && isSubset(other, one);
}

/** Lists the URLs of the responses that a load did not receive, on both sides. */
export function missingIn({ after, before }: Loaded): readonly string[] {
  return [...after.missingResponses, ...(before?.missingResponses ?? [])];
}

/** Lists those of them that the network lost. */
function lostIn({ after, before }: Loaded): readonly string[] {
  return [...after.lostResponses, ...(before?.lostResponses ?? [])];
}

function intersect(some: readonly string[], others: readonly string[]): readonly string[] {
  return some.filter((url) => others.includes(url));
}

function isSubset(part: readonly string[], whole: readonly string[]): boolean {
  return part.every((url) => whole.includes(url));
}

/** Checks whether the images of two loads are equal, byte for byte, on both sides. */
export function isSameBytes(one: Loaded, other: Loaded): boolean {
  return isSameImage(one.after, other.after) && isSameImage(one.before, other.before);
}

/** Checks whether two images are equal, byte for byte. */
export function isSameImage(one: Capture | null, other: Capture | null): boolean {
  return one === other || (one !== null && other !== null && one.image.bytes.equals(other.image.bytes));
}

/** Checks whether two loads match within the limits of a shot, or within others. */
export async function isSame(
  shot: Shot,
  one: Loaded,
  other: Loaded,
  limits: Partial<CompareSettings>,
): Promise<boolean> {
  for (const side of ['after', 'before'] as const) {
    const [first, second] = [one[side], other[side]];
    if (first && second && (await compareCaptures(shot, first, second, limits)).kind === 'different') return false;
  }
  return true;
}

/** Limits without any tolerance. */
export const EXACT = {
  threshold: 0,
  maxDiffPixels: 0,
  maxDiffPixelRatio: null,
  maxSizeDiff: 0,
  allowShift: 0,
  antialiasing: 'count',
} as const;

/** Compares two captures without any tolerance, except in ignored areas. */
export function compareExactly(shot: Shot, one: Capture, other: Capture): Promise<Comparison> {
  return compareCaptures(shot, one, other, EXACT);
}

function compareCaptures(
  shot: Shot,
  one: Capture,
  other: Capture,
  limits: Partial<CompareSettings>,
): Promise<Comparison> {
  const settings = { ...shot.compare, ...limits };
  // One run captures both, in one environment.
  const antialiasing = resolveAntialiasing(settings.antialiasing, true);
  return compareInWorker(one.image, other.image, { ...settings, antialiasing }, excludeBoth(one, other).areas);
}

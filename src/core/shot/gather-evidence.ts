import { readBaseline } from '../../baselines/baseline.js';
import { compareInWorker } from '../../compare/worker/compare-worker.js';
import type { Capture, CaptureResult } from '../../model/capture.js';
import type { Environment } from '../../model/environment.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import type { EncodedImage } from '../../model/image.js';
import { resolveAntialiasing } from '../../model/list/fields.js';
import type { Shot } from '../../model/shot.js';
import type { Before, Evidence } from './decide.js';
import { excludeBoth, ownShare, warnOfShare } from './excluded-areas.js';
import { expectBaseline } from './expect-baseline.js';
import { readImage } from './read-image.js';

/** Captures one side of a shot; `isExpected` tells it when one image is enough. */
export type CaptureFunction = (help: {
  readonly timeoutMs: number;
  readonly isExpected: (bytes: Buffer) => boolean;
  readonly readImage: (bytes: Buffer) => EncodedImage;
}) => Promise<CaptureResult>;

/** The sides of a shot. `before` is null where the baseline on disk is before. */
export interface CaptureFunctions {
  readonly after: CaptureFunction;
  readonly before: CaptureFunction | null;
}

/** A baseline's place on disk, and as the user is told it. */
export interface BaselinePath {
  readonly path: string;
  readonly shownPath: string;
  /** Whether this very run wrote it because it was missing, and how to say so. */
  readonly writtenInRun: { isKnown(): boolean; mark(): void };
}

/** What is known of a shot before its capture. */
export interface Given {
  readonly baseline: BaselinePath;
  readonly headless: Environment['headless'];
}

/** Finds out all that the outcome of a shot depends on. Never throws: what fails is evidence too. */
export async function gatherEvidence(shot: Shot, captureFunctions: CaptureFunctions, given: Given): Promise<Evidence> {
  try {
    return captureFunctions.before
      ? await gatherLive(shot, captureFunctions.after, captureFunctions.before)
      : await gatherOnDisk(shot, captureFunctions.after, given);
  } catch (cause) {
    return { kind: 'failed', error: cause instanceof ProofsheetError ? cause : interrupted(shot, cause) };
  }
}

async function gatherOnDisk(shot: Shot, shutter: CaptureFunction, given: Given): Promise<Evidence> {
  const { path, shownPath, writtenInRun } = given.baseline;
  // What an earlier attempt of this run wrote because it was missing is nothing to compare with.
  const baseline = writtenInRun.isKnown() ? MISSING : await readBaseline(path, shot.capture.format, shownPath);
  const expected = expectBaseline(baseline, shot.compare, given.headless);
  const result = await shutter({ timeoutMs: shot.timeoutMs, isExpected: expected.isMet, readImage });
  const unstable = await findMotion(shot, result);
  if (unstable) return unstable;
  return judged(shot, result.capture, await expected.compare(result.capture));
}

/** A capture has the warnings of its comparison among its own. */
function judged({ compare, minCompared }: Shot, capture: Capture, before: Before): Evidence {
  const isCompared = before.kind === 'baseline' || before.kind === 'live';
  const compared = isCompared ? before.compared : ownShare(capture);
  const more = [
    ...(before.kind === 'baseline' ? before.warnings : []),
    // Below the least share it is an error.
    ...(compared < minCompared ? [] : warnOfShare(compared, isCompared ? before.comparison : null, compare)),
  ];
  return { kind: 'captured', capture: { ...capture, warnings: [...capture.warnings, ...more] }, before };
}

const MISSING = { kind: 'missing' } as const;

async function gatherLive(shot: Shot, shootAfter: CaptureFunction, shootBefore: CaptureFunction): Promise<Evidence> {
  // Two pages that are still loading may look alike: neither side is what the other is expected to be.
  const help = { timeoutMs: shot.timeoutMs, isExpected: () => false, readImage };
  const sides = await Promise.allSettled([shootBefore(help), shootAfter(help)]);
  const [before, after] = sides.map((side) => {
    if (side.status === 'rejected') throw side.reason;
    return side.value;
  });
  if (!before || !after) throw new Error('a two-state shot has two sides');
  const unstable = (await findMotion(shot, before)) ?? (await findMotion(shot, after));
  if (unstable) return unstable;
  const { areas, compared } = excludeBoth(before.capture, after.capture);
  // One run captures both sides, in one environment.
  const settings = { ...shot.compare, antialiasing: resolveAntialiasing(shot.compare.antialiasing, true) };
  const comparison = await compareInWorker(before.capture.image, after.capture.image, settings, areas);
  return judged(shot, after.capture, { kind: 'live', capture: before.capture, comparison, compared });
}

/**
 * Finds what moved, at no tolerance at all: the frames were different to the byte.
 *
 * @returns null where a capture stood still, or moved only where that is ignored.
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
    found: `the capture was cut short (${messageOf(cause).split('\n')[0]})`,
    advice: 'The browser or the page went away while it was captured: run it again.',
  });
}

import { createHash } from 'node:crypto';
import type { Deadline } from '../deadline.js';
import type { PlannedTimers } from './planned-timers.js';

/** Pauses between the first shots, and those between all others, which go round: at no rhythm that a page could have. */
const PAUSES_MS = { first: [100, 250], others: [500, 330, 170, 390, 290] };

/** How long shots go on until two in a row are equal; longer where more of them have to be. */
const BUDGET_MS = 5_000;

/** How far ahead we look for what the page has planned, before an image that is not the expected one is believed. */
export const HORIZON_MS = 2_500;

/** How long we look for what was due within the horizon: on a busy machine all things are late. */
const LATE_MS = 600;

/** What taking shots until they stand still ends in. */
export type StableShot =
  | { readonly kind: 'settled'; readonly bytes: Buffer; readonly shots: number }
  /** `previous` is the last one that differs from `bytes`. */
  | { readonly kind: 'unstable'; readonly bytes: Buffer; readonly previous: Buffer; readonly shots: number };

/** What takes the shots. */
export interface Shooting {
  shoot(): Promise<Buffer>;
  /** Has the page drawn anew, for a shot that is to tell more than that the browser kept what it had drawn. */
  redraw(): Promise<void>;
}

/** What decides whether a shot is the last one. */
export interface Judge {
  /** Checks whether a shot is the expected image already, to the byte: then one is enough. */
  readonly isExpected: (bytes: Buffer) => boolean;
  /** Waits until no response is pending that could still change the page, no longer than its own cap. */
  readonly settled: () => Promise<void>;
  /** Checks whether one was pending at this time (`performance.now()`) or later. */
  readonly isPendingSince: (since: number) => Promise<boolean>;
  /** Tells what the page has planned within this time. Within 0 ms lies what was due before and is late. */
  readonly plans: (withinMs: number) => Promise<PlannedTimers>;
  /** Tells how many images in a row have to be equal before one that is not the expected one is believed, at least 2. */
  readonly enough: () => Promise<number>;
  /** How far ahead the list has us look (`settle: { late }`), where that is further than the horizon. */
  readonly lateMs: number;
}

/**
 * Takes shots until one is as expected, or enough in a row are equal to the byte, whatever the comparison would tolerate, and
 * the page has nothing planned that could still change it. Where it had, and changed, it has to stand still for longer.
 */
export async function takeStableShot(
  shooting: Shooting,
  { isExpected, settled, isPendingSince, plans, enough, lateMs }: Judge,
  deadline: Deadline,
): Promise<StableShot> {
  const shoot = () => deadline.race('taking the image', shooting.shoot());
  const awaitPending = () => deadline.race('waiting for responses', settled());
  const isPending = (since: number) => deadline.race('waiting for responses', isPendingSince(since));
  const start = performance.now();
  const horizon = start + Math.min(Math.max(HORIZON_MS, lateMs), deadline.remainingMs(1 / 2));
  const budgetMs = BUDGET_MS + Math.max(0, lateMs - HORIZON_MS);
  await awaitPending();
  let begun = performance.now();
  let previous = await shoot();
  let wasExpected = isExpected(previous);
  if (wasExpected && !(await isPending(begun))) return { kind: 'settled', bytes: previous, shots: 1 };
  const least = await deadline.race('looking at the page', enough());
  const end = start + Math.min((budgetMs * least) / 2, (deadline.remainingMs() + performance.now() - start) / 2);
  const rhythm = createRhythm(previous);
  let different = previous;
  let isPlanned = false;
  let repeats = false;
  let { aheadMs: ahead, periodMs: period } = NO_PLANS;
  for (let shots = 2; ; shots++) {
    // What is planned may come early, and may be the expected image: so it is looked for now and then. What comes and goes
    // is seen when two images are as far apart as it comes.
    const ended = performance.now();
    const tookMs = ended - begun;
    const turn = period === null ? null : LEAST_PAUSE_MS + untilOddMultiple(period, tookMs + LEAST_PAUSE_MS);
    // Where several have to be equal since the browser may draw them in several ways, time is not what makes the difference.
    const ownMs = least > rhythm.alike() && rhythm.alike() === shots - 1 ? LEAST_PAUSE_MS : pauseBefore(shots);
    const pauseMs = turn ?? Math.min(ahead || Number.POSITIVE_INFINITY, ownMs);
    if (wasExpected) await awaitPending();
    else {
      // The first image was spared it: mostly it is the expected one.
      await deadline.race('drawing the page anew', shooting.redraw());
      await pause(ended + pauseMs - performance.now());
    }
    const left = horizon - performance.now();
    // Asked before the image is taken: what came between an image and the question would be in neither.
    const plannedTimers =
      left > -LATE_MS ? await deadline.race('asking for plans', plans(Math.max(0, left))) : NO_PLANS;
    ahead = plannedTimers.aheadMs;
    period = plannedTimers.periodMs;
    begun = performance.now();
    const bytes = await shoot();
    wasExpected = isExpected(bytes);
    if (wasExpected && !(await isPending(begun))) return { kind: 'settled', bytes, shots };
    const same = bytes.equals(previous);
    rhythm.note(bytes, same);
    if (!same) different = previous;
    isPlanned ||= ahead > 0;
    repeats ||= period !== null;
    // An expected image before its response is equal to the next one by chance.
    if (!wasExpected && rhythm.alike() >= least && ahead <= 0 && !(isPlanned && rhythm.isMoving(false)))
      return { kind: 'settled', bytes, shots };
    if (performance.now() > end) {
      // Of what a timer changes again and again, a busy machine sees too little to say that it has ended.
      if (same && !rhythm.isMoving(true) && !(repeats && rhythm.isSeenLittle()))
        return { kind: 'settled', bytes, shots };
      return { kind: 'unstable', bytes, previous: different, shots };
    }
    previous = bytes;
  }
}

const LEAST_PAUSE_MS = 100;

const NO_PLANS: PlannedTimers = { aheadMs: 0, periodMs: null };

/** The time until one, three, five ... times `period` have passed; at an even one, what comes and goes is as it was. */
function untilOddMultiple(period: number, passedMs: number): number {
  const turns = Math.max(1, Math.ceil(passedMs / Math.max(1, period)));
  return (turns % 2 === 1 ? turns : turns + 1) * period - passedMs;
}

function pauseBefore(shots: number): number {
  const { first, others } = PAUSES_MS;
  const index = shots - 2;
  return first[index] ?? others[(index - first.length) % others.length] ?? 0;
}

/** In what rhythm the images of a page have changed. */
interface Rhythm {
  /** Takes note of an image, and whether it is the same as the one before. */
  note(bytes: Buffer, same: boolean): void;
  /**
   * Checks whether the next change may be still to come, going by those that were seen.
   *
   * @param isLast there is no time for more images.
   */
  isMoving(isLast: boolean): boolean;
  /** Returns how many images in a row, up to the last one, are the same. */
  alike(): number;
  /** It changed, and too few images have been the same since. */
  isSeenLittle(): boolean;
}

/** How long, and in how many images, a page that carries out what it has planned has to stand still. */
const STILL = { changedMs: 600, alternatingMs: 2_000, images: 6 };

function createRhythm(first: Buffer): Rhythm {
  const seen = new Set([digestOf(first)]);
  const changes: number[] = [];
  let alternates = false;
  let images = 1;
  return {
    note(bytes, same) {
      images = same ? images + 1 : 1;
      if (same) return;
      const digest = digestOf(bytes);
      // Two equal images of what comes and goes say nothing: they may be of two of its rounds.
      alternates ||= seen.has(digest);
      seen.add(digest);
      changes.push(performance.now());
    },
    isMoving(isLast) {
      const last = changes.at(-1);
      if (last === undefined) return false;
      const longest = Math.max(0, ...changes.slice(1).map((time, index) => time - (changes[index] ?? time)));
      const stillMs = alternates ? STILL.alternatingMs : Math.max(STILL.changedMs, 2 * longest);
      if (performance.now() - last < stillMs) return true;
      return isLast ? alternates : images < STILL.images;
    },
    alike: () => images,
    isSeenLittle: () => changes.length > 0 && images < STILL.images,
  };
}

function digestOf(bytes: Buffer): string {
  return createHash('sha1').update(bytes).digest('hex');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

import { createHash } from 'node:crypto';
import type { Deadline } from './deadline.js';

/** Pauses between the first shots, and those between all others, which go round: at no rhythm that a page could have. */
const PAUSES_MS = { first: [100, 250], others: [500, 330, 170, 390, 290] };

/** How long shots go on until two in a row are equal. */
const BUDGET_MS = 5_000;

/** How far ahead we look for what the page has planned, before an image that is not the expected one is believed. */
export const HORIZON_MS = 2_500;

/** What taking shots until they stand still ends in. */
export type StableShot =
  | { readonly kind: 'settled'; readonly bytes: Buffer; readonly shots: number }
  /** `previous` is the last one that differs from `bytes`. */
  | { readonly kind: 'unstable'; readonly bytes: Buffer; readonly previous: Buffer; readonly shots: number };

/** What decides whether a shot is the last one. */
export interface Judge {
  /** Tells whether a shot is the expected image already, to the byte: then one is enough. */
  readonly isExpected: (bytes: Buffer) => boolean;
  /** Gives the milliseconds until the last thing that the page has planned within this time; 0 when there is nothing. */
  readonly aheadMs: (withinMs: number) => Promise<number>;
}

/**
 * Takes shots until one is as expected, or two in a row are equal to the byte, whatever the comparison would tolerate, and
 * the page has nothing planned that could still change it. Where it had, and changed, it has to stand still for longer.
 */
export async function takeStableShot(
  shoot: () => Promise<Buffer>,
  { isExpected, aheadMs }: Judge,
  deadline: Deadline,
): Promise<StableShot> {
  const start = performance.now();
  const end = start + Math.min(BUDGET_MS, deadline.remainingMs() / 2);
  const horizon = start + Math.min(HORIZON_MS, deadline.remainingMs() / 2);
  let previous = await shoot();
  if (isExpected(previous)) return { kind: 'settled', bytes: previous, shots: 1 };
  const rhythm = createRhythm(previous);
  let different = previous;
  let isPlanned = false;
  let wait = Number.POSITIVE_INFINITY;
  for (let shots = 2; ; shots++) {
    // What is planned may come early, and may be the expected image: so it is looked for now and then.
    await pause(Math.min(wait, pauseBefore(shots)));
    const bytes = await shoot();
    if (isExpected(bytes)) return { kind: 'settled', bytes, shots };
    const same = bytes.equals(previous);
    if (!same) {
      rhythm.note(bytes);
      different = previous;
    }
    const left = horizon - performance.now();
    const ahead = same && left > 0 ? Math.min(await aheadMs(left), left) : 0;
    isPlanned ||= ahead > 0;
    if (same && ahead <= 0 && !(isPlanned && rhythm.isMoving())) return { kind: 'settled', bytes, shots };
    if (performance.now() > end) return { kind: 'unstable', bytes, previous: different, shots };
    wait = ahead > 0 ? ahead : Number.POSITIVE_INFINITY;
    previous = bytes;
  }
}

function pauseBefore(shots: number): number {
  const { first, others } = PAUSES_MS;
  const index = shots - 2;
  return first[index] ?? others[(index - first.length) % others.length] ?? 0;
}

/** In what rhythm the images of a page have changed. */
interface Rhythm {
  /** Takes note of an image that is not the one before. */
  note(bytes: Buffer): void;
  /** Tells whether the next change may be still to come, going by those that were seen. */
  isMoving(): boolean;
}

/** How long a page that carries out what it has planned has to stand still, in milliseconds. */
const STILL_MS = { changed: 600, alternating: 2_000 };

function createRhythm(first: Buffer): Rhythm {
  const seen = new Set([digestOf(first)]);
  const changes: number[] = [];
  let alternates = false;
  return {
    note(bytes) {
      const digest = digestOf(bytes);
      // Two equal shots of what comes and goes say nothing: they may be of two of its rounds.
      alternates ||= seen.has(digest);
      seen.add(digest);
      changes.push(performance.now());
    },
    isMoving() {
      const last = changes.at(-1);
      if (last === undefined) return false;
      const longest = Math.max(0, ...changes.slice(1).map((time, index) => time - (changes[index] ?? time)));
      const still = alternates ? STILL_MS.alternating : Math.max(STILL_MS.changed, 2 * longest);
      return performance.now() - last < still;
    },
  };
}

function digestOf(bytes: Buffer): string {
  return createHash('sha1').update(bytes).digest('hex');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

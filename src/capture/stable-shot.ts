import type { Deadline } from './deadline.js';

/** Pauses between shots, in milliseconds; the last one goes on. */
const PAUSES_MS = [100, 250, 500];

/** How long shots go on until two in a row are equal. */
const BUDGET_MS = 5_000;

/** How far ahead we look for what the page has planned, before an image that is not the expected one is believed. */
export const HORIZON_MS = 2_500;

/** What taking shots until they stand still ends in. */
export type StableShot =
  | { readonly kind: 'settled'; readonly bytes: Buffer; readonly shots: number }
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
 * the page has nothing planned that could still change it.
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
  let wait = 0;
  for (let shots = 2; ; shots++) {
    await pause(wait || (PAUSES_MS[Math.min(shots - 2, PAUSES_MS.length - 1)] ?? 0));
    const bytes = await shoot();
    if (isExpected(bytes)) return { kind: 'settled', bytes, shots };
    const left = horizon - performance.now();
    wait = bytes.equals(previous) && left > 0 ? Math.min(await aheadMs(left), LONGEST_WAIT_MS) : 0;
    if (bytes.equals(previous) && wait <= 0) return { kind: 'settled', bytes, shots };
    if (performance.now() > end) return { kind: 'unstable', bytes, previous, shots };
    previous = bytes;
  }
}

/** What is planned may come early, and may be the expected image: so it is looked for now and then. */
const LONGEST_WAIT_MS = 500;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

import type { Deadline } from './deadline.js';

/** Pauses between shots, in milliseconds; the last one goes on. */
const PAUSES_MS = [100, 250, 500];

/** How long shots go on until two in a row are equal. */
const BUDGET_MS = 5_000;

/** What taking shots until they stand still ends in. */
export type StableShot =
  | { readonly kind: 'settled'; readonly bytes: Buffer; readonly shots: number }
  | { readonly kind: 'unstable'; readonly bytes: Buffer; readonly previous: Buffer; readonly shots: number };

/**
 * Takes shots until one is as expected, or two in a row are equal to the byte, whatever the comparison would tolerate.
 *
 * @param isExpected tells whether a shot is the expected image already, to the byte: then one is enough.
 */
export async function takeStableShot(
  shoot: () => Promise<Buffer>,
  isExpected: (bytes: Buffer) => boolean,
  deadline: Deadline,
): Promise<StableShot> {
  const end = performance.now() + Math.min(BUDGET_MS, deadline.remainingMs() / 2);
  let previous = await shoot();
  if (isExpected(previous)) return { kind: 'settled', bytes: previous, shots: 1 };
  for (let shots = 2; ; shots++) {
    await pause(PAUSES_MS[Math.min(shots - 2, PAUSES_MS.length - 1)] ?? 0);
    const bytes = await shoot();
    if (bytes.equals(previous) || isExpected(bytes)) return { kind: 'settled', bytes, shots };
    if (performance.now() > end) return { kind: 'unstable', bytes, previous, shots };
    previous = bytes;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

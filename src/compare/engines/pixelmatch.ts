import { createRequire } from 'node:module';
import pixelmatch from 'pixelmatch';
import { areaOf } from '../../image/canvas.js';
import type { Pixels } from '../../model/image.js';
import { type Finding, findingOf, NOTHING } from '../finding.js';
import type { Side } from '../side.js';

/** Compares by pixelmatch, in this process; an Engine. */
export async function compareByPixelmatch(before: Side, after: Side, threshold: number): Promise<Finding> {
  const [left, right] = [await before.pixels(), await after.pixels()];
  const all = new Uint8Array(areaOf(left) * 4);
  if (match(left, right, all, threshold, true) === 0) return NOTHING;
  const changed = new Uint8Array(all.length);
  match(left, right, changed, threshold, false);
  return findingOf(left, all, changed);
}

/** Gives the version that is installed, such as 7.2.0. */
export function pixelmatchVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)('pixelmatch/package.json');
  return version;
}

function match({ width, height, data }: Pixels, after: Pixels, out: Uint8Array, threshold: number, includeAA: boolean) {
  return pixelmatch(data, after.data, out, width, height, { threshold, includeAA, diffMask: true });
}

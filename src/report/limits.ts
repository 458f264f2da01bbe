import type { Size } from '../model/image.js';
import type { ShotRecord } from '../model/record.js';
import { renderCount, renderPercentage, renderSize } from './words.js';

/** A limit, and what it means for one shot. */
type Limits = NonNullable<ShotRecord['limits']>;

/** Says what a shot fails above, in words: `0.1 % = 10,240 px of 1280x8000`. */
export function renderLimit(shot: ShotRecord): string {
  const { limits, summary } = shot;
  if (!limits) return 'no limit was set';
  const count = limits.maxDiffPixels === null ? null : pixels(limits.maxDiffPixels);
  const share = limits.maxDiffPixelRatio === null ? null : renderShare(limits.maxDiffPixelRatio, summary, sizeOf(shot));
  if (count !== null && share !== null) return `${count} or ${share}, whichever is less`;
  return count ?? share ?? pixels(0);
}

/** Gives the limit as a count of pixels: how many may differ. Null when the canvas is not known. */
export function limitPixels(limits: Limits, totalPixels: number | null): number | null {
  const { maxDiffPixels: count, maxDiffPixelRatio: ratio } = limits;
  if (ratio === null) return count ?? 0;
  if (totalPixels === null) return null;
  return Math.min(count ?? Number.POSITIVE_INFINITY, Math.floor(totalPixels * ratio));
}

/** Gives the union of both sizes: the canvas on which they are compared. */
export function sizeOf({ before, after }: ShotRecord): Size | null {
  if (!before || !after) return before ?? after;
  return { width: Math.max(before.width, after.width), height: Math.max(before.height, after.height) };
}

function renderShare(ratio: number, summary: ShotRecord['summary'], size: Size | null): string {
  const share = renderExact(ratio * 100);
  if (!summary) return share;
  const limit = pixels(Math.floor(summary.totalPixels * ratio));
  return `${share} = ${limit} of ${size ? renderSize(size) : pixels(summary.totalPixels)}`;
}

/** A limit is told as it was set: 12 digits are all that it has, and hide that 0.07 * 100 is 7.000000000000001. */
function renderExact(percentage: number): string {
  const rounded = Number(percentage.toPrecision(12));
  return Math.abs(rounded) >= 1e-6 || rounded === 0 ? `${rounded} %` : renderPercentage(rounded);
}

function pixels(count: number): string {
  return `${renderCount(count)} px`;
}

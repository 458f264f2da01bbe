import type { Size } from '../model/image.js';
import { limitOf } from '../model/limit.js';
import type { ShotRecord } from '../model/record.js';
import { renderPercentage, renderPixels, renderSize } from './words.js';

/** Says what a shot fails above: `0 px`, or `0.1 % = 10,240 px of 1280x8000`. */
export function renderLimit(shot: ShotRecord): string {
  const { limits, summary } = shot;
  if (!limits) return 'no limit';
  const { maxDiffPixels: count, maxDiffPixelRatio: ratio } = limits;
  if (ratio === null) return renderPixels(count ?? 0);
  const share = renderShare(ratio, summary?.totalPixels ?? null, sizeOf(shot));
  return count === null ? share : `${renderPixels(count)} or ${share}, whichever is less`;
}

/** Gives the limit as a count, or null where it depends on a canvas that there is not. */
export function limitPixels({ limits, summary }: ShotRecord): number | null {
  if (!limits) return null;
  if (!summary) return limits.maxDiffPixelRatio === null ? (limits.maxDiffPixels ?? 0) : null;
  return limitOf(limits, summary.totalPixels);
}

/** Gives the canvas on which a shot was compared: the union of both sizes. */
export function sizeOf({ before, after }: ShotRecord): Size | null {
  if (!before || !after) return before ?? after;
  return { width: Math.max(before.width, after.width), height: Math.max(before.height, after.height) };
}

function renderShare(ratio: number, totalPixels: number | null, size: Size | null): string {
  const share = renderExact(ratio * 100);
  if (totalPixels === null) return share;
  // A PDF has its size in points, and is compared in more pixels than those make.
  const canvas = size && size.width * size.height >= totalPixels ? renderSize(size) : renderPixels(totalPixels);
  return `${share} = ${renderPixels(limitOf({ maxDiffPixels: null, maxDiffPixelRatio: ratio }, totalPixels))} of ${canvas}`;
}

/** A limit is told as it was set: 12 digits hide that 0.07 * 100 is 7.000000000000001. */
function renderExact(percentage: number): string {
  const rounded = Number(percentage.toPrecision(12));
  return rounded !== 0 && rounded < 1e-6 ? renderPercentage(rounded) : `${rounded} %`;
}

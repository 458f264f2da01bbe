import type { ShotRecord } from '../model/record.js';
import { renderLimit } from './limits.js';
import { renderPercentage, renderPixels } from './words.js';

/** Says in one sentence how two images compare: why they are not alike, or how far they are. */
export function renderLikeness(shot: ShotRecord): string {
  const { reason, summary, before, after } = shot;
  if (reason !== null) return reason;
  if (!summary || !before || !after) return 'nothing was compared';
  const { mismatchPixels, mismatchPercentage, antialiasedPixels } = summary;
  if (mismatchPixels > 0) {
    const share = `${renderPixels(mismatchPixels)} (${renderPercentage(mismatchPercentage)})`;
    return `${share} differ, within the limit of ${renderLimit(shot)}`;
  }
  return antialiasedPixels > 0
    ? `alike: ${renderPixels(antialiasedPixels)} differ by anti-aliasing only`
    : 'alike: no pixel differs';
}

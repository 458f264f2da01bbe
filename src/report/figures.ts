import type { Environment } from '../model/environment.js';
import type { ComparisonSummary, ShotRecord } from '../model/record.js';
import { renderEnvironment } from './environment.js';
import { renderLimit } from './limits.js';
import type { Figures } from './view.js';
import { renderCount, renderDuration, renderPercentage, renderPixels, renderSize } from './words.js';

/** Gives the exact figures of a shot, of one that passed as well. */
export function renderFigures({ summary, ...shot }: ShotRecord): Figures {
  return {
    differs: summary ? renderCount(summary.mismatchPixels) : '',
    total: summary ? renderCount(summary.totalPixels) : '',
    antialiased: summary ? renderCount(summary.antialiasedPixels) : '',
    limit: shot.limits ? renderLimit({ ...shot, summary }) : '',
    time: renderDuration(shot.durationMs),
  };
}

/** Says how much differs: `1,204 px of 921,600 (0.13 %); 12 px more by anti-aliasing only`. */
export function renderDifference(summary: ComparisonSummary): string {
  const { mismatchPixels, mismatchPercentage, totalPixels, antialiasedPixels, mismatchPixelsAfterAlignment } = summary;
  const isAligned = mismatchPixelsAfterAlignment !== null && mismatchPixelsAfterAlignment !== mismatchPixels;
  return [
    `${renderPixels(mismatchPixels)} of ${renderCount(totalPixels)} (${renderPercentage(mismatchPercentage)})`,
    ...(isAligned ? [`${renderPixels(mismatchPixelsAfterAlignment)} once what moved is laid on itself`] : []),
    ...(antialiasedPixels > 0 ? [`${renderPixels(antialiasedPixels)} more by anti-aliasing only`] : []),
  ].join('; ');
}

/** Says where a region is and how much of it changed: `312,480 420x60: 1,204 px`. */
export function renderRegion(region: ShotRecord['regions'][number]): string {
  const removed = region.side === 'before' ? ' of before' : '';
  return `${region.x},${region.y}${removed} ${renderSize(region)}: ${renderPixels(region.pixels)}`;
}

/** Renders all parts of an environment. */
export function renderWholeEnvironment(environment: Environment): string {
  return renderEnvironment(environment, ['headless', 'scale', 'fonts', 'engine']);
}

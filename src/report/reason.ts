import { PDF_PAGES, type ShotRecord } from '../model/record.js';
import { limitPixels } from './limits.js';
import { renderCountOf, renderPercentage, renderPixels, renderSize } from './words.js';

/**
 * Says in one sentence why a shot did not pass, or null when it did: `1,204 px (0.13 %) differ, limit 0 px; first at
 * 312,480 420x60`. The reason of an error is known only where it happened, and is in the record already.
 */
export function renderReason(shot: ShotRecord): string | null {
  switch (shot.status) {
    case 'passed':
      return null;
    case 'changed':
      return `${renderDifference(shot)}${renderResize(shot)}${renderFirstRegion(shot)}`;
    case 'new':
      return shot.written ? 'it had no baseline; this run wrote it' : 'it has no baseline';
    case 'unstable':
      return `it never stood still${renderFirstRegion(shot)}`;
    case 'skipped':
      return shot.reason ?? 'snapshots are ignored in this run';
    case 'error':
      return shot.reason ?? 'it could not be judged';
    default:
      return shot.status satisfies never;
  }
}

function renderDifference(shot: ShotRecord): string {
  const { summary } = shot;
  if (!summary) return 'it differs';
  const { mismatchPixels, mismatchPercentage } = summary;
  const limit = limitPixels(shot);
  const verb = mismatchPixels === 1 ? 'differs' : 'differ';
  const told = `${renderPixels(mismatchPixels)} (${renderPercentage(mismatchPercentage)}) ${verb}`;
  return limit === null ? told : `${told}, limit ${renderPixels(limit)}`;
}

/** Where the size changed, or the pages of a PDF did, that is what to look at first. */
function renderResize({ before, after, summary, warnings }: ShotRecord): string {
  const pages = warnings.find(({ code }) => code === PDF_PAGES);
  if (pages) return `; ${pages.message}`;
  if (!before || !after || summary?.sameDimensions !== false) return '';
  return `; size ${renderSize(before)} -> ${renderSize(after)}`;
}

function renderFirstRegion({ regions }: ShotRecord): string {
  const [first] = regions;
  if (!first) return '';
  const more = regions.length > 1 ? ` of ${renderCountOf(regions.length, 'region')}` : '';
  return `; first${more} at ${first.x},${first.y} ${renderSize(first)}`;
}

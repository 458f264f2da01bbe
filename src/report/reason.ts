import { PDF_PAGES, type ShotRecord } from '../model/record.js';
import { limitPixels } from './limits.js';
import { renderStory } from './story.js';
import { renderCountOf, renderPercentage, renderPixels, renderSize } from './words.js';

/**
 * Says in one sentence why a shot did not pass, or null when it did: `1,204 px (0.13 %) differ, limit 0 px; first at
 * 312,480 420x60`, or `height 6061 -> 6068 (+7 px), first difference at y=1240; 7 px inserted at y=1240; below it nothing
 * changed; 1,204,480 px (15.51 %) differ, 8,960 px once aligned, limit 0 px`. The reason of an error is known only where it happened, and is in the record already.
 */
export function renderReason(shot: ShotRecord): string | null {
  switch (shot.status) {
    case 'passed':
      return null;
    case 'changed':
      return renderChange(shot);
    case 'new':
      return shot.written ? 'it had no baseline; this run wrote it' : 'it has no baseline';
    case 'unstable':
      return ['it never stood still', ...tellRegions(shot)].join('; ');
    case 'skipped':
      return shot.reason ?? 'snapshots are ignored in this run';
    case 'error':
      return shot.reason ?? 'it could not be judged';
    default:
      return shot.status satisfies never;
  }
}

/** What a person would say comes first, and the figures after it. */
function renderChange(shot: ShotRecord): string {
  const story = renderStory(shot);
  return [
    ...tellResize(shot),
    ...(story ? [story] : []),
    renderDifference(shot),
    ...(story ? [] : tellRegions(shot)),
  ].join('; ');
}

function renderDifference(shot: ShotRecord): string {
  const { summary } = shot;
  if (!summary) return 'it differs';
  const { mismatchPixels, mismatchPercentage, mismatchPixelsAfterAlignment: aligned } = summary;
  const limit = limitPixels(shot);
  const verb = mismatchPixels === 1 ? 'differs' : 'differ';
  return [
    `${renderPixels(mismatchPixels)} (${renderPercentage(mismatchPercentage)}) ${verb}`,
    ...(aligned === null || aligned === mismatchPixels ? [] : [`${renderPixels(aligned)} once aligned`]),
    ...(limit === null ? [] : [`limit ${renderPixels(limit)}`]),
  ].join(', ');
}

/** Where the pages of a PDF changed, or the size did, that is what to look at first. */
function tellResize({ before, after, regions, warnings }: ShotRecord): string[] {
  const pages = warnings.find(({ code }) => code === PDF_PAGES);
  if (pages) return [pages.message];
  if (!before || !after) return [];
  const sides = (['width', 'height'] as const).filter((side) => before[side] !== after[side]);
  if (sides.length === 0) return [];
  const told = sides.map((side) => {
    const by = after[side] - before[side];
    return `${side} ${before[side]} -> ${after[side]} (${by > 0 ? '+' : ''}${by} px)`;
  });
  const first = regions.length > 0 ? [`first difference at y=${Math.min(...regions.map(({ y }) => y))}`] : [];
  return [[...told, ...first].join(', ')];
}

function tellRegions({ regions }: ShotRecord): string[] {
  const [first] = regions;
  if (!first) return [];
  const which = regions.length > 1 ? `largest of ${renderCountOf(regions.length, 'region')}` : 'first';
  return [`${which} at ${first.x},${first.y} ${renderSize(first)}`];
}

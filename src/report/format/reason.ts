import {
  type ChangeEvent,
  limitOf,
  listSome,
  PDF_PAGES,
  renderCountOf,
  renderPercentage,
  renderPixels,
  renderSize,
  type ShotRecord,
  type Size,
} from '../../model/index.js';
import { formatCauses } from './causes.js';

/**
 * Returns one sentence that says why a shot did not pass; null if it passed. Examples: `1,204 px (0.13 %) differ, limit 0 px;
 * 1 region: 420x60 px at (312, 480)`, `height 6061 -> 6068 (+7 px), first difference at y=1240; 7 px inserted at y=1240; nothing
 * changed below; 1,204,480 px (15.51 %) differ, 8,960 px after alignment, limit 0 px`. The record already contains the reason of
 * an error.
 */
export function renderReason(shot: ShotRecord): string | null {
  switch (shot.status) {
    case 'passed':
      return null;
    case 'changed':
      return renderChange(shot);
    case 'new':
      return shot.written ? 'no baseline found; this run wrote one' : 'no baseline found';
    case 'unstable':
      return renderInstability(shot);
    case 'skipped':
      return shot.reason ?? 'ignoreSnapshots is set';
    case 'error':
      return shot.reason ?? 'the shot could not be captured or compared';
    default:
      return shot.status satisfies never;
  }
}

/**
 * Names the regions that changed, and their elements: `page did not become stable: 1280x300 px at (0, 2572) kept changing; .ticker: differs
 * between the last two screenshots`, `page differs from load to load: 1280x300 px at (0, 2572); #time: text "12:01" -> "12:02"`.
 */
function renderInstability(shot: ShotRecord): string {
  const causes = formatCauses(shot);
  return [formatMotion(shot), ...(causes === null ? [] : [causes])].join('; ');
}

function formatMotion({ regions, unsteady }: ShotRecord): string {
  const [largest] = regions;
  const title = unsteady ? 'page differs from load to load' : 'page did not become stable';
  const verb = unsteady ? '' : ' kept changing';
  if (!largest) return title;
  if (regions.length === 1) return `${title}: ${formatRegion(largest)}${verb}`;
  return `${title}: ${renderCountOf(regions.length, 'region')}${verb}, the largest is ${formatRegion(largest)}`;
}

/** What describes the difference between two images: a record of a shot has it, and a comparison without a shot. */
export type Difference = Pick<
  ShotRecord,
  'summary' | 'limits' | 'regions' | 'events' | 'causes' | 'before' | 'after' | 'warnings'
>;

/** Puts the causes first, then the change summary, and the pixel counts after it. */
function renderChange(shot: Difference): string {
  const changeSummary = formatChangeSummary(shot);
  const causes = formatCauses(shot);
  return [
    ...(causes === null ? [] : [causes]),
    ...formatResize(shot),
    ...(changeSummary ? [changeSummary] : []),
    renderDifference(shot),
    ...(changeSummary ? [] : formatLargestRegion(shot)),
  ].join('; ');
}

function renderDifference(shot: Difference): string {
  const { summary } = shot;
  if (!summary) return 'the images differ';
  const { mismatchPixels, mismatchPercentage, mismatchPixelsAfterAlignment: aligned } = summary;
  const limit = limitPixels(shot);
  const verb = mismatchPixels === 1 ? 'differs' : 'differ';
  return [
    `${renderPixels(mismatchPixels)} (${renderPercentage(mismatchPercentage)}) ${verb}`,
    ...(aligned === null || aligned === mismatchPixels ? [] : [`${renderPixels(aligned)} after alignment`]),
    ...(limit === null ? [] : [`limit ${renderPixels(limit)}`]),
  ].join(', ');
}

/** Formats a changed page count of a PDF, or a changed size. */
function formatResize({ before, after, regions, warnings }: Difference): string[] {
  const pages = warnings.find(({ code }) => code === PDF_PAGES);
  if (pages) return [pages.message];
  if (!before || !after) return [];
  const sides = (['width', 'height'] as const).filter((side) => before[side] !== after[side]);
  if (sides.length === 0) return [];
  const changes = sides.map((side) => {
    const by = after[side] - before[side];
    return `${side} ${before[side]} -> ${after[side]} (${by > 0 ? '+' : ''}${by} px)`;
  });
  const first = regions.length > 0 ? [`first difference at y=${Math.min(...regions.map(({ y }) => y))}`] : [];
  return [[...changes, ...first].join(', ')];
}

function formatLargestRegion({ regions }: Difference): string[] {
  const [largest] = regions;
  if (!largest) return [];
  return [
    `${renderCountOf(regions.length, 'region')}${regions.length > 1 ? ', largest' : ''}: ${formatRegion(largest)}`,
  ];
}

/** Formats the size and the position of a region: `420x60 px at (312, 480)`. */
export function formatRegion(region: ShotRecord['regions'][number]): string {
  return `${renderSize(region)} px at (${region.x}, ${region.y})`;
}

/** Returns one sentence about the result of a comparison. */
export function formatComparison(shot: Difference, passed: boolean): string {
  const { summary } = shot;
  if (!passed || !summary) return renderChange(shot);
  const { mismatchPixels, mismatchPercentage, antialiasedPixels } = summary;
  if (mismatchPixels > 0) {
    const share = `${renderPixels(mismatchPixels)} (${renderPercentage(mismatchPercentage)})`;
    return `${share} differ, within the limit of ${renderLimit(shot)}`;
  }
  return antialiasedPixels > 0
    ? `images match: ${renderPixels(antialiasedPixels)} differ by anti-aliasing only`
    : 'images match: 0 px differ';
}

/** Renders the limit of a shot: `0 px`, or `0.1 % = 10,240 px of 1280x8000`. */
export function renderLimit(shot: Difference): string {
  const { limits, summary } = shot;
  if (!limits) return 'no limit';
  const { maxDiffPixels: count, maxDiffPixelRatio: ratio } = limits;
  if (ratio === null) return renderPixels(count ?? 0);
  const share = renderShare(ratio, summary?.totalPixels ?? null, sizeOf(shot));
  return count === null ? share : `${renderPixels(count)} or ${share}, whichever is less`;
}

/** Returns the limit in pixels; null for a ratio without a compared canvas. */
export function limitPixels({ limits, summary }: Difference): number | null {
  if (!limits) return null;
  if (!summary) return limits.maxDiffPixelRatio === null ? (limits.maxDiffPixels ?? 0) : null;
  return limitOf(limits, summary.totalPixels);
}

/** Returns the size of the compared canvas, which is the union of both image sizes. */
export function sizeOf({ before, after }: Difference): Size | null {
  if (!before || !after) return before ?? after;
  return { width: Math.max(before.width, after.width), height: Math.max(before.height, after.height) };
}

function renderShare(ratio: number, totalPixels: number | null, size: Size | null): string {
  const share = renderExact(ratio * 100);
  if (totalPixels === null) return share;
  // The size of a PDF is in points. Its comparison has more pixels.
  const canvas = size && size.width * size.height >= totalPixels ? renderSize(size) : renderPixels(totalPixels);
  return `${share} = ${renderPixels(limitOf({ maxDiffPixels: null, maxDiffPixelRatio: ratio }, totalPixels))} of ${canvas}`;
}

/** Renders a percentage as the user set it. Rounds to 12 digits, because 0.07 * 100 is 7.000000000000001. */
function renderExact(percentage: number): string {
  const rounded = Number(percentage.toPrecision(12));
  return rounded !== 0 && rounded < 1e-6 ? renderPercentage(rounded) : `${rounded} %`;
}

/**
 * Summarizes in one line how the content of a shot moved; null if nothing moved. Examples: `48 px inserted at y=24; nothing
 * changed below`, `section at y=1800 moved down 12 px; 2 regions changed`, `5 areas moved right 8 px; nothing else changed`.
 * Insertions have coordinates in the after image. Removals and moves have coordinates in the before image.
 */
export function formatChangeSummary({ events, regions }: Pick<ShotRecord, 'events' | 'regions'>): string | null {
  const [first] = events ?? [];
  if (!events || !first) return null;
  // Moves of several areas by one distance have one text.
  const texts = [...new Set(events.map((event) => formatEvent(event, events)))];
  const known = new Set(events.flatMap((event) => event.regions));
  const others = regions.filter((_, index) => !known.has(index));
  return `${listSome(texts, 3)}; ${others.length > 0 ? `${renderCountOf(others.length, 'region')} also changed` : formatUnchanged(first, texts)}`;
}

function formatUnchanged({ kind, axis }: ChangeEvent, texts: readonly string[]): string {
  if (texts.length > 1 || kind === 'moved') return 'nothing else changed';
  return `nothing changed ${axis === 'rows' ? 'below' : 'to the right'}`;
}

function formatEvent(event: ChangeEvent, events: readonly ChangeEvent[]): string {
  const { kind, axis, by } = event;
  const distance = `${Math.abs(by)} px`;
  const place = formatPlace(event);
  if (kind !== 'moved') return `${distance} ${kind} at ${place}`;
  if (axis === 'rows') return `section at ${place} moved ${by > 0 ? 'down' : 'up'} ${distance}`;
  const direction = by > 0 ? 'right' : 'left';
  const areas = events.filter((other) => other.kind === kind && other.axis === axis && other.by === by).length;
  return areas > 1 ? `${areas} areas moved ${direction} ${distance}` : `moved ${direction} ${distance} at ${place}`;
}

/** Formats the position of an event: `y=24` for rows, `(120, 340)` for columns. */
function formatPlace({ axis, before, after }: ChangeEvent): string {
  const place = before ?? after;
  if (!place) return 'an unknown position';
  return axis === 'rows' ? `y=${place.y}` : `(${place.x}, ${place.y})`;
}

import {
  type ChangeEvent,
  type ComparisonSummary,
  limitOf,
  listSome,
  PDF_PAGES,
  renderCountOf,
  renderPercentage,
  renderPixels,
  renderSize,
  type ShotRecord,
} from '../model/index.js';
import { renderCauses } from './causes.js';

/**
 * Returns one sentence that says why a shot did not pass; null if it passed. Examples: `1,204 px (0.13 %) differ, limit 0 px;
 * 1 region: 420x60 px at (312, 480)`, `height 6061 -> 6068 (+7 px), first difference at y=1240; 7 px inserted at y=1240; nothing
 * changed below; 1,204,480 px (15.51 %) differ, 8,960 px after alignment, limit 0 px`. The record already contains the reason of
 * an error.
 */
export function renderReason(shot: Reasoned): string | null {
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

/** Returns the stored reason of a shot, else that of {@link renderReason}, and who rejected it; empty if it passed. */
export function reasonOf(shot: ShotRecord): string {
  return joinParts([renderRejection(shot), shot.reason ?? renderReason(shot)]);
}

/** Renders a rejection: `rejected before by Ann on 2026-11-28: the price must stay`; null if there is none. */
export function renderRejection({ decision, rejection }: ShotRecord): string | null {
  if (!rejection) return null;
  const { by, at, reason } = rejection;
  const who = by === null ? '' : ` by ${by}`;
  return `rejected${decision === null ? ' before' : ''}${who} on ${at.slice(0, 10)}${reason === null ? '' : `: ${reason}`}`;
}

/** Names the regions and elements that changed: `page differs from load to load: 1280x300 px at (0, 2572); #time: text "12:01" -> "12:02"`. */
function renderInstability(shot: Reasoned): string {
  const { regions, unsteady } = shot;
  const [largest] = regions;
  const title = unsteady ? 'page differs from load to load' : 'page did not become stable';
  const verb = unsteady ? '' : ' kept changing';
  if (!largest) return joinParts([title, renderCauses(shot)]);
  const count = `${renderCountOf(regions.length, 'region')}${verb}, the largest is `;
  const where = regions.length === 1 ? `${renderRegion(largest)}${verb}` : `${count}${renderRegion(largest)}`;
  return joinParts([`${title}: ${where}`, renderCauses(shot)]);
}

/** What describes the difference between two images: a record of a shot has it, and a comparison without a shot. */
type Difference = Pick<
  ShotRecord,
  'summary' | 'limits' | 'regions' | 'events' | 'causes' | 'before' | 'after' | 'warnings'
>;

/** A shot whose reason is rendered. */
type Reasoned = Difference & Pick<ShotRecord, 'status' | 'reason' | 'written' | 'unsteady'>;

/** Puts the causes first, then the change summary, and the pixel counts after it. */
function renderChange(shot: Difference): string {
  const { regions } = shot;
  const changeSummary = renderChangeSummary(shot);
  const [largest] = regions;
  const count = `${renderCountOf(regions.length, 'region')}${regions.length > 1 ? ', largest' : ''}`;
  return joinParts([
    renderCauses(shot),
    renderResize(shot),
    changeSummary,
    renderDifference(shot),
    changeSummary === null && largest ? `${count}: ${renderRegion(largest)}` : null,
  ]);
}

export function joinParts(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join('; ');
}

function renderDifference(shot: Difference): string {
  const { summary } = shot;
  if (!summary) return 'the images differ';
  const { mismatchPixels, mismatchPercentage } = summary;
  const limit = limitPixels(shot);
  const verb = mismatchPixels === 1 ? 'differs' : 'differ';
  return [
    `${renderPixels(mismatchPixels)} (${renderPercentage(mismatchPercentage)}) ${verb}`,
    ...renderAligned(summary),
    ...(limit === null ? [] : [`limit ${renderPixels(limit)}`]),
  ].join(', ');
}

/** Renders the pixels that differ after alignment; empty if it found nothing that moved. */
export function renderAligned({
  mismatchPixels,
  mismatchPixelsAfterAlignment: aligned,
}: ComparisonSummary): readonly string[] {
  return aligned === null || aligned === mismatchPixels ? [] : [`${renderPixels(aligned)} after alignment`];
}

function renderResize({ before, after, regions, warnings }: Difference): string | null {
  const pages = warnings.find(({ code }) => code === PDF_PAGES);
  if (pages || !before || !after) return pages?.message ?? null;
  const sides = (['width', 'height'] as const).filter((side) => before[side] !== after[side]);
  if (sides.length === 0) return null;
  const changes = sides.map((side) => {
    const by = after[side] - before[side];
    return `${side} ${before[side]} -> ${after[side]} (${by > 0 ? '+' : ''}${by} px)`;
  });
  const first = regions.length > 0 ? [`first difference at y=${Math.min(...regions.map(({ y }) => y))}`] : [];
  return [...changes, ...first].join(', ');
}

/** Renders the size and the position of a region: `420x60 px at (312, 480)`. */
export function renderRegion(region: ShotRecord['regions'][number]): string {
  return `${renderSize(region)} px at (${region.x}, ${region.y})`;
}

/** Returns one sentence about the result of a comparison. */
export function renderComparison(shot: Difference, passed: boolean): string {
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
  const share = summary
    ? `${renderExact(ratio * 100)} = ${renderShare(ratio, shot, summary)}`
    : renderExact(ratio * 100);
  return count === null ? share : `${renderPixels(count)} or ${share}, whichever is less`;
}

/** The compared canvas is the union of both images. The size of a PDF is in points; its comparison has more pixels. */
function renderShare(
  maxDiffPixelRatio: number,
  { before, after }: Difference,
  { totalPixels }: ComparisonSummary,
): string {
  const width = Math.max(before?.width ?? 0, after?.width ?? 0);
  const height = Math.max(before?.height ?? 0, after?.height ?? 0);
  const canvas = width * height >= totalPixels ? renderSize({ width, height }) : renderPixels(totalPixels);
  return `${renderPixels(limitOf({ maxDiffPixels: null, maxDiffPixelRatio }, totalPixels))} of ${canvas}`;
}

/** Returns the limit in pixels; null for a ratio without a compared canvas. */
export function limitPixels({ limits, summary }: Difference): number | null {
  if (!limits) return null;
  if (summary) return limitOf(limits, summary.totalPixels);
  return limits.maxDiffPixelRatio === null ? (limits.maxDiffPixels ?? 0) : null;
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
export function renderChangeSummary({ events, regions }: Pick<ShotRecord, 'events' | 'regions'>): string | null {
  const [first] = events ?? [];
  if (!events || !first) return null;
  // Moves of several areas by one distance have one text.
  const texts = [...new Set(events.map((event) => renderEvent(event, events)))];
  const known = new Set(events.flatMap((event) => event.regions));
  const others = regions.filter((_, index) => !known.has(index)).length;
  const beyond = first.axis === 'rows' ? 'below' : 'to the right';
  const unchanged = texts.length > 1 || first.kind === 'moved' ? 'nothing else changed' : `nothing changed ${beyond}`;
  return `${listSome(texts, 3)}; ${others > 0 ? `${renderCountOf(others, 'region')} also changed` : unchanged}`;
}

function renderEvent(event: ChangeEvent, events: readonly ChangeEvent[]): string {
  const { kind, axis, by } = event;
  const distance = `${Math.abs(by)} px`;
  const at = event.before ?? event.after;
  const place = axis === 'rows' ? `y=${at?.y}` : `(${at?.x}, ${at?.y})`;
  if (kind !== 'moved') return `${distance} ${kind} at ${place}`;
  if (axis === 'rows') return `section at ${place} moved ${by > 0 ? 'down' : 'up'} ${distance}`;
  const direction = by > 0 ? 'right' : 'left';
  const areas = events.filter((other) => other.kind === kind && other.axis === axis && other.by === by).length;
  return areas > 1 ? `${areas} areas moved ${direction} ${distance}` : `moved ${direction} ${distance} at ${place}`;
}

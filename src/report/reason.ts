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
 * Returns one sentence that says why a shot did not pass: `1,204 px (0.13 %) differ, limit 0 px; 1 region: 420x60 px at (312, 480)`; null if it
 * passed. The record already contains the reason of an error.
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
      return shot.reason;
    default:
      return shot.status satisfies never;
  }
}

/** Returns the stored reason of a shot, else that of {@link renderReason}, and who rejected it; empty if it passed. */
export function reasonOf(shot: ShotRecord): string {
  return joinParts([renderRejection(shot), shot.reason ?? renderReason(shot)]);
}

/** Renders `rejected before by Ann on 2026-11-28: the price must stay`; null without a rejection. */
export function renderRejection({ decision, rejection }: ShotRecord): string | null {
  if (!rejection) return null;
  const { by, at, reason } = rejection;
  const who = by === null ? '' : ` by ${by}`;
  return `rejected${decision === null ? ' before' : ''}${who} on ${at.slice(0, 10)}${reason === null ? '' : `: ${reason}`}`;
}

/** Names the regions and elements that changed: `page differs from load to load; 1 region: 80x20 px at (0, 2572); #time: text "1" -> "2"`. */
function renderInstability(shot: Reasoned): string {
  const title = shot.unsteady ? 'page differs from load to load' : 'page did not become stable';
  return joinParts([title, renderRegions(shot), renderCauses(shot)]);
}

/** The difference between two images: a record of a shot has it, and a comparison without a shot. */
type Difference = Pick<
  ShotRecord,
  'summary' | 'limits' | 'regions' | 'events' | 'causes' | 'before' | 'after' | 'warnings'
>;

type Reasoned = Difference & Pick<ShotRecord, 'status' | 'reason' | 'written' | 'unsteady'>;

function renderChange(shot: Difference): string {
  const moved = renderChangeSummary(shot);
  const regions = moved === null ? renderRegions(shot) : null;
  return joinParts([renderCauses(shot), renderResize(shot), moved, renderDifference(shot), regions]);
}

/** Counts the regions, and names the largest: `2 regions, largest: 420x60 px at (312, 480)`. */
function renderRegions({ regions }: Difference): string | null {
  const [largest] = regions;
  if (!largest) return null;
  const count = `${renderCountOf(regions.length, 'region')}${regions.length > 1 ? ', largest' : ''}`;
  return `${count}: ${renderRegion(largest)}`;
}

export function joinParts(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join('; ');
}

function renderDifference(shot: Difference): string {
  const { summary, limits } = shot;
  if (!summary) return 'the images differ';
  return [
    `${renderShare(summary)} differ`,
    ...renderAligned(summary),
    ...(limits ? [`limit ${renderPixels(limitOf(limits, summary.totalPixels))}`] : []),
  ].join(', ');
}

function renderShare({ mismatchPixels, mismatchPercentage }: ComparisonSummary): string {
  return `${renderPixels(mismatchPixels)} (${renderPercentage(mismatchPercentage)})`;
}

/** Renders the pixels that differ after alignment; empty if it found nothing that moved. */
export function renderAligned(summary: ComparisonSummary): readonly string[] {
  const { mismatchPixels, mismatchPixelsAfterAlignment: aligned } = summary;
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

export function renderRegion(region: ShotRecord['regions'][number]): string {
  return `${renderSize(region)} px at (${region.x}, ${region.y})`;
}

/** Returns one sentence about the result of a comparison. */
export function renderComparison(shot: Difference, passed: boolean): string {
  const { summary } = shot;
  if (!passed || !summary) return renderChange(shot);
  const { mismatchPixels, antialiasedPixels } = summary;
  if (mismatchPixels > 0) return `${renderShare(summary)} differ, within the limit of ${renderLimit(shot)}`;
  return `images match: ${renderPixels(antialiasedPixels)} differ${antialiasedPixels > 0 ? ' by anti-aliasing only' : ''}`;
}

/** Renders the limit of a shot: `0 px`, or `0.1 % = 10,240 px of 1280x8000`. */
export function renderLimit(shot: Difference): string {
  const { limits, summary } = shot;
  if (!limits) return 'no limit';
  const { maxDiffPixels: count, maxDiffPixelRatio: ratio } = limits;
  if (ratio === null) return renderPixels(count ?? 0);
  const share = `${renderExact(ratio * 100)}${summary ? renderRatio(ratio, shot, summary) : ''}`;
  return count === null ? share : `${renderPixels(count)} or ${share}, whichever is less`;
}

function renderRatio(maxDiffPixelRatio: number, shot: Difference, { totalPixels }: ComparisonSummary): string {
  const { before, after } = shot;
  const width = Math.max(before?.width ?? 0, after?.width ?? 0);
  const height = Math.max(before?.height ?? 0, after?.height ?? 0);
  // The size of a PDF is in points; its comparison has more pixels.
  const canvas = width * height >= totalPixels ? renderSize({ width, height }) : renderPixels(totalPixels);
  return ` = ${renderPixels(limitOf({ maxDiffPixels: null, maxDiffPixelRatio }, totalPixels))} of ${canvas}`;
}

/** Renders a percentage as the user set it. Rounds to 12 digits, because 0.07 * 100 is 7.000000000000001. */
function renderExact(percentage: number): string {
  const rounded = Number(percentage.toPrecision(12));
  return rounded !== 0 && rounded < 1e-6 ? renderPercentage(rounded) : `${rounded} %`;
}

/**
 * Summarizes in one line how the content of a shot moved: `48 px inserted at y=24; nothing changed below`; null if nothing moved. Insertions have
 * coordinates in the after image, removals and moves in the before image.
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

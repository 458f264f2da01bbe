import type { ChangeEvent } from '../../model/comparison.js';
import type { ShotRecord } from '../../model/run-record.js';
import { listSome, renderCountOf } from '../../model/words.js';

/**
 * Summarizes in one line how the content of a shot moved; null if nothing moved. Examples: `48 px inserted at y=24; below it
 * nothing changed`, `section at y=1800 moved down 12 px; 2 regions changed`, `5 areas moved right 8 px; nothing else changed`.
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
  return axis === 'rows' ? 'below it nothing changed' : 'right of it nothing changed';
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

/** Formats the position of an event: `y=24` for rows, `x=120 y=340` for columns. */
function formatPlace({ axis, before, after }: ChangeEvent): string {
  const place = before ?? after;
  if (!place) return 'an unknown place';
  return axis === 'rows' ? `y=${place.y}` : `x=${place.x} y=${place.y}`;
}

import { isWithin } from '../../image/canvas.js';
import type { Rectangle } from '../../model/image.js';
import type { ShotRecord } from '../../model/run-record.js';
import { listSome, renderCountOf } from '../../model/words.js';
import { listSidewaysMoves, type SidewaysMove } from './region-places.js';

/**
 * Summarizes in one line how the content of a shot moved; null if nothing moved. Examples: `48 px inserted at y=24; below it
 * nothing changed`, `section at y=1800 moved down 12 px; 2 regions changed`, `5 areas moved right 8 px; nothing else changed`.
 * Insertions have coordinates in the after image. Removals and moves have coordinates in the before image.
 */
export function formatChangeSummary(shot: ShotRecord): string | null {
  const sideways = sidewaysEventsOf(shot);
  const events = [...eventsOf(shot), ...sideways];
  if (events.length === 0) return null;
  const places = events.flatMap((event) => event.places);
  const others = shot.regions.filter((region) => !places.some((place) => isWithin(region, place)));
  const below = sideways.length > 0 ? 'right of it nothing changed' : 'below it nothing changed';
  const unchanged = events.length === 1 && places.length === 1 ? below : 'nothing else changed';
  const rest = others.length > 0 ? `${renderCountOf(others.length, 'region')} also changed` : unchanged;
  const texts = events.map((event) => event.text);
  return `${listSome(texts, 3)}; ${rest}`;
}

type Shifts = NonNullable<ShotRecord['shifts']>;
type Shift = Shifts[number];

/** One insertion, removal or move of rows or columns, and the areas that it inserted or removed. */
interface Event {
  readonly text: string;
  readonly places: readonly Rectangle[];
}

/** Groups sideways moves of the same distance into one event. */
function sidewaysEventsOf(shot: ShotRecord): Event[] {
  const moves = listSidewaysMoves(shot);
  return [...new Set(moves.map(({ shift }) => shift.by))].map((by) => {
    return sidewaysEvent(
      by,
      moves.filter(({ shift }) => shift.by === by),
      shot.regions,
    );
  });
}

/** Describes moves of the same distance. Prefers the insertion or removal that caused the move of a single area. */
function sidewaysEvent(by: number, moves: readonly SidewaysMove[], regions: ShotRecord['regions']): Event {
  const [distance, direction] = [`${Math.abs(by)} px`, by > 0 ? 'right' : 'left'];
  const [move] = moves;
  if (!move || moves.length > 1) return { text: `${moves.length} areas moved ${direction} ${distance}`, places: [] };
  const place = by > 0 ? move.inserted : move.removed;
  const side = by > 0 ? undefined : 'before';
  const isCause = regions.some((region) => region.side === side && isWithin(region, place));
  if (!isCause) return { text: `moved ${direction} ${distance} at ${at(move.shift)}`, places: [] };
  return { text: `${distance} ${by > 0 ? 'inserted' : 'removed'} at ${at(place)}`, places: [place] };
}

function at({ x, y }: Pick<Rectangle, 'x' | 'y'>): string {
  return `x=${x} y=${y}`;
}

function eventsOf(shot: ShotRecord): Event[] {
  const shifts = shot.shifts ?? [];
  return shifts.flatMap((shift, index) => {
    const [previous, next] = [shifts[index - 1], shifts[index + 1]];
    const offset = previous && isNextTo(previous, shift) ? previous.by : 0;
    const start = stepAt(shift.y, offset, shift.by);
    if (reachesEnd(shift, shot) || (next && isNextTo(shift, next))) return [start];
    const end = stepAt(shift.y + shift.height + Math.max(0, shift.by), shift.by, 0);
    return offset === 0 ? [movedSection(shift, start, end)] : [start, end];
  });
}

/** Checks that no unmoved rows are between two shifts. Rows removed between them do not count. */
function isNextTo(above: Shift, below: Shift): boolean {
  return below.y - above.y - above.height === Math.max(0, above.by - below.by);
}

function reachesEnd({ y, height, by }: Shift, { before, after }: ShotRecord): boolean {
  const end = y + height;
  return end >= (before?.height ?? end) || end + by >= (after?.height ?? end + by);
}

/** Describes the insertion or removal that changes the offset at row `y` of the before image. */
function stepAt(y: number, from: number, to: number): Event {
  const height = Math.abs(to - from);
  const place = to > from ? y + from : y - height;
  const text = `${height} px ${to > from ? 'inserted' : 'removed'} at y=${place}`;
  return { text, places: [{ x: 0, y: place, width: Number.POSITIVE_INFINITY, height }] };
}

function movedSection({ y, by }: Shift, start: Event, end: Event): Event {
  const text = `section at y=${y} moved ${by > 0 ? 'down' : 'up'} ${Math.abs(by)} px`;
  return { text, places: [...start.places, ...end.places] };
}

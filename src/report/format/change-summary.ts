import { isWithin } from '../../image/canvas.js';
import type { Rectangle } from '../../model/image.js';
import type { ShotRecord } from '../../model/run-record.js';
import { listSome, renderCountOf } from '../../model/words.js';
import { listSidewaysMoves, type SidewaysMove } from './region-places.js';

/**
 * Says in one line what happened to the content of a shot: `48 px inserted at y=24; below it nothing changed`, `section at
 * y=1800 moved down 12 px; 2 regions changed`, `5 areas moved right 8 px; nothing else changed`. Null where nothing moved.
 * What was inserted has its place in after, what was removed or moved its place in before.
 */
export function formatChangeSummary(shot: ShotRecord): string | null {
  const sideways = sidewaysEventsOf(shot);
  const events = [...eventsOf(shot), ...sideways];
  if (events.length === 0) return null;
  const places = events.flatMap((event) => event.places);
  const others = shot.regions.filter((region) => !places.some((place) => isWithin(region, place)));
  const below = sideways.length > 0 ? 'right of it nothing changed' : 'below it nothing changed';
  const quiet = events.length === 1 && places.length === 1 ? below : 'nothing else changed';
  const rest = others.length > 0 ? `${renderCountOf(others.length, 'region')} also changed` : quiet;
  const told = events.map((event) => event.told);
  return `${listSome(told, 3)}; ${rest}`;
}

type Shifts = NonNullable<ShotRecord['shifts']>;
type Shift = Shifts[number];

/** Something that happened to rows or columns, and where it put some in or took some out. */
interface Event {
  readonly told: string;
  readonly places: readonly Rectangle[];
}

/** What moved sideways by the same distance is one event, wherever it is. */
function sidewaysEventsOf(shot: ShotRecord): Event[] {
  const moves = listSidewaysMoves(shot);
  return [...new Set(moves.map(({ shift }) => shift.by))].map((by) => {
    return tellSideways(
      by,
      moves.filter(({ shift }) => shift.by === by),
      shot.regions,
    );
  });
}

/** Of one area, columns that came in or went out to its left are what happened, and that it moved follows from it. */
function tellSideways(by: number, moves: readonly SidewaysMove[], regions: ShotRecord['regions']): Event {
  const [distance, way] = [`${Math.abs(by)} px`, by > 0 ? 'right' : 'left'];
  const [move] = moves;
  if (!move || moves.length > 1) return { told: `${moves.length} areas moved ${way} ${distance}`, places: [] };
  const place = by > 0 ? move.inserted : move.removed;
  const side = by > 0 ? undefined : 'before';
  const isCause = regions.some((region) => region.side === side && isWithin(region, place));
  if (!isCause) return { told: `moved ${way} ${distance} at ${at(move.shift)}`, places: [] };
  return { told: `${distance} ${by > 0 ? 'inserted' : 'removed'} at ${at(place)}`, places: [place] };
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

/** Where one ends and the other begins, but for the rows that are taken out between them, there is nothing that stayed. */
function isNextTo(above: Shift, below: Shift): boolean {
  return below.y - above.y - above.height === Math.max(0, above.by - below.by);
}

function reachesEnd({ y, height, by }: Shift, { before, after }: ShotRecord): boolean {
  const end = y + height;
  return end >= (before?.height ?? end) || end + by >= (after?.height ?? end + by);
}

/** Tells what makes the offset another from a row of before on. */
function stepAt(y: number, from: number, to: number): Event {
  const height = Math.abs(to - from);
  const place = to > from ? y + from : y - height;
  const told = `${height} px ${to > from ? 'inserted' : 'removed'} at y=${place}`;
  return { told, places: [{ x: 0, y: place, width: Number.POSITIVE_INFINITY, height }] };
}

function movedSection({ y, by }: Shift, start: Event, end: Event): Event {
  const told = `section at y=${y} moved ${by > 0 ? 'down' : 'up'} ${Math.abs(by)} px`;
  return { told, places: [...start.places, ...end.places] };
}

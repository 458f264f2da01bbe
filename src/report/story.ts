import type { ShotRecord } from '../model/record.js';
import { listSome, renderCountOf } from './words.js';

/**
 * Says in one line what happened to the content of a shot: `48 px inserted at y=24; below it nothing changed`, `section at
 * y=1800 moved down 12 px; 2 regions changed`. Null where nothing moved. What was inserted has its place in after, what was
 * removed or moved its place in before.
 */
export function renderStory(shot: ShotRecord): string | null {
  const events = eventsOf(shot);
  if (events.length === 0) return null;
  const places = events.flatMap((event) => event.places);
  const others = shot.regions.filter(({ y, height }) => {
    return !places.some((place) => y >= place.from && y + height <= place.to);
  });
  const quiet = events.length === 1 && places.length === 1 ? 'below it nothing changed' : 'nothing else changed';
  const rest = others.length > 0 ? `${renderCountOf(others.length, 'region')} changed besides` : quiet;
  const told = events.map((event) => event.told);
  return `${listSome(told, 3)}; ${rest}`;
}

type Shifts = NonNullable<ShotRecord['shifts']>;
type Shift = Shifts[number];

/** Something that happened to rows, and the rows that it put in or took out. */
interface Event {
  readonly told: string;
  readonly places: readonly { readonly from: number; readonly to: number }[];
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
  return { told, places: [{ from: place, to: place + height }] };
}

function movedSection({ y, by }: Shift, start: Event, end: Event): Event {
  const told = `section at y=${y} moved ${by > 0 ? 'down' : 'up'} ${Math.abs(by)} px`;
  return { told, places: [...start.places, ...end.places] };
}

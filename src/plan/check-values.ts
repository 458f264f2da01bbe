import { readClock } from './clock.js';
import { describeValue } from './describe.js';
import { type Finding, invalid, type Path, valueAt } from './finding.js';
import { nearest } from './nearest.js';
import { ownersOf } from './owners.js';
import type { ReadableList } from './readable-list.js';

/** Finds times that no clock shows, and time zones that nobody lives in. */
export function checkValues(list: ReadableList, written: unknown): Finding[] {
  return ownersOf(list).flatMap(({ path, own: { clock, timezone } }) => [
    ...(clock === undefined || readClock(clock) !== null ? [] : [noTime([...path, 'clock'], written)]),
    ...(timezone === undefined || isTimezone(timezone) ? [] : [noZone([...path, 'timezone'], timezone, written)]),
  ]);
}

function noTime(path: Path, written: unknown): Finding {
  return invalid(path, `"clock" is ${describeValue(valueAt(written, path))}, and there is no such time`, 'Correct it.');
}

function noZone(path: Path, zone: string, written: unknown): Finding {
  const found = `${describeValue(valueAt(written, path))} is not a time zone`;
  const meant = meantZone(zone);
  return invalid(
    path,
    found,
    meant ? `Did you mean ${JSON.stringify(meant)}?` : 'Write one such as Europe/Berlin or UTC.',
  );
}

/** Browsers take names only, spelt as they are; `Intl` takes any case, and in some versions offsets. */
function isTimezone(zone: string): boolean {
  if (!/^[A-Z]/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    return false;
  }
  return !zones().some((known) => known !== zone && known.toLowerCase() === zone.toLowerCase());
}

/** A zone is often known by its city alone. */
function meantZone(zone: string): string | undefined {
  const city = `/${zone.trim().replaceAll(' ', '_').toLowerCase()}`;
  return zones().find((known) => known.toLowerCase().endsWith(city)) ?? nearest(zone, zones());
}

function zones(): string[] {
  return [...Intl.supportedValuesOf('timeZone'), 'UTC'];
}

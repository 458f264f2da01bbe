/**
 * Reads a date, or a date and time, as milliseconds since 1970; where no zone is written it is in UTC, on every machine.
 * Null where the calendar or the clock has no such time.
 */
export function readClock(text: string): number | null {
  const [, date = '', time = '00:00', zone = 'Z'] = /^(\S{10})(?:[T ]([\d:.]+))?(?: ?(Z|[+-].*))?$/.exec(text) ?? [];
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // Date.parse makes the 1st of March of the 30th of February.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== date) return null;
  const at = Date.parse(`${date}T${time}${zone}`);
  return Number.isNaN(at) ? null : at;
}

import { stripVTControlCharacters } from 'node:util';
import type { ShotRecord, Timings } from './run-record.js';
import { renderDuration } from './words.js';

/**
 * Sanitizes untrusted text to one line: removes line breaks, terminal control sequences, and characters that change the text
 * direction.
 */
export function renderPlain(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
}

/** Formats the name of a shot with its project, if that has a name: `pricing/desktop [chromium]`. */
export function nameShot({ id, project }: Pick<ShotRecord, 'id' | 'project'>): string {
  return renderPlain(project === '' ? id : `${id} [${project}]`);
}

/**
 * Formats where the time of a shot was spent, the longest part first: `unchanged 2.4 s, screenshot 310 ms`. Leaves out the parts
 * below 10 ms, and those after the first `max`.
 */
export function renderTimings({ settle, ...phases }: Timings, max = Number.POSITIVE_INFINITY): string {
  return Object.entries({ ...phases, ...settle })
    .filter(([, ms]) => ms >= 10)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, max)
    .map(([name, ms]) => `${name} ${renderDuration(ms)}`)
    .join(', ');
}

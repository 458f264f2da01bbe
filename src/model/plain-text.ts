import { stripVTControlCharacters } from 'node:util';
import type { ShotRecord } from './run-record.js';

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

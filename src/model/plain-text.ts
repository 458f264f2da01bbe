import { stripVTControlCharacters } from 'node:util';
import type { ShotRecord } from './run-record.js';

/**
 * Makes one harmless line of text from outside: without line breaks, terminal commands, and the characters that turn
 * the direction of writing.
 */
export function renderPlain(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
}

/** Names a shot with its project, where projects have names: `pricing/desktop [chromium]`. */
export function nameShot({ id, project }: Pick<ShotRecord, 'id' | 'project'>): string {
  return renderPlain(project === '' ? id : `${id} [${project}]`);
}

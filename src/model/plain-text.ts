import { stripVTControlCharacters } from 'node:util';

/**
 * Makes one harmless line of text from outside: without line breaks, terminal commands, and the characters that turn
 * the direction of writing.
 */
export function renderPlain(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
}

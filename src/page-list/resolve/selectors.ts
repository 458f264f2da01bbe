import type { IgnoreInput } from '../../model/list/page-list.js';
import type { Ignore } from '../../model/shot.js';

/** Splits a selector list at its commas, but not inside brackets or quotes. A part may be empty. */
export function splitSelectors(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (quote) quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
    else if (character === ',' && depth <= 0) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, text.slice(start).trim()];
}

/** Returns the selectors of a field that takes a list, or one string with commas. */
export function listSelectors(field: string | readonly string[] | undefined): string[] {
  return [field ?? []].flat().flatMap(splitSelectors);
}

/** Returns the selectors and the rectangles of an `ignore` field. */
export function listIgnore(field: IgnoreInput | undefined): Ignore {
  const items = [field ?? []].flat();
  return {
    selectors: listSelectors(items.filter((item) => typeof item === 'string')),
    areas: items.filter((item) => typeof item !== 'string'),
  };
}

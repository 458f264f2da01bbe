import { withoutCredentials } from '../model/url.js';

/** Lines of a file, counted from 1. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Playwright prints 2 lines above that of an error, and 3 below. */
const AROUND = 3;

/**
 * Tells of a line whether those around it may be printed: no secret stands in them, nor a URL with a password.
 *
 * @param secrets where the secrets of the text stand; null: that cannot be told.
 */
export function quotableIn(text: string, secrets: readonly Lines[] | null): (line: number) => boolean {
  if (secrets === null) return () => false;
  const urls = text
    .split('\n')
    .flatMap((line, index) => (withoutCredentials(line) === line ? [] : [{ first: index + 1, last: index + 1 }]));
  const hidden = [...secrets, ...urls];
  return (line) => !hidden.some(({ first, last }) => first - AROUND <= line && line <= last + AROUND);
}

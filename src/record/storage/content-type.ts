import { extname } from 'node:path';
import { mediaTypeOf } from '../../model/image.js';

/** Gives the content type of a file of ours by the ending of its name; null: it is none. */
export function contentTypeOf(name: string): string | null {
  const ending = extname(name).slice(1);
  return ending === 'html' ? 'text/html; charset=utf-8' : mediaTypeOf(ending);
}

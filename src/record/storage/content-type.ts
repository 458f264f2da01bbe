import { extname } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
  '.html': 'text/html; charset=utf-8',
};

/** Gives the content type of a file of ours by the ending of its name; null: it is none. */
export function contentTypeOf(name: string): string | null {
  return TYPES[extname(name)] ?? null;
}

import { createHash } from 'node:crypto';
import type { ShotName } from '../../model/shot.js';

/** Longest part of a path that we make; file systems allow 255 bytes, and Playwright appends project and platform. */
const LONGEST = { characters: 100, bytes: 180 };

/** Names that Windows keeps for devices, whatever ending they have: https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i;

/**
 * Returns the name of a page that has none: its URL's path without slashes at the ends (`index` where nothing is left),
 * then `?query` and `#hash` where it has them. The host does not count. Percent-encoding is decoded where that is safe.
 */
export function pageNameOf(url: string): string {
  const { pathname, search, hash } = new URL(url, 'http://localhost');
  const path = decode(pathname).replace(/^\/+|\/+$/g, '');
  return (path || 'index') + decode(search) + decode(hash);
}

/** Returns the names of a shot; its id is `page[/viewport][/state]`. */
export function shotNameOf(page: string, viewport: string | null, state: string | null): ShotName {
  const id = [page, viewport, state].filter((part) => part !== null).join('/');
  return { id, page, viewport, state };
}

/**
 * Returns the parts of a path under which any file system can keep a shot, without the file's ending. A page's name becomes
 * a folder at each `/`; all but letters, digits and `. _ = -` becomes `-`; what is too long is cut and gets a hash.
 * Names that differ may give the same parts: see {@link foldName}, by which a list is checked for that.
 */
export function safePathParts({ page, viewport, state }: Omit<ShotName, 'id'>): string[] {
  const folders = page.split('/').filter((part) => part.trim() !== '');
  const parts = folders.length > 0 ? folders : [''];
  return [...parts, viewport, state].filter((part) => part !== null).map(safePart);
}

/** Returns a form in which two names are equal when a file system that ignores case and Unicode form holds them equal. */
export function foldName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** Decodes as decodeURI does (what would change the structure of a URL stays encoded), and never to a line break. */
function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      const decoded = decodeURI(encoded);
      return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(decoded) ? encoded : decoded;
    } catch {
      return encoded;
    }
  });
}

/** Returns one part of a path that any file system can keep; see {@link safePathParts}. */
export function safePart(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/^\s+|[.\s]+$/g, '')
    .replace(/[^\p{L}\p{M}\p{N}._=-]/gu, '-')
    .replace(RESERVED, '$1_');
  return isTooLong(plain) ? shorten(plain) : plain || '_';
}

function isTooLong(part: string): boolean {
  return part.length > LONGEST.characters || Buffer.byteLength(part) > LONGEST.bytes;
}

function shorten(part: string): string {
  const tail = `-${createHash('sha256').update(part).digest('hex').slice(0, 8)}`;
  const characters = [...part].slice(0, LONGEST.characters);
  while (isTooLong(characters.join('') + tail)) characters.pop();
  return characters.join('') + tail;
}

import { describeValue } from './describe.js';
import { type Finding, invalid, type Path, valueAt } from './finding.js';
import { ownersOf } from './owners.js';
import type { ReadableList, ReadablePage } from './readable-list.js';

/** Finds URLs that are neither http(s) nor a path. */
export function checkUrls(list: ReadableList, written: unknown): Finding[] {
  const finalUrls = ownersOf(list).map(({ path, own }) => ({ path: [...path, 'finalUrl'], url: own.finalUrl }));
  return [...finalUrls, ...list.pages.flatMap(urlsOf)]
    .filter(({ url }) => url !== undefined && !isUrlOrPath(url))
    .map(({ path }) => {
      const shown = valueAt(written, path);
      const found = `"${fieldOf(path)}" must be an http(s) URL, or a path, not ${describeValue(shown)}`;
      return invalid(path, found, adviseUrl(shown));
    });
}

function urlsOf({ index, isShort, page }: ReadablePage): { path: Path; url: string | undefined }[] {
  const path = ['pages', index];
  const { url, before } = page;
  return [
    { path: isShort ? path : [...path, 'url'], url },
    typeof before === 'object'
      ? { path: [...path, 'before', 'url'], url: before.url }
      : { path: [...path, 'before'], url: before },
  ];
}

function isUrlOrPath(url: string): boolean {
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(url)?.[1];
  if (scheme !== undefined) return /^https?$/i.test(scheme) && URL.canParse(url);
  // "//host/path" is a URL without its scheme, and so is "/\host": it would leave baseURL.
  return !/^\s*[/\\]{2}/.test(url) && URL.canParse(url, 'http://localhost');
}

function fieldOf(path: Path): string | number {
  const last = path.at(-1);
  return typeof last === 'string' ? last : 'url';
}

function adviseUrl(shown: unknown): string {
  const text = String(shown);
  if (/^[\w.-]+:\d+(\/|$)/.test(text)) return `Write "http://${text}".`;
  if (/^\/\/[^/]/.test(text)) return `Write "https:${text}".`;
  return 'Write "https://host/path", or "/path" for a page below baseURL.';
}

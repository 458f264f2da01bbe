import { FlattenMap, originalPositionFor, type TraceMap } from '@jridgewell/trace-mapping';
import type { Page } from '@playwright/test';
import { parseUrl } from '../../model/index.js';
import { inTime } from '../browser/timing.js';

/** The source maps that were loaded, by URL; null: there is none that can be read. All pages of a list share them in one worker. */
export type SourceMaps = Map<string, Promise<TraceMap | null>>;

/** Limits of a source map: its size in bytes, the time to load it, and the number of maps that are kept. */
const MAX = { bytes: 5_000_000, timeMs: 2_000, kept: 50 };

/** A position in a style sheet as the server sent it. Lines and columns start at 0. */
export interface ServedPosition {
  readonly sheet: MappedSheet;
  readonly line: number;
  readonly column: number;
}

export interface MappedSheet {
  readonly sourceURL: string;
  /** From the comment `sourceMappingURL` or the header `SourceMap`. */
  readonly sourceMapURL?: string;
}

/** Loads the source map of a style sheet. Returns null if the server has none, or if it is too large. */
export type DownloadMap = (url: string) => Promise<string | null>;

/** Maps a position to the file and the line, from 1, from which the style sheet was made; null if no source map can be read. */
export async function locateSource(
  maps: SourceMaps,
  { sheet, line, column }: ServedPosition,
  download: DownloadMap,
): Promise<{ readonly file: string; readonly line: number } | null> {
  const url = sheet.sourceMapURL ? parseUrl(sheet.sourceMapURL, sheet.sourceURL) : null;
  if (!url || !['data:', 'http:', 'https:'].includes(url.protocol)) return null;
  const isData = url.protocol === 'data:';
  const load = async () => {
    const isTooLarge = isData && url.href.length > (MAX.bytes * 4) / 3;
    if (isTooLarge) return null;
    const json = isData ? await (await fetch(url)).text() : await download(url.href);
    return json === null ? null : new FlattenMap(json, isData ? sheet.sourceURL : url.href);
  };
  // Sources of a data URL are relative to the style sheet.
  const map = await remember(maps, isData ? `${sheet.sourceURL} ${url.href}` : url.href, load);
  try {
    const { source, line: found } = map ? originalPositionFor(map, { line: line + 1, column }) : NOWHERE;
    // A map may have mappings to sources and lines that do not exist.
    return source && found >= 1 ? { file: source, line: found } : null;
  } catch {
    // The mappings are decoded here.
    return null;
  }
}

const NOWHERE = { source: null, line: null };

function remember(maps: SourceMaps, key: string, load: () => Promise<TraceMap | null>): Promise<TraceMap | null> {
  const known = maps.get(key);
  if (known) return known;
  const loaded = inTime(MAX.timeMs, load());
  const [oldest] = maps.keys();
  if (oldest !== undefined && maps.size >= MAX.kept) maps.delete(oldest);
  maps.set(key, loaded);
  return loaded;
}

/** Creates the function that loads source maps as the page could, with its cookies and its proxy, but not among its requests. */
export function downloadBy(page: Page): DownloadMap {
  return async (url) => {
    const response = await page.context().request.get(url, { timeout: MAX.timeMs });
    const bytes = response.status() === 200 ? await response.body() : null;
    await response.dispose();
    return bytes && bytes.length <= MAX.bytes ? String(bytes) : null;
  };
}

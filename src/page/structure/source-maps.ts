import { FlattenMap, originalPositionFor, type TraceMap } from '@jridgewell/trace-mapping';
import type { CDPSession } from '@playwright/test';
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

/** The part of a style sheet that locates its source map. */
export interface MappedSheet {
  readonly sourceURL: string;
  readonly frameId: string;
  /** From the comment `sourceMappingURL` or the header `SourceMap`. */
  readonly sourceMapURL?: string;
}

/** Loads the source map of a style sheet. Returns null if the server has none, or if it is too large. */
export type DownloadMap = (url: string, frameId: string) => Promise<string | null>;

/**
 * Maps a position to the source from which the style sheet was made.
 *
 * @returns the file and the line, from 1; null if there is no source map, or none that can be read
 */
export async function locateSource(
  maps: SourceMaps,
  { sheet, line, column }: ServedPosition,
  download: DownloadMap,
): Promise<{ readonly file: string; readonly line: number } | null> {
  const url = sheet.sourceMapURL ? parseUrl(sheet.sourceMapURL, sheet.sourceURL) : null;
  if (!url || !['data:', 'http:', 'https:'].includes(url.protocol)) return null;
  const isData = url.protocol === 'data:';
  const load = async () => {
    const json = isData ? decodeDataUrl(url.href) : await download(url.href, sheet.frameId);
    return json === null ? null : new FlattenMap(json, isData ? sheet.sourceURL : url.href);
  };
  // Sources of a data URL are relative to the style sheet.
  const map = await remember(maps, isData ? `${sheet.sourceURL} ${url.href}` : url.href, load);
  try {
    const { source, line: found } = map
      ? originalPositionFor(map, { line: line + 1, column })
      : { source: null, line: null };
    // A map may have mappings to sources and lines that do not exist.
    return source && found >= 1 ? { file: source, line: found } : null;
  } catch {
    // The mappings are decoded here.
    return null;
  }
}

function remember(maps: SourceMaps, key: string, load: () => Promise<TraceMap | null>): Promise<TraceMap | null> {
  const known = maps.get(key);
  if (known) return known;
  const loaded = inTime(MAX.timeMs, load());
  const [oldest] = maps.keys();
  if (oldest !== undefined && maps.size >= MAX.kept) maps.delete(oldest);
  maps.set(key, loaded);
  return loaded;
}

/** @throws URIError */
function decodeDataUrl(url: string): string | null {
  const [, head = '', body = ''] = /^data:([^,]*),(.*)$/s.exec(url) ?? [];
  if (body.length > (MAX.bytes * 4) / 3) return null;
  return /;base64$/i.test(head) ? Buffer.from(body, 'base64').toString() : decodeURIComponent(body);
}

/**
 * Creates the function that loads source maps by the browser, as the page could: with its cookies, its proxy and its content security
 * policy. The page does not notice it, and the requests of the page do not include it.
 */
export function downloadBy(session: CDPSession): DownloadMap {
  return async (url, frameId) => {
    const options = { disableCache: false, includeCredentials: true };
    const { resource } = await session.send('Network.loadNetworkResource', { frameId, url, options });
    const { stream: handle } = resource;
    if (handle === undefined) return null;
    try {
      return resource.httpStatusCode === 200 ? await readStream(session, handle) : null;
    } finally {
      await session.send('IO.close', { handle });
    }
  };
}

async function readStream(session: CDPSession, handle: string): Promise<string | null> {
  const parts: Buffer[] = [];
  for (let bytes = 0; bytes <= MAX.bytes; ) {
    const { data, base64Encoded, eof } = await session.send('IO.read', { handle, size: 1_000_000 });
    const part = Buffer.from(data, base64Encoded ? 'base64' : 'utf8');
    parts.push(part);
    bytes += part.length;
    if (eof) return bytes > MAX.bytes ? null : Buffer.concat(parts).toString();
  }
  return null;
}

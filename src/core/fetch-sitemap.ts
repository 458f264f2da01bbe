import { gunzipSync } from 'node:zlib';
import { messageOf, ProofsheetError } from '../model/errors.js';
import { renderCountOf } from '../model/words.js';
import type { ImportedList } from '../plan/import/imported.js';
import { importSitemap, readSitemap } from '../plan/import/sitemap.js';
import { checkUrl } from './check-url.js';

/** What is read of a sitemap at most: a list that a person can look through. */
const MOST = { sitemaps: 50, pages: 2_000, bytes: 50 * 1024 * 1024, milliseconds: 30_000 };

/**
 * Fetches a sitemap, with those that it names on the same site, and makes a page list of it.
 *
 * @throws ProofsheetError `sitemap-unreadable`, `command-invalid`
 */
export async function fetchSitemap(address: string): Promise<ImportedList> {
  const first = checkUrl(address);
  const { origin } = new URL(first);
  const waiting = [first];
  const seen = new Set<string>();
  const pages = new Set<string>();
  for (let url = waiting.shift(); url !== undefined && seen.size < MOST.sitemaps; url = waiting.shift()) {
    if (seen.has(url) || new URL(url).origin !== origin) continue;
    seen.add(url);
    const { kind, urls } = readSitemap(await fetchText(url));
    if (kind === 'sitemaps') waiting.push(...urls);
    else for (const page of urls) pages.add(page);
  }
  const list = importSitemap(first, [...pages].slice(0, MOST.pages));
  if (list.pages.length === 0) throw unreadable(first, 'it names no pages of its own site');
  const left = pages.size - MOST.pages;
  return left > 0
    ? { ...list, notes: [...list.notes, `the sitemap names ${renderCountOf(left, 'more page')}, which were left out`] }
    : list;
}

async function fetchText(url: string): Promise<string> {
  let bytes: Buffer;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(MOST.milliseconds) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    bytes = Buffer.from(await response.arrayBuffer());
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    if (isPacked) bytes = gunzipSync(bytes, { maxOutputLength: MOST.bytes });
  } catch (cause) {
    const reason = cause instanceof Error && cause.cause ? messageOf(cause.cause) : messageOf(cause);
    throw unreadable(url, `the sitemap cannot be read (${reason})`);
  }
  if (bytes.length <= MOST.bytes) return bytes.toString('utf8');
  throw unreadable(url, `the sitemap has more than ${MOST.bytes / 1024 / 1024} MB`);
}

function unreadable(where: string, found: string): ProofsheetError {
  const advice = 'Give the URL of a sitemap, such as https://www.example.com/sitemap.xml.';
  return new ProofsheetError({ code: 'sitemap-unreadable', where, found, advice });
}

import { gunzipSync } from 'node:zlib';
import {
  checkUrl,
  failure,
  messageOf,
  type ProofsheetError,
  parseUrl,
  renderCount,
  renderCountOf,
} from '../../model/index.js';
import type { ImportedList } from './imported.js';

/** Limits of a sitemap import: the resulting list should be short enough to review. */
const LIMITS = { sitemaps: 50, pages: 2_000, bytes: 50 * 1024 * 1024, milliseconds: 30_000 };

/** Converts a sitemap, with nested ones of its origin, into a page list. @throws ProofsheetError `sitemap-unreadable`, `command-invalid` */
export async function fetchSitemap(address: string): Promise<ImportedList> {
  const first = checkUrl(address);
  const { origin } = new URL(first);
  const queue = [first];
  const seen = new Set<string>();
  const pages = new Set<string>();
  for (let url = queue.shift(); url !== undefined && seen.size < LIMITS.sitemaps; url = queue.shift()) {
    if (seen.has(url) || new URL(url).origin !== origin) continue;
    seen.add(url);
    const { kind, urls } = readSitemap(await fetchText(url));
    if (kind === 'sitemaps') queue.push(...urls);
    else for (const page of urls) pages.add(page);
  }
  const list = importSitemap(first, [...pages].slice(0, LIMITS.pages));
  if (list.pages.length === 0) throw unreadable(first, 'the sitemap has no pages of its own site');
  if (pages.size <= LIMITS.pages) return list;
  const skipped = renderCountOf(pages.size - LIMITS.pages, 'page');
  const note = `${skipped} skipped, because the limit is ${renderCount(LIMITS.pages)} pages`;
  return { ...list, notes: [...list.notes, note] };
}

async function fetchText(url: string): Promise<string> {
  let bytes: Buffer;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(LIMITS.milliseconds) });
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    bytes = Buffer.from(await response.arrayBuffer());
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    if (isPacked) bytes = gunzipSync(bytes, { maxOutputLength: LIMITS.bytes });
  } catch (cause) {
    const reason = cause instanceof Error && cause.cause ? messageOf(cause.cause) : messageOf(cause);
    throw unreadable(url, `the sitemap cannot be read (${reason})`);
  }
  if (bytes.length <= LIMITS.bytes) return bytes.toString('utf8');
  throw unreadable(url, `the sitemap is larger than ${LIMITS.bytes / 1024 / 1024} MB`);
}

function unreadable(where: string, found: string): ProofsheetError {
  const advice = 'Use the URL of a sitemap, such as https://www.example.com/sitemap.xml.';
  return failure('sitemap-unreadable', where, found, advice);
}

/** Parses a sitemap, which has pages or further sitemaps: XML, or text with one URL per line. https://www.sitemaps.org/protocol.html */
export function readSitemap(text: string) {
  const locations = [...text.matchAll(/<(?:\w+:)?loc>\s*(?:<!\[CDATA\[)?([^<\]]*?)(?:\]\]>)?\s*<\/(?:\w+:)?loc>/gi)];
  const isXml = text.trimStart().startsWith('<');
  const urls = isXml ? locations.map(([, url = '']) => decodeEntities(url)) : text.split(/\s+/);
  const kind = /<(?:\w+:)?sitemapindex[\s>]/i.test(text) ? 'sitemaps' : 'pages';
  return { kind, urls: urls.filter((url) => /^https?:/.test(url) && parseUrl(url) !== null) };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.trim().replace(/&(#x?[\da-f]+|\w+);/gi, (whole, name: string) => {
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return ENTITIES[name] ?? (name.startsWith('#') && code < 0x10ffff ? String.fromCodePoint(code) : whole);
  });
}

/** Creates a page list of the pages of a sitemap that have the origin of the sitemap. */
export function importSitemap(sitemapUrl: string, urls: readonly string[]): ImportedList {
  const { origin } = new URL(sitemapUrl);
  const ownUrls = urls.map((url) => new URL(url)).filter((url) => url.origin === origin);
  const paths = [...new Set(ownUrls.map(({ pathname, search }) => pathname + search))];
  const others = urls.length - ownUrls.length;
  return {
    baseURL: origin,
    viewports: {},
    defaults: { fullSize: true },
    pages: paths.map((url) => ({ page: { url }, notes: [] })),
    notes: others > 0 ? [`${renderCountOf(others, 'page')} of other sites skipped`] : [],
  };
}

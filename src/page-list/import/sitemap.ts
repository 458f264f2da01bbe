import { parseUrl } from '../../model/url.js';
import { renderCountOf } from '../../model/words.js';
import type { ImportedList } from './imported.js';

/** The content of a sitemap: pages, or further sitemaps. https://www.sitemaps.org/protocol.html */
export interface Sitemap {
  readonly kind: 'pages' | 'sitemaps';
  readonly urls: readonly string[];
}

/** Parses a sitemap: XML, or text with one URL per line. */
export function readSitemap(text: string): Sitemap {
  const locations = [...text.matchAll(/<(?:\w+:)?loc>\s*(?:<!\[CDATA\[)?([^<\]]*?)(?:\]\]>)?\s*<\/(?:\w+:)?loc>/gi)];
  const isXml = text.trimStart().startsWith('<');
  const urls = isXml ? locations.map(([, url = '']) => decode(url)) : text.split(/\s+/);
  const kind = /<(?:\w+:)?sitemapindex[\s>]/i.test(text) ? 'sitemaps' : 'pages';
  return { kind, urls: urls.filter((url) => /^https?:/.test(url) && parseUrl(url) !== null) };
}

/** Creates a page list of the pages of a sitemap that have the origin of the sitemap. */
export function importSitemap(sitemapUrl: string, urls: readonly string[]): ImportedList {
  const { origin } = new URL(sitemapUrl);
  const sameOrigin = urls.map((url) => new URL(url)).filter((url) => url.origin === origin);
  const paths = [...new Set(sameOrigin.map(({ pathname, search }) => pathname + search))];
  const crossOriginCount = urls.length - sameOrigin.length;
  return {
    baseURL: origin,
    viewports: {},
    defaults: { fullSize: true },
    pages: paths.map((url) => ({ page: { url }, notes: [] })),
    notes:
      crossOriginCount > 0
        ? [`the sitemap names ${renderCountOf(crossOriginCount, 'page')} of other sites, which were left out`]
        : [],
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.trim().replace(/&(#x?[\da-f]+|\w+);/gi, (whole, name: string) => {
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return ENTITIES[name] ?? (name.startsWith('#') && code < 0x10ffff ? String.fromCodePoint(code) : whole);
  });
}

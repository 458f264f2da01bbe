import { renderCountOf } from '../../model/words.js';
import type { ImportedList } from './imported.js';

/** What a sitemap says: pages, or further sitemaps. https://www.sitemaps.org/protocol.html */
export interface Sitemap {
  readonly kind: 'pages' | 'sitemaps';
  readonly urls: readonly string[];
}

/** Reads a sitemap: XML, or a text with a URL in each line. */
export function readSitemap(text: string): Sitemap {
  const locations = [...text.matchAll(/<(?:\w+:)?loc>\s*(?:<!\[CDATA\[)?([^<\]]*?)(?:\]\]>)?\s*<\/(?:\w+:)?loc>/gi)];
  const isXml = text.trimStart().startsWith('<');
  const urls = isXml ? locations.map(([, url = '']) => decode(url)) : text.split(/\s+/);
  const kind = /<(?:\w+:)?sitemapindex[\s>]/i.test(text) ? 'sitemaps' : 'pages';
  return { kind, urls: urls.filter((url) => /^https?:/.test(url) && URL.canParse(url)) };
}

/** Makes a page list of the pages of a sitemap that are on its own site. */
export function importSitemap(sitemapUrl: string, urls: readonly string[]): ImportedList {
  const { origin } = new URL(sitemapUrl);
  const own = urls.map((url) => new URL(url)).filter((url) => url.origin === origin);
  const paths = [...new Set(own.map(({ pathname, search }) => pathname + search))];
  const strangers = urls.length - own.length;
  return {
    baseURL: origin,
    viewports: {},
    defaults: { fullSize: true },
    pages: paths.map((url) => ({ page: { url }, notes: [] })),
    notes:
      strangers > 0
        ? [`the sitemap names ${renderCountOf(strangers, 'page')} of other sites, which were left out`]
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

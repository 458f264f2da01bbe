import { describe, expect, test } from 'vitest';
import { renderList } from '../../../../src/list/import/imported.js';
import { importSitemap, readSitemap } from '../../../../src/list/import/sitemap.js';
import { SCHEMA } from './imported-file.js';

describe('a sitemap', () => {
  const urlset = (urls: readonly string[]) =>
    `<?xml version="1.0"?><urlset xmlns="x">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;

  test('gives the sitemap its own site, each once, as paths', () => {
    const own = ['https://a.test/', ' https://a.test/shop?x=1&amp;y=2 ', '<![CDATA[https://a.test/docs/]]>'];
    const others = ['https://a.test/', 'https://b.test/', 'javascript:alert(1)', 'nonsense'];
    const { kind, urls } = readSitemap(urlset([...own, ...others]));
    expect(kind).toBe('pages');
    expect(
      renderList(importSitemap('https://a.test/sitemap.xml', urls), SCHEMA),
    ).toBe(`# yaml-language-server: $schema=./node_modules/proofsheet/pages.schema.json
# 1 page of other sites skipped
baseURL: https://a.test
defaults:
  fullSize: true
pages:
  - /
  - /shop?x=1&y=2
  - /docs/
`);
  });

  test('may be an index of others, or plain text', () => {
    expect(readSitemap('<sitemapindex><sitemap><loc>https://a.test/1.xml</loc></sitemap></sitemapindex>')).toEqual({
      kind: 'sitemaps',
      urls: ['https://a.test/1.xml'],
    });
    expect(readSitemap('https://a.test/x\nhttps://a.test/y\n').urls).toHaveLength(2);
  });
});

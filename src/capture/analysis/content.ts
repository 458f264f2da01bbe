import type { Page } from '@playwright/test';
import { MOST_READ, type PageContent, pageContentSchema } from '../../model/analysis.js';
import { CAPTCHA_WIDGETS } from './captcha.js';

/**
 * Reads what a page says: its text as it can be seen, headings, metadata, images and links.
 *
 * @throws Error where the page answers with something else.
 */
export async function readContent(page: Page): Promise<PageContent> {
  const source = `(${String(collectContent)})(${JSON.stringify(MOST_READ)}, ${JSON.stringify(CAPTCHA_WIDGETS)})`;
  return pageContentSchema.parse(await page.evaluate<unknown>(source));
}

/** Runs in the page. */
function collectContent(most: typeof MOST_READ, widgets: typeof CAPTCHA_WIDGETS) {
  const all = <T extends Element>(selector: string) => [...document.querySelectorAll<T>(selector)];
  const short = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim().slice(0, most.line);
  const orNull = (text: string | null | undefined) => short(text) || null;
  const isSeen = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
  };
  const titles = (tag: string) =>
    all(tag)
      .slice(0, most.headings)
      .map((element) => short(element.textContent))
      .filter((text) => text !== '');
  const meta = (name: string) => orNull(document.querySelector(`meta[name="${name}" i]`)?.getAttribute('content'));
  const link = (rel: string) => orNull(document.querySelector<HTMLLinkElement>(`link[rel~="${rel}" i]`)?.href);
  const named = (prefix: string) =>
    Object.fromEntries(
      all(`meta[property^="${prefix}" i], meta[name^="${prefix}" i]`)
        .slice(0, most.names)
        .map((element) => [
          short((element.getAttribute('property') ?? element.getAttribute('name'))?.slice(prefix.length)),
          short(element.getAttribute('content')),
        ]),
    );
  const images = [...document.images];
  const broken = images.filter((image) => image.complete && image.naturalWidth === 0 && image.currentSrc !== '');
  const hrefs = all<HTMLAnchorElement>('a[href], area[href]').map(({ href }) => href);
  // In a drawing it is an object.
  const targets = hrefs.filter((href) => typeof href === 'string' && /^https?:/.test(href) && href.length < most.line);
  // An address within a page is the page's. What is there twice is one.
  const links = [...new Set(targets.map((href) => href.replace(/#.*/, '')))];
  return {
    // biome-ignore lint/performance/useDomNodeTextContent: only what can be seen counts
    text: (document.body?.innerText ?? '').slice(0, most.text),
    headings: { h1: titles('h1'), h2: titles('h2'), h3: titles('h3') },
    metadata: {
      title: orNull(document.title),
      description: meta('description'),
      canonical: link('canonical'),
      language: orNull(document.documentElement.lang),
      charset: orNull(document.characterSet),
      viewport: meta('viewport'),
      robots: meta('robots'),
      author: meta('author'),
      keywords: meta('keywords'),
      generator: meta('generator'),
      themeColor: meta('theme-color'),
      icon: link('icon'),
      openGraph: named('og:'),
      twitter: named('twitter:'),
      alternates: Object.fromEntries(
        all<HTMLLinkElement>('link[rel~="alternate" i][hreflang]')
          .slice(0, most.names)
          .map(({ hreflang, href }) => [short(hreflang), short(href)]),
      ),
    },
    images: {
      total: new Set(images.map((image) => image.currentSrc)).size,
      broken: [...new Set(broken.map((image) => image.currentSrc.slice(0, most.line)))].slice(0, most.images),
    },
    links: { total: links.length, first: links.slice(0, most.links) },
    media: all('img, video, canvas, svg, iframe, object, embed').filter(isSeen).length,
    captchas: widgets.filter(({ selector }) => document.querySelector(selector)).map(({ name }) => name),
  };
}

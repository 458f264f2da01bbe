import type { Page } from '@playwright/test';
import { MAX_READ, type PageContent, pageContentSchema } from '../protocol/analyze.js';

/**
 * Reads the visible text, headings, metadata, images and links of a page.
 *
 * @throws Error if the page returns a value of another shape.
 */
export async function readContent(page: Page): Promise<PageContent> {
  return pageContentSchema.parse(await page.evaluate(collectContent, MAX_READ));
}

/** Runs in the page. */
function collectContent(most: typeof MAX_READ) {
  const all = <T extends Element>(selector: string) => [...document.querySelectorAll<T>(selector)];
  const shorten = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim().slice(0, most.line);
  const orNull = (text: string | null | undefined) => shorten(text) || null;
  const isVisible = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
  };
  const headingsOf = (tag: string) =>
    all(tag)
      .slice(0, most.headings)
      .map((element) => shorten(element.textContent))
      .filter((text) => text !== '');
  const meta = (name: string) => orNull(document.querySelector(`meta[name="${name}" i]`)?.getAttribute('content'));
  const link = (rel: string) => orNull(document.querySelector<HTMLLinkElement>(`link[rel~="${rel}" i]`)?.href);
  const named = (prefix: string) =>
    Object.fromEntries(
      all(`meta[property^="${prefix}" i], meta[name^="${prefix}" i]`)
        .slice(0, most.names)
        .map((element) => [
          shorten((element.getAttribute('property') ?? element.getAttribute('name'))?.slice(prefix.length)),
          shorten(element.getAttribute('content')),
        ]),
    );
  const images = [...document.images];
  const broken = images.filter((image) => image.complete && image.naturalWidth === 0 && image.currentSrc !== '');
  const hrefs = all<HTMLAnchorElement>('a[href], area[href]').map(({ href }) => href);
  // `href` of an SVG link is an object.
  const targets = hrefs.filter((href) => typeof href === 'string' && /^https?:/.test(href) && href.length < most.line);
  // Removes fragments and duplicates.
  const links = [...new Set(targets.map((href) => href.replace(/#.*/, '')))];
  return {
    // biome-ignore lint/performance/useDomNodeTextContent: only visible text counts
    text: (document.body?.innerText ?? '').slice(0, most.text),
    headings: { h1: headingsOf('h1'), h2: headingsOf('h2'), h3: headingsOf('h3') },
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
          .map(({ hreflang, href }) => [shorten(hreflang), shorten(href)]),
      ),
    },
    images: {
      total: new Set(images.map((image) => image.currentSrc)).size,
      broken: [...new Set(broken.map((image) => image.currentSrc.slice(0, most.line)))].slice(0, most.images),
    },
    links: { total: links.length, first: links.slice(0, most.links) },
    media: all('img, video, canvas, svg, iframe, object, embed').filter(isVisible).length,
  };
}

/** The frames of captchas that a visitor sees, by their URLs. */
const CAPTCHAS: Readonly<Record<string, RegExp>> = {
  reCAPTCHA: /^https:\/\/(www\.)?(google\.com|recaptcha\.net)\/recaptcha\/(?!.*[?&]size=invisible\b)/,
  hCaptcha: /^https:\/\/([\w-]+\.)*hcaptcha\.com\/captcha\/(?!.*[?&#]size=invisible\b)/,
  'Cloudflare Turnstile': /^https:\/\/challenges\.cloudflare\.com\//,
};

/** Returns the names of the captchas whose frames have these URLs. */
export function findCaptchas(frameUrls: readonly string[]): string[] {
  return Object.keys(CAPTCHAS).filter((name) => frameUrls.some((url) => CAPTCHAS[name]?.test(url)));
}

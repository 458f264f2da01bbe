import type { Page } from '@playwright/test';
import { MAX_READ, type PageContent, pageContentSchema } from '../../model/service/analyze.js';

/**
 * Reads the visible text, headings, metadata, images and links of a page.
 *
 * @throws Error if the page returns a value of another shape.
 */
export async function readContent(page: Page): Promise<PageContent> {
  const source = `(${String(collectContent)})(${JSON.stringify(MAX_READ)}, ${JSON.stringify(CAPTCHA_WIDGETS)})`;
  return pageContentSchema.parse(await page.evaluate<unknown>(source));
}

/** Runs in the page. */
function collectContent(most: typeof MAX_READ, widgets: typeof CAPTCHA_WIDGETS) {
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
    captchas: widgets.filter(({ selector }) => document.querySelector(selector)).map(({ name }) => name),
  };
}

/** Selectors of interactive captcha widgets. */
export const CAPTCHA_WIDGETS: readonly { readonly name: string; readonly selector: string }[] = [
  { name: 'reCAPTCHA', selector: '.g-recaptcha[data-sitekey]:not([data-size="invisible"])' },
  { name: 'hCaptcha', selector: '.h-captcha[data-sitekey]:not([data-size="invisible"])' },
  { name: 'Cloudflare Turnstile', selector: '.cf-turnstile[data-sitekey]:not([data-size="invisible"])' },
  {
    name: 'Cloudflare challenge',
    selector:
      '#challenge-form, #challenge-running, #cf-challenge-running, script[src*="/cdn-cgi/challenge-platform/h/"][src*="/orchestrate/"]',
  },
  { name: 'Arkose Labs', selector: '#FunCaptcha, [data-e2e="enforcement-frame"], #arkose-container' },
  { name: 'DataDome', selector: '#ddv1-captcha-container, script[src*="captcha-delivery.com"]' },
  { name: 'HUMAN (PerimeterX)', selector: '#px-captcha, #px-captcha-wrapper' },
  { name: 'AWS WAF', selector: 'awswaf-captcha, #amzn-captcha-verify-button' },
  { name: 'GeeTest', selector: '.geetest_captcha, .geetest_holder, .geetest_radar_btn' },
  { name: 'Friendly Captcha', selector: '.frc-captcha[data-sitekey]' },
  { name: 'ALTCHA', selector: 'altcha-widget' },
  { name: 'Yandex SmartCaptcha', selector: '.smart-captcha[data-sitekey]' },
  { name: 'Tencent Captcha', selector: '#tcaptcha_iframe, #tcaptcha_transform' },
  { name: 'MTCaptcha', selector: '.mtcaptcha' },
];

/** URL patterns of captcha frames. Frames of invisible captchas have `size=invisible` in their URL. */
const CAPTCHA_FRAMES: readonly { readonly name: string; readonly url: RegExp }[] = [
  { name: 'reCAPTCHA', url: /^https:\/\/(www\.)?(google\.com|recaptcha\.net)\/recaptcha\/(api2|enterprise)\/anchor\?/ },
  { name: 'hCaptcha', url: /^https:\/\/([\w-]+\.)*hcaptcha\.com\/captcha\// },
  { name: 'Cloudflare Turnstile', url: /^https:\/\/challenges\.cloudflare\.com\// },
  { name: 'Arkose Labs', url: /^https:\/\/([\w-]+\.)*(arkoselabs|funcaptcha)\.com\// },
  { name: 'DataDome', url: /^https:\/\/([\w-]+\.)*captcha-delivery\.com\// },
  { name: 'HUMAN (PerimeterX)', url: /^https:\/\/([\w-]+\.)*px-(cdn|cloud)\.net\/.*captcha/ },
  { name: 'Yandex SmartCaptcha', url: /^https:\/\/smartcaptcha\.yandexcloud\.net\// },
  { name: 'Tencent Captcha', url: /^https:\/\/([\w-]+\.)*captcha\.(qq|qcloud)\.com\// },
];

/** Returns the names of the captchas that a page shows in frames. */
export function findCaptchaFrames(page: Page): string[] {
  const urls = page.frames().map((frame) => frame.url());
  return CAPTCHA_FRAMES.filter(({ url }) => urls.some((frameUrl) => url.test(frameUrl) && !isInvisible(frameUrl))).map(
    ({ name }) => name,
  );
}

function isInvisible(url: string): boolean {
  return /[?&#]size=invisible\b/.test(url);
}

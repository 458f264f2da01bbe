import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ConsoleMessage, Page, Request } from '@playwright/test';
import type axe from 'axe-core';
import { cutText, firstLineOf, messageOf } from '../../model/index.js';
import { watchNavigations, withTimeLimit } from '../../page/index.js';
import { MAX_READ, pageContentSchema, type Violation, violationsSchema } from '../protocol/responses.js';

/** All data that was collected while a page was open. Missing data is null; `unmeasured` has a sentence about each part of it. */
export type PageFindings = Awaited<ReturnType<typeof inspectPage>>;

const PART_MS = 7_000;

/** Reads the content of an open page, and with `quality` its violations. A part that fails or takes too long does not affect the others. */
export async function inspectPage(page: Page, watch: PageWatch, quality: boolean) {
  const unmeasured: string[] = [];
  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await withTimeLimit(PART_MS, work(), () => {
        throw new Error(`timeout of ${PART_MS / 1000} s exceeded`);
      });
    } catch (error) {
      unmeasured.push(`${what} could not be measured: ${cutText(firstLineOf(error), 200)}`);
      return null;
    }
  };
  // Read before scripts are injected, so that their errors do not count as errors of the page.
  const consoleErrors = watch.consoleErrors();
  return {
    httpStatus: watch.httpStatus(),
    consoleErrors,
    captchas: findCaptchas(page.frames().map((frame) => frame.url())),
    content: await attempt('the content', async () =>
      pageContentSchema.parse(await page.evaluate(collectContent, MAX_READ)),
    ),
    violations: quality ? await attempt('the accessibility', () => findViolations(page)) : null,
    weight: (await attempt('the page weight', watch.weight)) ?? { requests: 0, bytes: 0 },
    unmeasured,
  };
}

/** Runs in the page. */
function collectContent(most: typeof MAX_READ) {
  const all = <T extends Element>(selector: string) => [...document.querySelectorAll<T>(selector)];
  const shorten = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim().slice(0, most.line);
  const orNull = (text: string | null | undefined) => shorten(text) || null;
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
  const sources = (images: readonly HTMLImageElement[]) => [...new Set(images.map((image) => image.currentSrc))];
  const images = [...document.images];
  const broken = images.filter((image) => image.complete && image.naturalWidth === 0 && image.currentSrc !== '');
  const hrefs = all<HTMLAnchorElement>('a[href], area[href]').map(({ href }) => href);
  // `href` of an SVG link is an object.
  const targets = hrefs.filter((href) => typeof href === 'string' && /^https?:/.test(href) && href.length < most.line);
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
      total: sources(images).length,
      broken: sources(broken)
        .slice(0, most.images)
        .map((source) => source.slice(0, most.line)),
    },
    links: { total: links.length, first: links.slice(0, most.links) },
  };
}

/** The frames of captchas that a visitor sees, by their URLs. */
const CAPTCHAS = [
  { name: 'reCAPTCHA', url: /^https:\/\/(www\.)?(google\.com|recaptcha\.net)\/recaptcha\/(?!.*[?&]size=invisible\b)/ },
  { name: 'hCaptcha', url: /^https:\/\/([\w-]+\.)*hcaptcha\.com\/captcha\/(?!.*[?&#]size=invisible\b)/ },
  { name: 'Cloudflare Turnstile', url: /^https:\/\/challenges\.cloudflare\.com\// },
];

export function findCaptchas(frameUrls: readonly string[]): string[] {
  return CAPTCHAS.filter(({ url }) => frameUrls.some((frame) => url.test(frame))).map(({ name }) => name);
}

async function findViolations(page: Page): Promise<Violation[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Hides the AMD and CommonJS globals of the page: axe-core would register itself there.
  const wrapped = `(() => { const define = undefined, module = undefined, exports = undefined; ${source}\n})()`;
  return violationsSchema.parse(await page.evaluate<unknown>(`${wrapped}; (${String(runAxe)})()`));
}

declare global {
  interface Window {
    /** The global that axe-core defines. */
    axe?: typeof axe;
  }
}

/** Runs in the page. */
async function runAxe() {
  const runner = window.axe;
  if (!runner) throw new Error('axe-core did not load');
  delete window.axe;
  const { violations } = await runner.run(document, { resultTypes: ['violations'], iframes: false, elementRef: false });
  return violations.map(({ id, impact, help, helpUrl, nodes }) => ({
    rule: id,
    impact: impact ?? null,
    help,
    helpUrl,
    elements: nodes.length,
    example: nodes[0] ? nodes[0].target.flat().join(' ').slice(0, 2_000) : null,
  }));
}

export type PageWatch = ReturnType<typeof watchPage>;

/** Maximum number of messages to record, and of their characters. Further messages are only counted. */
const MAX_MESSAGES = { count: 20, characters: 500 };

/** Collects console errors and network traffic of a page while it loads. Call it before navigation. */
export function watchPage(page: Page) {
  const first: string[] = [];
  let total = 0;
  const sizes: Promise<number>[] = [];
  const navigations = watchNavigations(page);
  const recordError = (text: string) => {
    total++;
    if (first.length < MAX_MESSAGES.count) first.push(text.slice(0, MAX_MESSAGES.characters));
  };
  page.on('console', (message: ConsoleMessage) => {
    if (message.type() === 'error') recordError(message.text());
  });
  page.on('pageerror', (error: Error) => recordError(messageOf(error)));
  page.on('requestfinished', (request: Request) => void sizes.push(sizeOf(request)));
  return {
    /** Returns the HTTP status of the document; 0 without a response. */
    httpStatus: navigations.status,
    consoleErrors: () => ({ total, first: [...first] }),
    /** Returns the number of finished requests and the sum of their response sizes in bytes. */
    async weight() {
      const known = await Promise.all(sizes);
      return { requests: known.length, bytes: known.reduce((sum, size) => sum + size, 0) };
    },
  };
}

async function sizeOf(request: Request): Promise<number> {
  const sizes = await request.sizes().catch(() => null);
  return sizes ? Math.max(0, sizes.responseBodySize) + Math.max(0, sizes.responseHeadersSize) : 0;
}

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Server, serveBy } from '../../../../fixtures/serve.mjs';
import { findCaptchas } from '../../../../src/service/analysis/inspect-page.js';
import { checkLinks, judgeQuality, measureReadability } from '../../../../src/service/analysis/quality.js';
import { createAddressPolicy } from '../../../../src/service/egress/address-policy.js';
import { type Egress, fetchWithPolicy } from '../../../../src/service/egress/egress.js';
import { type PageContent, pageContentSchema } from '../../../../src/service/protocol/responses.js';
import { collectGarbage } from '../../collect-garbage.js';

const EASY =
  'The cat sat on the mat. The dog ran to the cat. The cat ran up a tree. The dog sat by the tree and slept.';
const HARD =
  'Notwithstanding considerable organisational heterogeneity, interdisciplinary collaborations characteristically ' +
  'necessitate extraordinarily comprehensive administrative responsibilities. Institutional accountability ' +
  'mechanisms simultaneously presuppose unambiguous methodological transparency.';

test('a text reads as easy as by the formula of Flesch, unless it has few words or is a menu', () => {
  const { score, counts } = measureReadability(EASY);
  expect(counts).toEqual({ formula: 'Flesch reading ease', sentences: 4, words: 26, syllables: 26 });
  // 206.835 - 1.015 * 26 / 4 - 84.6 * 26 / 26 is 115.6: the scale ends at 100.
  expect([score, measureReadability(HARD).score]).toEqual([100, 0]);
  const text = `${EASY} ${'Every experienced engineer considers alternatives before deciding. '.repeat(4)}`;
  const middling = measureReadability(text);
  const { words, sentences, syllables } = middling.counts;
  expect(middling.score).toBeCloseTo(206.835 - (1.015 * words) / sentences - (84.6 * syllables) / words, 1);
  expect(measureReadability('Hello there, good people.').score).toBe(null);
  expect(measureReadability('Home\nPricing\nDocs\n'.repeat(50)).score).toBe(null);
  expect(measureReadability('')).toMatchObject({ score: null, counts: { words: 0, sentences: 0 } });
});

test('the notes about a page name the parts that it lacks, the language of the formula, and a few of many images', () => {
  const notesOf = (language: string, changes: Partial<PageContent> = {}) => {
    const none = Object.fromEntries(Object.keys(pageContentSchema.shape.metadata.shape).map((name) => [name, null]));
    const content = pageContentSchema.parse({
      ...{ text: EASY, headings: { h1: [], h2: [], h3: [] } },
      metadata: { ...none, language, openGraph: {}, twitter: {}, alternates: {} },
      ...{ images: { total: 0, broken: [] }, links: { total: 0, first: [] }, ...changes },
    });
    const findings = {
      ...{ httpStatus: 200, content, captchas: [], consoleErrors: { total: 0, first: [] } },
      ...{ weight: { requests: 1, bytes: 1 }, violations: [], unmeasured: [] },
    };
    return judgeQuality(findings, false, { found: 0, checked: 0, broken: [] }).notes;
  };
  const missing = 'the page has no title, description, viewport (`<meta name="viewport">`), h1';
  expect(notesOf('en-US')).toEqual([missing]);
  const broken = Array.from({ length: 5 }, (_, index) => `https://a.test/${index}`);
  expect(notesOf('de', { images: { total: 9, broken } })).toEqual([
    'readabilityScore uses a formula for English, but the language of the page is "de"',
    missing,
    '5 images of 9 did not load: https://a.test/0, https://a.test/1, https://a.test/2 and 2 more',
  ]);
});

test('a captcha is a frame of its vendor that a visitor sees', () => {
  const frames = [
    'https://www.google.com/recaptcha/api2/anchor?k=x&size=invisible',
    'https://newassets.hcaptcha.com/captcha/v1/abc/static/hcaptcha.html#frame=checkbox',
    'https://example.com/recaptcha/api2/anchor',
  ];
  expect(findCaptchas(frames)).toEqual(['hCaptcha']);
  expect(findCaptchas(['https://www.google.com/recaptcha/api2/anchor?k=x'])).toEqual(['reCAPTCHA']);
});

describe('the links of a page', () => {
  let server: Server;
  let origin: string;
  let asked: string[] = [];
  let atOnce = { now: 0, most: 0 };

  const NEVER = new AbortController().signal;
  const listOf = (first: string[]) => ({ total: first.length, first });
  const open = createAddressPolicy({ allowPrivate: true });
  const plain: Egress['fetch'] = (url, signal) => fetchWithPolicy(open, url, signal);
  const silent: Egress['fetch'] = (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

  /** Answers a path with the status that it names. */
  beforeAll(async () => {
    server = await serveBy((request, response) => {
      const path = request.url ?? '';
      asked.push(path);
      if (path === '/cut') return void request.socket.destroy();
      atOnce = { now: atOnce.now + 1, most: Math.max(atOnce.most, atOnce.now + 1) };
      const status = Number(/^\/(\d{3})/.exec(path)?.[1] ?? 200);
      setTimeout(() => {
        atOnce.now--;
        response.writeHead(status, status === 302 ? { location: '/404' } : {}).end('x'.repeat(100_000));
      }, 5);
    });
    origin = server.url;
  });

  afterAll(() => server.close());

  test('to missing or failing pages are broken, in page order, and no others are', async () => {
    const paths = ['/500', '/200', '/404', '/302', '/401', '/403', '/429', '/cut', '/410'];
    const { found, checked, broken } = await checkLinks(listOf(paths.map((path) => origin + path)), plain, NEVER);
    expect({ found, checked }).toEqual({ found: 9, checked: 9 });
    expect(broken.map(({ url, why }) => `${url.slice(origin.length)} ${why}`)).toEqual([
      '/500 500',
      '/404 404',
      '/cut socket hang up',
      '/410 410',
    ]);
    // Where a redirect leads to is not asked for.
    expect(asked.filter((path) => path === '/404')).toHaveLength(1);
  });

  test('are asked for up to a number, a few at once', async () => {
    asked = [];
    atOnce = { now: 0, most: 0 };
    const links = Array.from({ length: 400 }, (_, index) => `${origin}/200/${index}`);
    expect(await checkLinks(listOf(links), plain, NEVER)).toEqual({ found: 400, checked: 50, broken: [] });
    expect(asked).toHaveLength(50);
    expect(atOnce.most).toBeLessThanOrEqual(6);
  });

  test('that may not be fetched are not checked and not broken', async () => {
    const guard = createAddressPolicy({ allowPrivate: false, resolve: async () => [] });
    const guarded: Egress['fetch'] = (url, signal) => fetchWithPolicy(guard, url, signal);
    const links = ['http://10.0.0.1/', `${origin}/404`, 'http://unresolved.invalid/'];
    expect(await checkLinks(listOf(links), guarded, NEVER)).toEqual({
      found: 3,
      checked: 1,
      broken: [{ url: 'http://unresolved.invalid/', why: 'the host name has no address' }],
    });
  });

  test('are not asked for after the caller has gone away', async () => {
    const gone = new AbortController();
    const links = Array.from({ length: 40 }, (_, index) => `http://127.0.0.1/${index}`);
    const fetched = vi.fn(silent);
    const checking = checkLinks(listOf(links), fetched, gone.signal);
    gone.abort();
    expect(await checking).toEqual({ found: 40, checked: 0, broken: [] });
    expect(fetched.mock.calls.length).toBeLessThanOrEqual(6);
  });

  test('that are not answered in time were not checked, also where memory is collected meanwhile', async () => {
    const collecting = collectGarbage();
    const limits = { links: 50, atOnce: 6, eachMs: 300, allMs: 60_000 };
    const checked = await checkLinks(listOf([`${origin}/200`]), silent, NEVER, limits);
    collecting.stop();
    expect(checked).toEqual({ found: 1, checked: 0, broken: [] });
  }, 5_000);
});

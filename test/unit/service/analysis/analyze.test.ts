// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCaptureBrowser } from '../../../../src/service/captures/capture-browser.js';
import { OPERATIONS } from '../../../../src/service/operations.js';
import { analyzeResponseSchema } from '../../../../src/service/protocol/responses.js';
import { createService, type LanguageModel, type Service } from '../../../../src/service/service.js';
import { openStorage } from '../../../../src/service/storage.js';
import { type Answer, startServer } from '../../../e2e/direct.js';
import { OFFLINE_FLAGS } from '../../../e2e/project.js';
import { makeTempFolder } from '../../temp-folder.js';

const PIXEL =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="8" height="8"%3E%3Crect width="8" height="8"/%3E%3C/svg%3E';
const WORDS =
  'The steel bridge is old. We are on the steel bridge, and you can be on the steel bridge too. It was for all of them.';

const PAGES: Record<string, Answer> = {
  '/rich': `<!doctype html><html lang="en"><head><title> A  bridge </title>
    <meta name="description" content="All of bridges"><meta name="viewport" content="width=device-width">
    <meta property="og:title" content="Bridge"><meta name="twitter:card" content="summary">
    <link rel="canonical" href="/bridge"><link rel="alternate" hreflang="de" href="/de">
    <script>console.error('first trouble'); setTimeout(() => { throw new Error('second trouble'); }, 1)</script></head>
    <body><h1>Bridges</h1><h2>Steel</h2><h2> Stone </h2><h3></h3><p style="color:#eee;background:#fff">${WORDS}</p>
    <p hidden>This is said to nobody at all.</p><img src="/gone.png" alt="gone"><img src='${PIXEL}'>
    <a href="/gone">gone</a> <a href="/rich#top">top</a> <a href="/moved">moved</a> <a href="mailto:a@b">mail</a>
    <a href="http://127.0.0.1:1/">nowhere</a></body></html>`,
  '/gone.png': { status: 404 },
  '/gone': { status: 404, body: '<!doctype html><title>Not there</title><h1>It is gone</h1>' },
  '/moved': { status: 302, headers: { location: '/gone' } },
  '/blank': '<!doctype html><html lang="en"><title>Nothing</title><body></body></html>',
  '/hostile': `<!doctype html><title>Mine</title><h1>Mine</h1><script>
    Object.defineProperty(Document.prototype, 'title', { get: () => ({ evil: true }) });
    window.define = Object.assign(() => { throw new Error('no'); }, { amd: {} });</script>`,
  '/stated':
    '<!doctype html><meta name="keywords" content="bridges, steel and stone,,bridges"><meta property="og:description" content="All of bridges"><h1>Bridges</h1>',
  '/slow': { body: '<!doctype html><h1>Late</h1>', afterMs: 100 },
};

let site: Awaited<ReturnType<typeof startServer>>;
let service: Service;
let plain: Service;

const MODEL: LanguageModel = { url: '', model: 'tiny', key: null, timeoutMs: 10_000 };
const create = async (languageModel: LanguageModel | null, cacheSeconds: number) =>
  createService({
    captures: await openCaptureBrowser({ allowPrivate: true, browserFlags: OFFLINE_FLAGS, timeout: 60 }),
    storage: await openStorage(makeTempFolder()),
    ...{ concurrency: 2, queueLength: 20, timeout: 60, maxPixels: 1e8, languageModel, cacheSeconds },
  });
const analyze = (path: string, fields: object = {}, from = service) =>
  from.run(OPERATIONS.analyzeV3.read({ url: `${site.server.url}${path}`, ...fields }), {
    signal: new AbortController().signal,
    urlOf: (link) => `https://shots.example/${link}`,
  });
const timesAsked = (path: string) => site.server.received.filter(({ url }) => url.pathname === path).length;

beforeAll(async () => {
  site = await startServer(({ url, method }) => {
    if (url.pathname.startsWith('/silent')) return null;
    const content = JSON.stringify({ summary: 'About bridges.', topics: ['steel bridges', 'safety'] });
    const body = JSON.stringify({ choices: [{ message: { content } }] });
    if (method === 'POST') return { headers: { 'content-type': 'application/json' }, body };
    return PAGES[url.pathname] ?? { status: 404 };
  });
  service = await create({ ...MODEL, url: `${site.server.url}/v1` }, 60);
  plain = await create(null, 0);
});

afterAll(async () => {
  await Promise.all([service.close(), plain.close()]);
  site.close();
});

describe('an analysis', () => {
  test('returns all measurements of a page in the documented format', async () => {
    const answer = await analyze('/rich', { enableQuality: true, enableSummary: true });
    expect(analyzeResponseSchema.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({
      ...{ status: 'success', error: false, url: `${site.server.url}/rich`, fromCache: false },
      ...{ summary: 'About bridges.', topics: ['steel bridges', 'safety'] },
      message: 'Analyzed. The summary is by the language model.',
      headings: { h1: ['Bridges'], h2: ['Steel', 'Stone'], h3: [] },
      metadata: {
        ...{ title: 'A bridge', description: 'All of bridges', language: 'en', charset: 'UTF-8', robots: null },
        canonical: `${site.server.url}/bridge`,
        openGraph: { title: 'Bridge' },
        twitter: { card: 'summary' },
        alternates: { de: `${site.server.url}/de` },
      },
      quality: { isBlank: false, hasCaptcha: false, httpStatus: 200 },
    });
    const link = expect.stringMatching(/^https:\/\/shots\.example\/screenshots\/127\.0\.0\.1\/[\w-]{36}\/\d+\.png$/);
    expect(answer.screenshot).toEqual({ link, width: 1280, height: 720, html: null });
    const { measured, notes, readabilityScore } = answer.quality ?? {};
    expect(readabilityScore).toBeGreaterThan(70);
    expect(measured?.consoleErrors.first).toEqual(
      expect.arrayContaining(['first trouble', expect.stringContaining('second trouble')]),
    );
    expect(measured?.brokenImages).toEqual([`${site.server.url}/gone.png`]);
    expect(measured?.links).toMatchObject({ found: 4, broken: [{ url: `${site.server.url}/gone`, why: '404' }, {}] });
    expect(measured?.accessibility?.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['image-alt', 'color-contrast']),
    );
    expect(measured?.weight.requests).toBeGreaterThanOrEqual(2);
    expect(measured?.weight.bytes).toBeGreaterThan(1_000);
    expect(notes?.join('\n')).toMatch(
      /1 image of 2 did not load[\s\S]*2 broken links of 4 checked[\s\S]*console errors[\s\S]*violated accessibility rules/,
    );
    expect(JSON.stringify(answer)).not.toContain('said to nobody');
  });

  test('of a missing page and a blank page says so in its notes', async () => {
    const gone = await analyze('/gone', { enableQuality: true }, plain);
    expect(gone.quality).toMatchObject({ httpStatus: 404, isBlank: false });
    expect(gone.quality?.notes).toContain('the page responded with 404');
    const blank = await analyze('/blank', { enableQuality: true }, plain);
    expect(blank).toMatchObject({ topics: [], quality: { httpStatus: 200, isBlank: true, readabilityScore: 0 } });
    expect(blank.quality?.notes).toContain('the page is blank');
  });

  test('of a hostile page has all fields', async () => {
    const answer = await analyze('/hostile', { enableQuality: true }, plain);
    expect(analyzeResponseSchema.parse(answer)).toEqual(answer);
    expect([answer.headings, answer.metadata, answer.topics]).toEqual([{ h1: [], h2: [], h3: [] }, {}, []]);
    expect(answer.quality).toMatchObject({ httpStatus: 200, measured: { brokenImages: null } });
    expect(answer.quality?.notes.join('\n')).toMatch(/the content could not be measured/);
  });

  test('omits parts that were not requested, and without a model has the summary and the topics that the page itself states', async () => {
    const posts = timesAsked('/v1/chat/completions');
    expect(await analyze('/rich')).toMatchObject({
      ...{ summary: null, quality: null, topics: ['Bridges', 'Steel', 'Stone'] },
      message: 'Analyzed. No summary: not requested (`enableSummary`).',
    });
    expect(timesAsked('/v1/chat/completions')).toBe(posts);
    const none = await analyze('/slow', { enableSummary: true, format: 'html' }, plain);
    const why = /the page has no description, and no language model is configured \(PROOFSHEET_AI_URL/;
    expect(none).toMatchObject({ summary: null, topics: ['Late'], message: expect.stringMatching(why) });
    expect(none.screenshot).toMatchObject({
      ...{ html: expect.stringContaining('<h1>Late</h1>'), link: expect.stringMatching(/\.png$/) },
    });
    expect(await analyze('/stated', { enableSummary: true }, plain)).toMatchObject({
      ...{ summary: 'All of bridges', topics: ['bridges', 'steel and stone'] },
      message: expect.stringMatching(/^Analyzed\. The summary is the description of the page: no language model is /),
    });
  });

  test('is returned from the cache until a fresh one is requested', async () => {
    const first = await analyze('/slow');
    const second = await analyze('/slow', { forceRefresh: false });
    expect(second).toEqual({ ...first, fromCache: true });
    expect(timesAsked('/slow')).toBe(2);
    const fresh = await analyze('/slow', { forceRefresh: true });
    expect(fresh.fromCache).toBe(false);
    expect(fresh.screenshot.link).not.toBe(first.screenshot.link);
    expect((await analyze('/slow')).screenshot.link).toBe(fresh.screenshot.link);
    expect((await analyze('/slow', { width: 800 })).fromCache).toBe(false);
  });

  test('continues if the model fails, and calls it again the next time', async () => {
    const failing = await create({ ...MODEL, url: `${site.server.url}/silent`, timeoutMs: 200 }, 60);
    const message = 'Analyzed. No summary: the language model did not respond within 0.2 s.';
    for (const _ of [1, 2]) {
      const answer = await analyze('/slow', { enableSummary: true }, failing);
      expect(answer).toMatchObject({ summary: null, fromCache: false, message, headings: { h1: ['Late'] } });
    }
    await failing.close();
  });
});

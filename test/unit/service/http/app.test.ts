// @module-tag slow
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Server, serveBy } from '../../../../fixtures/serve.mjs';
import { inspectFile } from '../../../../src/image/inspect.js';
import {
  compareResponseSchema,
  screenshotV1ResponseSchema,
  screenshotV2ResponseSchema,
  serviceErrorSchema,
} from '../../../../src/service/protocol/responses.js';
import { box, craftPdf } from '../../image/craft-pdf.js';
import { fill, imageOf, png, sheet } from '../../image/paint.js';
import { failed, startService, type TestService } from '../capture-service.js';

// Nothing here is decided by time, on however busy a machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let service: TestService;
let site: Server;
const held: ServerResponse[] = [];

/** A PNG whose header has another size: whoever decodes it finds it damaged. */
function headOnly(width: number, height: number): Buffer {
  const bytes = Buffer.from(png(sheet(1, 1)).bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

const FILES: Readonly<Record<string, Buffer>> = {
  '/image.png': png(fill(sheet(40, 30), { x: 5, y: 5, width: 10, height: 10 }, '#ff0000')).bytes,
  '/other.png': png(fill(sheet(40, 30), { x: 5, y: 5, width: 10, height: 11 }, '#ff0000')).bytes,
  '/large.png': headOnly(12_000, 12_000),
  '/wide.png': headOnly(60_000_000, 1),
  '/high.png': headOnly(1, 5),
  '/text.png': Buffer.from('no image'),
  '/a.pdf': craftPdf([{ content: box(9, 9, 6, 97) }]),
  '/b.pdf': craftPdf([{ content: box(9, 9, 6, 98) }]),
};
const MOVED: Readonly<Record<string, string>> = { '/old': '/', '/moved.png': '/image.png', '/round.png': '/round.png' };
const BODIES: Readonly<Record<string, string>> = {
  '/': '<h1>Hello</h1><script>document.title = "alive"</script>',
  '/dot': '<h1>Hello</h1><p style="position:absolute;left:0;top:0;margin:0;width:3px;height:1px;background:red">',
  '/tall': '<div style="height:1500px;background:linear-gradient(red,blue)">',
};

function respond({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const [file, target, body] = [FILES[url], MOVED[url], BODIES[url]];
  if (url === '/hang') held.push(response);
  else if (file) response.end(file);
  else if (target) response.writeHead(302, { location: target }).end();
  else
    response
      .writeHead(body ? 200 : 404, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>a page</title>${body ?? 'gone'}`);
}

beforeAll(async () => {
  [service, site] = await Promise.all([startService({ concurrency: 4, timeout: 20 }), serveBy(respond)]);
});

afterAll(async () => {
  await service.close();
  site.close();
});

const SCREENSHOT_V1 = '/api/v1/screenshot';
const SCREENSHOT_V2 = '/api/v2/screenshot';
const COMPARE = '/api/v3/compare';
const LINK = /^\/screenshots\/127\.0\.0\.1\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\/(\d{13})\.(\w+)$/;

const answerTo = async (path: string, body: object) => (await service.post(path, body)).json();
const fileAt = async (link: string) => Buffer.from(await (await fetch(link)).arrayBuffer());

describe('POST /api/v1/screenshot', () => {
  test('answers with all members of the interface, a link to the file, and where a redirect led', async () => {
    const before = Date.now();
    const response = await service.post(SCREENSHOT_V1, { url: `${site.url}/old` });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const answer = screenshotV1ResponseSchema.parse(await response.json());
    expect(answer).toMatchObject({ status: 'success', error: false, url: `${site.url}/old`, width: 1280, height: 720 });
    expect(answer.warnings).toEqual([{ code: 'page-redirected', message: `the page was redirected to ${site.url}/` }]);
    expect(Date.parse(answer.fetchTime)).toBeGreaterThanOrEqual(before);
    const { origin, pathname } = new URL(answer.link ?? '');
    expect([origin, pathname]).toEqual([service.url, expect.stringMatching(LINK)]);
    expect(pathname).toContain(`/${Date.parse(answer.fetchTime)}.png`);
  });

  test.each([
    ['jpeg', 'image/jpeg', 'jpeg'],
    ['jpg', 'image/jpeg', 'jpeg'],
    ['webp', 'image/webp', 'webp'],
    ['pdf', 'application/pdf', 'pdf'],
  ])('captures as %s, and serves the file with its content type', async (format, type, codec) => {
    const { link } = await answerTo(SCREENSHOT_V1, { url: site.url, format });
    const { headers } = await fetch(link);
    expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([type, 'nosniff']);
    expect(link).toMatch(new RegExp(`\\.${format}$`));
    expect(await inspectFile(await fileAt(link))).toMatchObject({ kind: 'image', image: { codec } });
  });

  test.each([
    [{ height: 300 }, 300, 300],
    [{ height: 300, fullSize: true }, 300, 1516],
    [{ height: null }, 1516, 1516],
  ])('captures %j at the size asked for', async (fields, viewport, height) => {
    const answer = await answerTo(SCREENSHOT_V1, { url: `${site.url}/tall`, width: 400, ...fields });
    expect(answer).toMatchObject({ width: 400, height: viewport });
    expect(imageOf(await fileAt(answer.link)).size).toEqual({ width: 400, height });
  });
});

test('a password in a URL is not repeated anywhere', async () => {
  const url = `http://user:hunter2@${new URL(site.url).host}/gone`;
  for (const response of [
    await service.post(SCREENSHOT_V1, { url }),
    await service.post(COMPARE, { before: { imageUrl: url }, after: { imageUrl: url } }),
    await service.post(SCREENSHOT_V1, { url: url.replace('/gone', '/') }),
  ])
    expect(await response.text()).not.toContain('hunter2');
});

describe('POST /api/v2/screenshot', () => {
  test('returns base64: the file itself, warns of unknown fields, and takes a blank field for none', async () => {
    const fields = { format: 'base64', language: '', base64: true, country: 'de' };
    const answer = await answerTo(SCREENSHOT_V2, { url: site.url, ...fields });
    const { image, link } = screenshotV2ResponseSchema.parse(answer);
    expect(Buffer.from(image ?? '', 'base64').equals(await fileAt(link ?? ''))).toBe(true);
    expect(answer.warnings).toEqual([
      { code: 'field-unknown', message: 'unknown field "base64" has no effect' },
      { code: 'field-unknown', message: 'unknown field "country" has no effect' },
    ]);
  });

  test('returns html: the document after its scripts, served so that no script runs', async () => {
    const code = 'document.body.dataset.seen = [navigator.language, typeof process].join()';
    const fields = { javascriptCode: code, language: 'de-DE', format: 'html' };
    const { html, link } = await answerTo(SCREENSHOT_V2, { url: site.url, ...fields });
    expect(html).toMatch(/<title>alive<\/title>.*data-seen="de-DE,undefined"/s);
    const file = await fetch(link);
    expect(file.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(file.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none';/);
    expect(await file.text()).toBe(html);
  });
});

describe('POST /api/v3/compare', () => {
  const compare = async (before: object, after: object, more: object = {}) => {
    const answer = await answerTo(COMPARE, { before, after, ...more });
    return answer.error ? serviceErrorSchema.parse(answer) : compareResponseSchema.parse(answer);
  };
  const page = () => ({ url: site.url, width: 300, height: 200 });
  const image = (name: string) => ({ imageUrl: `${site.url}/${name}.png` });

  test('returns exact counts, and links to both sides and their diff', async () => {
    const dot = { ...page(), url: `${site.url}/dot` };
    const answer = await compare(page(), dot);
    expect(answer).toMatchObject({
      ...{ status: 'success', error: false, passed: false },
      message: '3 px (0.0050 %) differ, limit 0 px; 1 region: 3x1 px at (0, 0)',
      before: { width: 300, height: 200, source: site.url },
      after: { width: 300, height: 200, source: `${site.url}/dot` },
      diff: { width: 300, height: 200 },
      summary: { mismatchPixels: 3, mismatchPercentage: (100 * 3) / 60_000, totalPixels: 60_000, sameDimensions: true },
      regions: [{ x: 0, y: 0, width: 3, height: 1, pixels: 3 }],
      ...{ shifts: [], columnShifts: [], warnings: [] },
    });
    if (answer.status === 'error') throw new Error(answer.message);
    const links = [answer.before.link, answer.after.link, answer.diff?.link].map((link) => new URL(link ?? ''));
    const comparison = expect.stringMatching(/^\/screenshots\/comparisons\/[\da-f-]{36}\/\d{13}\.png$/);
    const capture = expect.stringMatching(LINK);
    expect(links.map(({ pathname }) => pathname)).toEqual([capture, capture, comparison]);
    expect(await compare(page(), { ...dot, hide: 'p' })).toMatchObject({
      ...{ status: 'success', passed: true, message: 'images match: 0 px differ', regions: [], shifts: null },
      diff: { link: expect.stringMatching(/\.png$/), width: 300, height: 200 },
    });
  });

  test('takes images, pages, and one of each, and lets a color move as far as the threshold says', async () => {
    expect(await compare(image('image'), image('other'))).toMatchObject({
      summary: { mismatchPixels: 10, mismatchPercentage: (100 * 10) / 1200, totalPixels: 1200, sameDimensions: true },
      limits: { threshold: 0.1 },
    });
    const loose = await compare(image('image'), image('other'), { threshold: 1 });
    expect(loose).toMatchObject({ summary: { mismatchPixels: 0 } });
    expect(await compare(image('moved'), image('image'))).toMatchObject({ passed: true });
    const mixed = await compare(image('image'), page());
    expect(mixed).toMatchObject({ summary: { sameDimensions: false, totalPixels: 60_000 } });
    const both = { ...image('image'), url: `${site.url}/hang`, width: null, hide: null };
    expect(await compare(both, { ...image('image'), url: null }, { threshold: null })).toMatchObject({ passed: true });
  });

  test.each([
    ['none', 'page-status'],
    ['text', 'image-damaged'],
    ['round', 'image-unreachable'],
  ])('cannot compare with %s', async (name, code) => {
    const side = name === 'none' ? { url: `${site.url}/gone` } : image(name);
    expect(await compare(image('image'), side)).toMatchObject({ status: 'error', code });
  });

  test('422: images with more pixels than a request may have are refused by their heads', async () => {
    const message = async (before: string, after: string, where = service) => {
      const sides = { before: { imageUrl: site.url + before }, after: { imageUrl: site.url + after } };
      const answer = await failed(await where.post(COMPARE, sides));
      expect(answer).toMatchObject({ status: 422, code: 'image-too-large' });
      return answer.message;
    };
    expect(await message('/large.png', '/image.png')).toBe(
      'the two images: 12000x12000 px and 40x30 px need 144 million pixels; the maximum is 100 million pixels. Compare smaller images.',
    );
    // Each is small, the canvas that holds both is not.
    expect(await message('/wide.png', '/high.png')).toContain('60000000x1 px and 1x5 px need 300 million pixels');
    const small = await startService({ maxPixels: 2000 });
    expect(await message('/image.png', '/other.png', small)).toContain(
      'need 2,400 pixels; the maximum is 2,000 pixels',
    );
    expect(await message('/a.pdf', '/b.pdf', small)).toContain('the maximum is 1000 pages and 2,000 pixels');
    await small.close();
  });
});

describe('a request that cannot be done', () => {
  test.each([
    [40, SCREENSHOT_V1],
    [40, '/mcp'],
    [200_000, SCREENSHOT_V1],
  ])('400: has %i levels, at %s', async (depth, path) => {
    const answer = await failed(await service.post(path, `{"url":${'['.repeat(depth)}${']'.repeat(depth)}}`));
    expect(answer).toMatchObject({ status: 400, code: 'request-invalid' });
    expect(answer.message).toContain('the request: the JSON is nested deeper than 32 levels');
  });

  const get = { method: 'GET', body: null };
  const large = ' '.repeat(1024 * 1024 + 1);
  test.each<[number, string, string, RequestInit & { duplex?: 'half' }]>([
    [400, 'request-invalid', SCREENSHOT_V1, { body: '{' }],
    [400, 'request-invalid', SCREENSHOT_V1, { body: '[]' }],
    [404, 'not-found', '//', get],
    [404, 'not-found', '/api/v4/screenshot', get],
    [404, 'not-found', '/screenshots/a/b/1.png', get],
    [413, 'body-too-large', SCREENSHOT_V1, { body: large }],
    // Without a content length.
    [413, 'body-too-large', SCREENSHOT_V1, { body: new Blob([large]).stream(), duplex: 'half' }],
    [415, 'body-type', SCREENSHOT_V1, { headers: { 'content-type': 'application/jsonp' } }],
    [415, 'body-type', SCREENSHOT_V1, { headers: { 'content-type': '' } }],
  ])('%i: %s at %s, %.40j', async (status, code, path, init) => {
    expect(await failed(await service.post(path, { url: site.url }, init))).toMatchObject({ status, code });
  });

  test.each([
    ['GET', '/api/v1/screenshot', 'POST'],
    ['DELETE', '/screenshots/a/b/1.png', 'GET, HEAD'],
  ])('405: %s %s, and says how', async (method, path, allow) => {
    const answer = await failed(await fetch(service.url + path, { method }));
    expect(answer).toMatchObject({ status: 405, code: 'method-refused' });
    expect(answer.headers.get('allow')).toBe(allow);
  });

  test.each([
    ['/gone', {}, 'page-status'],
    ['/', { javascriptCode: 'throw new Error("no")' }, 'page-script'],
    ['/', { hide: '::nonsense(' }, 'page-selector'],
  ])('422: %s %j', async (path, fields, code) => {
    const response = await service.post(SCREENSHOT_V2, { url: site.url + path, ...fields });
    expect(await failed(response)).toMatchObject({ status: 422, code });
  });
});

// @module-tag slow
import type { IncomingMessage, ServerResponse } from 'node:http';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inspectFile } from '../../../src/image/inspect.js';
import {
  compareResponseSchema,
  screenshotV1ResponseSchema,
  screenshotV2ResponseSchema,
  serviceErrorSchema,
} from '../../../src/service/protocol/responses.js';
import { box, craftPdf } from '../image/craft-pdf.js';
import { joinChunks } from '../image/craft-png.js';
import { fill, imageOf, png, sheet } from '../image/paint.js';
import { failed, startService, startSite, type TestService, type TestSite } from './capture-service.js';

// Nothing here is decided by time, on however busy a machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let service: TestService;
let site: TestSite;
const held: ServerResponse[] = [];

const IMAGE = png(fill(sheet(40, 30), { x: 5, y: 5, width: 10, height: 10 }, '#ff0000')).bytes;
const OTHER = png(fill(sheet(40, 30), { x: 5, y: 5, width: 10, height: 11 }, '#ff0000')).bytes;

/** A PNG with a header and no pixels: whoever decodes it finds it damaged. */
function headOnly(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return joinChunks([
    ['IHDR', header],
    ['IDAT', deflateSync(Buffer.from([width & 255]))],
    ['IEND', Buffer.alloc(0)],
  ]);
}

function respond({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const html = (body: string, status = 200) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end(`<!doctype html><title>a page</title>${body}`);
  if (url === '/hang') held.push(response);
  else if (url === '/gone') html('<h1>gone</h1>', 404);
  else if (url === '/old') response.writeHead(302, { location: '/' }).end();
  else if (url === '/dot')
    html('<h1>Hello</h1><p style="position:absolute;left:0;top:0;margin:0;width:3px;height:1px;background:red">');
  else if (url === '/moving')
    html(
      '<h1></h1><script>let n = 0; setInterval(() => { document.querySelector("h1").textContent = ++n % 10; }, 40)</script>',
    );
  else if (url === '/tall') html('<div style="height:1500px;background:linear-gradient(red,blue)">');
  else if (url === '/image.png') response.writeHead(200, { 'content-type': 'image/png' }).end(IMAGE);
  else if (url === '/other.png') response.writeHead(200, { 'content-type': 'image/png' }).end(OTHER);
  else if (url === '/moved.png') response.writeHead(302, { location: '/image.png' }).end();
  else if (url === '/round.png') response.writeHead(302, { location: '/round.png' }).end();
  else if (url === '/huge.png') response.end(headOnly(19_000, 19_000));
  else if (url === '/large.png') response.end(headOnly(12_000, 12_000));
  else if (url === '/wide.png') response.end(headOnly(60_000_000, 1));
  else if (url === '/high.png') response.end(headOnly(1, 5));
  else if (url === '/a.pdf' || url === '/b.pdf')
    response.end(craftPdf([{ content: box(9, 9, url.length, url.charCodeAt(1)) }]));
  else if (url === '/text.png') response.end('no image');
  else html('<h1>Hello</h1><script>document.title = "alive"</script>');
}

beforeAll(async () => {
  [service, site] = await Promise.all([startService({ concurrency: 4, timeout: 20 }), startSite(respond)]);
});

afterAll(async () => {
  await service.close();
  site.close();
});

const SCREENSHOT_V1 = '/api/v1/screenshot';
const SCREENSHOT_V2 = '/api/v2/screenshot';
const COMPARE = '/api/v3/compare';

const LINK = /^\/screenshots\/127\.0\.0\.1\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\/(\d{13})\.(\w+)$/;

describe('POST /api/v1/screenshot', () => {
  test('answers with all members of the interface, and a link to the file', async () => {
    const before = Date.now();
    const response = await service.post(SCREENSHOT_V1, { url: site.url });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const answer = screenshotV1ResponseSchema.parse(await response.json());
    expect(answer).toMatchObject({ status: 'success', error: false, url: site.url, width: 1280, height: 720 });
    expect(Date.parse(answer.fetchTime)).toBeGreaterThanOrEqual(before);
    const link = new URL(answer.link ?? '');
    expect(link.origin).toBe(service.url);
    expect(link.pathname).toMatch(LINK);
    expect(link.pathname).toContain(`/${Date.parse(answer.fetchTime)}.png`);
  });

  test.each([
    ['png', 'image/png', 'png'],
    ['jpeg', 'image/jpeg', 'jpeg'],
    ['jpg', 'image/jpeg', 'jpeg'],
    ['webp', 'image/webp', 'webp'],
    ['pdf', 'application/pdf', 'pdf'],
  ])('captures as %s, and serves the file with its content type', async (format, type, codec) => {
    const { link } = await (await service.post(SCREENSHOT_V1, { url: site.url, format })).json();
    const file = await fetch(link);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe(type);
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    expect(link).toMatch(new RegExp(`\\.${format}$`));
    expect(await inspectFile(Buffer.from(await file.arrayBuffer()))).toMatchObject({ kind: 'image', image: { codec } });
  });

  test.each([
    [
      { width: 400, height: 300 },
      { width: 400, height: 300 },
      { width: 400, height: 300 },
    ],
    [
      { width: 400, height: 300, fullSize: true },
      { width: 400, height: 300 },
      { width: 400, height: 1516 },
    ],
    [
      { width: 400, height: null },
      { width: 400, height: 1516 },
      { width: 400, height: 1516 },
    ],
  ])('captures %j at the size asked for', async (fields, viewport, size) => {
    const answer = await (await service.post(SCREENSHOT_V1, { url: `${site.url}/tall`, ...fields })).json();
    expect(answer).toMatchObject(viewport);
    expect(imageOf(Buffer.from(await (await fetch(answer.link)).arrayBuffer())).size).toEqual(size);
  });

  test('applies the fields javascriptCode, hide and language', async () => {
    const html = async (fields: object) =>
      (await (await service.post(SCREENSHOT_V2, { url: site.url, format: 'html', ...fields })).json()).html;
    const code = 'document.body.dataset.seen = [navigator.language, typeof process].join()';
    expect(await html({ javascriptCode: code, language: 'de-DE' })).toContain('data-seen="de-DE,undefined"');
    const link = async (fields: object) =>
      (await (await service.post(SCREENSHOT_V2, { url: `${site.url}/dot`, width: 200, height: 100, ...fields })).json())
        .link;
    const [shown, hidden] = [await link({}), await link({ hide: 'p' })];
    const compared = await (
      await service.post(COMPARE, { before: { imageUrl: shown }, after: { imageUrl: hidden } })
    ).json();
    expect(compared.summary.mismatchPixels).toBe(3);
  });

  test('follows a redirect, and says where it led', async () => {
    const answer = await (await service.post(SCREENSHOT_V1, { url: `${site.url}/old` })).json();
    expect(answer.url).toBe(`${site.url}/old`);
    expect(answer.warnings).toEqual([{ code: 'page-redirected', message: `the page was redirected to ${site.url}/` }]);
  });
});

test('a page that keeps changing is captured at a moment of its own time', async () => {
  const capture = async () =>
    (await service.post(SCREENSHOT_V1, { url: `${site.url}/moving`, width: 200, height: 100 })).json();
  const [first, second] = [await capture(), await capture()];
  expect([first.status, first.warnings]).toEqual(['success', []]);
  const [one, other] = await Promise.all([first, second].map(async ({ link }) => (await fetch(link)).arrayBuffer()));
  expect(one?.byteLength).toBeGreaterThan(0);
  expect(other).toEqual(one);
});

test('a password in a URL is not repeated anywhere', async () => {
  const { host } = new URL(site.url);
  const url = `http://user:hunter2@${host}/gone`;
  for (const response of [
    await service.post(SCREENSHOT_V1, { url }),
    await service.post(COMPARE, { before: { imageUrl: url }, after: { imageUrl: url } }),
    await service.post(SCREENSHOT_V1, { url: url.replace('/gone', '/') }),
  ]) {
    expect(await response.text()).not.toContain('hunter2');
  }
});

describe('POST /api/v2/screenshot', () => {
  test('answers with all members of the interface; image and html are null where they are not asked for', async () => {
    const answer = await (await service.post(SCREENSHOT_V2, { url: site.url, convert: true, country: 'de' })).json();
    expect(screenshotV2ResponseSchema.parse(answer)).toMatchObject({ image: null, html: null });
    expect(answer.warnings.map(({ code }: { code: string }) => code)).toEqual(['country-ignored']);
  });

  test('warns of fields that it does not know, and takes an empty format for none', async () => {
    const answer = await (await service.post(SCREENSHOT_V2, { url: site.url, format: '', base64: true })).json();
    expect(answer).toMatchObject({ status: 'success', image: null, link: expect.stringMatching(/\.png$/) });
    expect(answer.warnings).toEqual([
      {
        code: 'field-unknown',
        message: 'unknown field "base64" has no effect; "base64" is a value of "format"',
      },
    ]);
  });

  test('returns base64: the file itself', async () => {
    const { image, link } = await (await service.post(SCREENSHOT_V2, { url: site.url, format: 'base64' })).json();
    expect(link).toMatch(/\.png$/);
    expect(Buffer.from(image, 'base64').equals(Buffer.from(await (await fetch(link)).arrayBuffer()))).toBe(true);
    expect(imageOf(Buffer.from(image, 'base64')).size).toEqual({ width: 1280, height: 720 });
  });

  test('returns html: the document after its scripts, served so that no script runs', async () => {
    const { html, link } = await (await service.post(SCREENSHOT_V2, { url: site.url, format: 'html' })).json();
    expect(html).toContain('<title>alive</title>');
    const file = await fetch(link);
    expect(file.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(file.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none';/);
    expect(await file.text()).toBe(html);
  });
});

describe('POST /api/v3/compare', () => {
  const compare = async (before: object, after: object, more: object = {}) => {
    const response = await service.post(COMPARE, { before, after, ...more });
    const answer = await response.json();
    return response.ok ? compareResponseSchema.parse(answer) : serviceErrorSchema.parse(answer);
  };
  const page = () => ({ url: site.url, width: 300, height: 200 });
  const image = (name: string) => ({ imageUrl: `${site.url}/${name}.png` });

  test('finds nothing between a page and itself', async () => {
    const summary = { mismatchPixels: 0, mismatchPercentage: 0, totalPixels: 60_000, sameDimensions: true };
    expect(await compare(page(), page())).toMatchObject({
      status: 'success',
      error: false,
      passed: true,
      diff: { link: expect.stringMatching(/\.png$/), width: 300, height: 200 },
      summary,
    });
  });

  test('returns exact counts, and links to both sides and their diff', async () => {
    const answer = await compare(page(), { ...page(), url: `${site.url}/dot` });
    expect(answer).toMatchObject({
      before: { width: 300, height: 200, source: site.url },
      after: { width: 300, height: 200, source: `${site.url}/dot` },
      diff: { width: 300, height: 200 },
      summary: { mismatchPixels: 3, mismatchPercentage: (100 * 3) / 60_000, totalPixels: 60_000, sameDimensions: true },
    });
    if (answer.status === 'error') throw new Error(answer.message);
    const links = [answer.before.link, answer.after.link, answer.diff?.link];
    expect(links.map((link) => new URL(link ?? '').pathname)).toEqual([
      expect.stringMatching(LINK),
      expect.stringMatching(LINK),
      expect.stringMatching(/^\/screenshots\/comparisons\/[\da-f-]{36}\/\d{13}\.png$/),
    ]);
    for (const link of links) expect((await fetch(link ?? '')).headers.get('content-type')).toBe('image/png');
  });

  test('takes images, pages, and one of each', async () => {
    const summary = {
      mismatchPixels: 10,
      mismatchPercentage: (100 * 10) / 1200,
      totalPixels: 1200,
      sameDimensions: true,
    };
    expect(await compare(image('image'), image('other'))).toMatchObject({ summary });
    expect(await compare(image('moved'), image('image'))).toMatchObject({ passed: true });
    expect(await compare(image('image'), page())).toMatchObject({
      summary: { sameDimensions: false, totalPixels: 60_000 },
    });
    expect(await compare(page(), image('image'))).toMatchObject({
      summary: { sameDimensions: false, totalPixels: 60_000 },
    });
  });

  test('takes the image of a source that has a page as well, and null for nothing', async () => {
    const both = { ...image('image'), url: `${site.url}/hang`, width: null, hide: null };
    expect(await compare(both, { ...image('image'), url: null }, { threshold: null })).toMatchObject({ passed: true });
  });

  test('lets a color move as far as the threshold says', async () => {
    expect(await compare(image('image'), image('other'), { threshold: 1 })).toMatchObject({
      summary: { mismatchPixels: 0 },
    });
    expect(await compare(image('image'), image('other'))).toMatchObject({ limits: { threshold: 0.1 } });
  });

  test.each([
    ['none', 'page-status'],
    ['text', 'image-damaged'],
    ['round', 'image-unreachable'],
  ])('cannot compare with %s', async (name, code) => {
    const side = name === 'none' ? { url: `${site.url}/gone` } : image(name);
    expect(await compare(image('image'), side)).toMatchObject({ status: 'error', code });
  });
});

describe('images with more pixels than a request may have', () => {
  const compareIn = async (where: TestService, before: string, after: string) =>
    failed(
      await where.post(COMPARE, { before: { imageUrl: site.url + before }, after: { imageUrl: site.url + after } }),
    );

  test('422: are refused by their heads, before a pixel is decoded', async () => {
    const answer = await compareIn(service, '/huge.png', '/huge.png');
    expect(answer).toMatchObject({ status: 422, code: 'image-too-large' });
    expect(await compareIn(service, '/large.png', '/image.png')).toMatchObject({
      status: 422,
      message:
        'the two images: 12000x12000 px and 40x30 px need 144 million pixels; the maximum is 100 million pixels. Compare smaller images.',
    });
    // Each is small, the canvas that holds both is not.
    expect(await compareIn(service, '/wide.png', '/high.png')).toMatchObject({
      message: expect.stringContaining('60000000x1 px and 1x5 px need 300 million pixels'),
    });
  });

  test('422: the limit is the one that the service was started with, for drawn PDFs as well', async () => {
    const small = await startService({ maxPixels: 2000 });
    const answer = await compareIn(small, '/image.png', '/other.png');
    const pdf = await compareIn(small, '/a.pdf', '/b.pdf');
    await small.close();
    expect(answer.message).toContain('40x30 px and 40x30 px need 2,400 pixels; the maximum is 2,000 pixels');
    expect(pdf).toMatchObject({ status: 422, code: 'image-too-large' });
    expect(pdf.message).toContain('the maximum is 1000 pages and 2,000 pixels');
  });
});

describe('a request that cannot be done', () => {
  test('400: names every field that is wrong', async () => {
    const { status, code, details } = await failed(
      await service.post(SCREENSHOT_V1, { url: 'x', width: 1, height: 'tall', format: 'gif', delay: 0.5, fullSize: 1 }),
    );
    expect([status, code]).toEqual([400, 'request-invalid']);
    expect(details.map(({ where }) => where).sort()).toEqual(['delay', 'format', 'fullSize', 'height', 'url', 'width']);
  });

  test('400: the message has the found and the expected value', async () => {
    const answers = [{}, { url: 'file:///etc/passwd' }].map(async (body) =>
      failed(await service.post(SCREENSHOT_V1, body)),
    );
    expect((await Promise.all(answers)).map(({ message }) => message)).toEqual([
      'url: it is missing, expected a URL that starts with http:// or https://. See /openapi.json for the allowed values.',
      'url: it is "file:///etc/passwd", expected a URL that starts with http:// or https://. See /openapi.json for the allowed values.',
    ]);
  });

  test('400: is nested deeper than a request can be', async () => {
    for (const depth of [40, 5000, 200_000]) {
      const nested = '['.repeat(depth) + ']'.repeat(depth);
      for (const path of [SCREENSHOT_V1, SCREENSHOT_V2, COMPARE, '/api/v3/analyze', '/mcp']) {
        const answer = await failed(await service.post(path, `{"url":${nested}}`));
        expect([path, answer.status, answer.code]).toEqual([path, 400, 'request-invalid']);
        expect(answer.message).toContain('the request: the JSON is nested deeper than 32 levels');
      }
    }
  });

  test('400: names the fields of the sides', async () => {
    const { details } = await failed(await service.post(COMPARE, { before: { width: 1 }, threshold: 2 }));
    expect(details.map(({ where }) => where)).toEqual(['before.width', 'before', 'after', 'threshold']);
  });

  test.each(['{', '', '[]', 'null', '"url"', '{"url":'])('400: %j is no request', async (body) => {
    expect(await failed(await service.post(SCREENSHOT_V1, body))).toMatchObject({
      status: 400,
      code: 'request-invalid',
    });
  });

  test.each(['/', '/api/v1/screenshot/', '/api/v4/screenshot', '/screenshots/a/b', '/screenshots/a/b/1.png'])(
    '404: there is nothing at %s',
    async (path) => {
      const response = path === '/' ? await fetch(`${service.url}//`) : await fetch(service.url + path);
      expect(await failed(response)).toMatchObject({ status: 404, code: 'not-found' });
    },
  );

  test.each([
    ['GET', '/api/v1/screenshot', 'POST'],
    ['PUT', '/api/v3/compare', 'POST'],
    ['DELETE', '/screenshots/a/b/1.png', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])('405: %s %s, and says how', async (method, path, allow) => {
    const answer = await failed(await fetch(service.url + path, { method }));
    expect(answer).toMatchObject({ status: 405, code: 'method-refused' });
    expect(answer.headers.get('allow')).toBe(allow);
  });

  test('413: more than 1 MB, with or without a content length', async () => {
    const large = { url: site.url, javascriptCode: ' '.repeat(1024 * 1024) };
    expect(await failed(await service.post(SCREENSHOT_V1, large))).toMatchObject({
      status: 413,
      code: 'body-too-large',
    });
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(JSON.stringify(large)));
        controller.close();
      },
    });
    const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/json' } } as const;
    expect(await failed(await fetch(service.url + SCREENSHOT_V1, init))).toMatchObject({ status: 413 });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])('415: %j', async (type) => {
    const headers = { 'content-type': type };
    const response = await service.post(SCREENSHOT_V1, { url: site.url }, { headers });
    expect(await failed(response)).toMatchObject({ status: 415, code: 'body-type' });
  });

  test.each([
    ['/gone', {}, 'page-status'],
    ['/', { javascriptCode: 'throw new Error("no")' }, 'page-script'],
    ['/', { hide: '::nonsense(' }, 'page-selector'],
  ])('422: %s %j', async (path, fields, code) => {
    const response = await service.post(SCREENSHOT_V2, { url: site.url + path, ...fields });
    expect(await failed(response)).toMatchObject({ status: 422, code });
  });

  test('422: the server is not reachable', async () => {
    const response = await service.post(SCREENSHOT_V1, { url: 'http://127.0.0.1:9/' });
    expect(await failed(response)).toMatchObject({ status: 422, code: 'page-unreachable' });
  });
});

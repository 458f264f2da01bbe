import { describe, expect, test } from 'vitest';
import { readPageInputs } from '../../../../src/core/reuse/page-inputs.js';
import type { SeenLoad, SeenRequest } from '../../../../src/model/reuse.js';

const SITE = 'http://127.0.0.1:4173';

function requestOf(path: string, changes: Partial<SeenRequest> = {}): SeenRequest {
  return {
    method: 'GET',
    url: path.startsWith('/') ? `${SITE}${path}` : path,
    kind: path === '/' ? 'document' : 'image',
    headers: { 'user-agent': 'Chromium', referer: `${SITE}/` },
    received: { status: 200, headers: { 'content-type': 'text/html' } },
    state: 'finished',
    failure: null,
    isFromServiceWorker: false,
    ...changes,
  };
}

function loadOf(requests: readonly SeenRequest[], changes: Partial<SeenLoad> = {}): SeenLoad {
  return { requests: [requestOf('/'), ...requests], channels: [], hasCookies: false, ...changes };
}

function reasonOf(...loads: SeenLoad[]): string | null {
  const page = readPageInputs(loads, null);
  return page.kind === 'unknown' ? page.reason : null;
}

describe('the inputs of a page', () => {
  test('are its requests, in the order of their URLs, with the headers of the page', () => {
    const page = readPageInputs([loadOf([requestOf('/b.png'), requestOf('/a.png')])], 'de-DE');
    if (page.kind !== 'known') throw new Error(page.reason);
    expect(page.inputs.map(({ request }) => request.url)).toEqual([`${SITE}/`, `${SITE}/a.png`, `${SITE}/b.png`]);
    expect(page.inputs[1]?.request.headers).toMatchObject({
      'user-agent': 'Chromium',
      'accept-language': 'de-DE',
      accept: expect.stringContaining('image/webp'),
      referer: `${SITE}/`,
    });
  });

  test('do not include data that the page made itself', () => {
    const own = [requestOf('data:image/png;base64,AA'), requestOf('blob:http://127.0.0.1/1')];
    const page = readPageInputs([loadOf(own)], null);
    expect(page.kind === 'known' && page.inputs.length).toBe(1);
  });

  test('do not depend on the fragment of a URL', () => {
    const page = readPageInputs([loadOf([requestOf('/icons.svg#one'), requestOf('/icons.svg#two')])], null);
    expect(page.kind === 'known' && page.inputs.map(({ request }) => request.url)).toEqual([
      `${SITE}/`,
      `${SITE}/icons.svg`,
    ]);
  });

  test('ask another origin with the origin of the page, if it shares its response', () => {
    const headers = { 'access-control-allow-origin': SITE };
    const font = requestOf('http://fonts.test/a.woff2', { kind: 'font', received: { status: 200, headers } });
    const page = readPageInputs([loadOf([font])], null);
    const [input] = page.kind === 'known' ? page.inputs.filter(({ request }) => request.url.includes('fonts')) : [];
    expect(input?.request.headers.origin).toBe(SITE);
  });

  test('include each range of a file', () => {
    const video = (range: string) =>
      requestOf('/a.mp4', { headers: { range }, received: { status: 206, headers: {} } });
    const page = readPageInputs([loadOf([video('bytes=0-'), video('bytes=700-'), video('bytes=0-')])], null);
    expect(page.kind === 'known' && page.inputs.map(({ request }) => request.headers.range)).toEqual([
      undefined,
      'bytes=0-',
      'bytes=700-',
    ]);
  });

  test('are the same if the cache of the browser answers, with 304 or with the range of a whole file', () => {
    const responses = [
      { status: 200, headers: { etag: '"1"' } },
      { status: 304, headers: { etag: '"1"' } },
      { status: 206, headers: { etag: '"1"', 'content-range': 'bytes 0-8/9' } },
    ];
    const load = loadOf(responses.map((received) => requestOf('/a.mp4', { received })));
    expect(reasonOf(load)).toBeNull();
    const part = { status: 206, headers: { etag: '"1"', 'content-range': 'bytes 0-7/9' } };
    expect(reasonOf(load, loadOf([requestOf('/a.mp4', { received: part })]))).toMatch(
      /two responses of .*a\.mp4 differ/,
    );
  });

  test('include a request that reaches no server', () => {
    const failed = { state: 'failed', failure: 'net::ERR_NAME_NOT_RESOLVED', received: null } as const;
    const page = readPageInputs([loadOf([requestOf('http://cdn.test/a.js', failed)])], null);
    expect(page.kind === 'known' && page.inputs.some(({ received }) => received === null)).toBe(true);
  });
});

describe('a page is not reusable', () => {
  const cases: [what: string, load: SeenLoad, reason: RegExp][] = [
    ['POST', loadOf([requestOf('/api', { method: 'POST' })]), /sends a POST request to .*\/api/],
    ['a WebSocket', loadOf([], { channels: ['a WebSocket'] }), /uses a WebSocket/],
    ['an event stream', loadOf([requestOf('/e', { kind: 'eventsource', state: 'pending' })]), /event stream/],
    ['a worker', loadOf([], { channels: ['a worker'] }), /uses a worker/],
    ['a service worker', loadOf([requestOf('/a.png', { isFromServiceWorker: true })]), /service worker answered/],
    ['a cookie', loadOf([], { hasCookies: true }), /has a cookie/],
    ['file:', loadOf([requestOf('file:///etc/hosts')]), /not http or https/],
    ['authorization', loadOf([requestOf('/a', { headers: { authorization: 'Bearer 1' } })]), /carries credentials/],
    ['a pending request', loadOf([requestOf('/a.png', { state: 'pending' })]), /still loading/],
    [
      'a request that was given up',
      loadOf([requestOf('/a.mp4', { state: 'failed', failure: 'net::ERR_ABORTED' })]),
      /was given up \(net::ERR_ABORTED\)/,
    ],
    [
      'a request that failed for another reason than the connection',
      loadOf([requestOf('/a', { state: 'failed', failure: 'net::ERR_BLOCKED_BY_CSP', received: null })]),
      /was given up/,
    ],
    [
      'a preflight request',
      loadOf([requestOf('http://api.test/x', { headers: { 'x-key': '1' } })]),
      /needs permission of another origin \(header x-key\)/,
    ],
    [
      'two responses of one URL with different statuses',
      loadOf([requestOf('/a.png'), requestOf('/a.png', { received: { status: 404, headers: {} } })]),
      /two responses of .*a\.png differ/,
    ],
  ];

  test.each(cases)('with %s', (_, load, reason) => {
    expect(reasonOf(load)).toMatch(reason);
  });

  test('if its loads have different requests', () => {
    const one = loadOf([requestOf('/a.png')]);
    expect(reasonOf(one, loadOf([requestOf('/b.png')]))).toMatch(/different requests: not each loads .*a\.png/);
    expect(reasonOf(one, one)).toBeNull();
  });

  test('if no load was seen', () => {
    expect(reasonOf()).toMatch(/no load/);
  });
});

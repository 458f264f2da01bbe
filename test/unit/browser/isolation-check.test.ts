import { expect, test } from 'vitest';
import { decideReuse, type PageEvent } from '../../../src/browser/isolation-check.js';

const ORIGIN = 'http://127.0.0.1:4173';

const request = (more: object = {}): PageEvent => ({
  kind: 'request',
  method: 'GET',
  url: `${ORIGIN}/a`,
  resource: 'image',
  ...more,
});

const PLAIN: readonly PageEvent[] = [
  { kind: 'document', url: `${ORIGIN}/` },
  { kind: 'document', url: 'about:srcdoc' },
  request({ resource: 'document' }),
  request({ url: 'https://cdn.example/a.js', resource: 'script' }),
  request({ url: 'data:image/png;base64,' }),
  request({ method: 'POST', resource: 'fetch' }),
  { kind: 'response', headers: ['content-type', 'set-cookie', 'x-powered-by', 'access-control-allow-origin'] },
  { kind: 'window', bounds: '1280 720 0 0' },
  { kind: 'window', bounds: '1280 720 0 0' },
];

test('a page whose events are all allowed is reset', () => {
  expect(decideReuse(PLAIN)).toEqual({ kind: 'reset', origin: ORIGIN, onlyRead: false });
});

test('a page that only sent GET and HEAD requests did not log in', () => {
  const reading = PLAIN.filter((event) => event.kind !== 'request' || event.method !== 'POST');
  expect(decideReuse([...reading, request({ method: 'HEAD' })])).toMatchObject({ onlyRead: true });
});

for (const [event, because] of [
  [request({ url: 'http://joe:word@127.0.0.1:4173/' }), 'credentials in a URL'],
  [request({ url: 'ftp://127.0.0.1/' }), 'ftp: request'],
  [request({ method: 'PUT' }), 'PUT request'],
  [request({ resource: 'ping' }), 'ping request'],
  [request({ resource: 'something new' }), 'something new request'],
  [{ kind: 'response', headers: ['content-type', 'accept-ch'] }, 'response header accept-ch'],
  [{ kind: 'response', headers: ['critical-ch'] }, 'response header critical-ch'],
  [{ kind: 'response', headers: ['www-authenticate'] }, 'response header www-authenticate'],
  [{ kind: 'response', headers: ['nel'] }, 'response header nel'],
  [{ kind: 'response', headers: ['use-as-dictionary'] }, 'response header use-as-dictionary'],
  [{ kind: 'response', headers: ['something-new'] }, 'response header something-new'],
  [{ kind: 'window', bounds: '555 444 0 0' }, 'the window changed: 1280 720 0 0, 555 444 0 0'],
  [{ kind: 'other', what: 'a WebSocket' }, 'a WebSocket'],
  [{ kind: 'document', url: 'https://other.example/' }, `documents of ${ORIGIN}, https://other.example`],
] as const) {
  test(`the context is closed: ${because}`, () => {
    expect(decideReuse([...PLAIN, event])).toEqual({ kind: 'close', because });
  });
}

test('a context without a document is closed', () => {
  expect(decideReuse([])).toEqual({ kind: 'close', because: 'no document' });
});

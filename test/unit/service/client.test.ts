// @module-tag slow
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Server, serveBy } from '../../../fixtures/serve.mjs';
import { createClient, ServiceClientError } from '../../../src/client.js';
import { retryAfterMs } from '../../../src/service/client.js';
import { OPERATIONS } from '../../../src/service/operations.js';

interface Scripted {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

let site: Server;
let baseUrl: string;
/** What is answered, in order; 'silence': nothing, ever; 'cut': the line is cut. */
let script: (Scripted | 'silence' | 'cut')[] = [];
const received: { url: string | undefined; headers: IncomingMessage['headers']; body: unknown }[] = [];

beforeAll(async () => {
  site = await serveBy(async (request, response) => {
    received.push({ url: request.url, headers: request.headers, body: await json(request) });
    const next = script.shift() ?? { status: 200, body: { status: 'success' } };
    if (next === 'silence') return;
    if (next === 'cut') return void request.socket.destroy();
    const { status, headers, body = '' } = next;
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  baseUrl = site.url;
});

afterAll(() => site.close());

afterEach(() => {
  script = [];
  received.length = 0;
});

const url = 'https://example.test/';
const full = {
  status: 503,
  headers: { 'retry-after': '0' },
  body: { message: 'full', code: 'queue-full', details: [] },
};

describe('a client', () => {
  test('sends each call to its place, with the key in its header', async () => {
    const client = createClient({ baseUrl: `${baseUrl}/`, key: 'secret' });
    await client.screenshot({ url });
    await client.screenshotV2({ url, format: 'base64' });
    await client.compare({ before: { url }, after: { imageUrl: url }, threshold: 0.2 });
    await client.analyze({ url, enableQuality: true });
    expect(received.map((one) => one.url)).toEqual(Object.values(OPERATIONS).map(({ path }) => path));
    expect(received.map(({ body }) => body)).toMatchObject([
      { url },
      { format: 'base64' },
      { threshold: 0.2 },
      { url },
    ]);
    expect(received[0]?.headers).toMatchObject({ 'x-serviceapi-key': 'secret', 'content-type': 'application/json' });
    await createClient({ baseUrl, key: 'other', keyHeader: 'x-own' }).screenshot({ url });
    expect(received.at(-1)?.headers).toMatchObject({ 'x-own': 'other' });
    expect(received.at(-1)?.headers).not.toHaveProperty('x-serviceapi-key');
  });

  test.each([429, 503])('sends a request again that was answered %i, as often as it may', async (status) => {
    const client = createClient({ baseUrl, retries: 2 });
    script = Array(2).fill({ ...full, status });
    expect(await client.screenshot({ url })).toEqual({ status: 'success' });
    expect(received).toHaveLength(3);
    script = Array(3).fill({ ...full, status });
    await expect(client.screenshot({ url })).rejects.toMatchObject({ status, code: 'queue-full' });
    expect(received).toHaveLength(6);
  });

  test.each([400, 401, 404, 413, 422, 500, 504])('sends a request once that was answered %i', async (status) => {
    script = [{ ...full, status }];
    await expect(createClient({ baseUrl }).screenshot({ url })).rejects.toMatchObject({ status });
    expect(received).toHaveLength(1);
  });

  test('waits for `retry-after`, and no longer than it may', async () => {
    const client = createClient({ baseUrl });
    const began = performance.now();
    script = [{ ...full, headers: { 'retry-after': '1' } }];
    await client.screenshot({ url });
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
    script = [{ ...full, headers: { 'retry-after': '3600' } }];
    await expect(client.screenshot({ url })).rejects.toMatchObject({ status: 503 });
  });

  test('ends at its signal, while it waits for an answer and while it waits to ask again', async () => {
    const client = createClient({ baseUrl });
    for (const next of ['silence', { ...full, headers: { 'retry-after': '30' } }] as const) {
      script = [next];
      const over = new AbortController();
      const asked = received.length;
      const call = client.screenshot({ url }, { signal: over.signal });
      await expect.poll(() => received.length).toBe(asked + 1);
      over.abort(new Error('enough'));
      await expect(call).rejects.toThrow('enough');
    }
    await expect(client.screenshot({ url }, { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
    expect(received).toHaveLength(2);
  });

  test('aborts an attempt that takes too long', async () => {
    script = ['silence'];
    const call = createClient({ baseUrl, timeoutMs: 50 }).screenshot({ url });
    await expect(call).rejects.toMatchObject({ name: 'ServiceClientError', status: null, code: 'timeout' });
  });

  test('reports a server that does not respond, or a lost connection', async () => {
    script = ['cut'];
    const client = createClient({ baseUrl });
    await expect(client.screenshot({ url })).rejects.toMatchObject({ status: null, code: 'unreachable' });
    const gone = createClient({ baseUrl: 'http://127.0.0.1:1' }).screenshot({ url });
    await expect(gone).rejects.toThrow(/is not reachable/);
  });

  test('reports all errors of the response', async () => {
    const details = [{ code: 'request-invalid', where: 'width', found: 'too small', advice: 'Correct it.' }];
    script = [{ status: 400, body: { message: 'width: too small', code: 'request-invalid', details } }];
    const error = await createClient({ baseUrl })
      .screenshot({ url })
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ServiceClientError);
    expect(error).toMatchObject({ message: 'width: too small', status: 400, code: 'request-invalid', details });
  });

  test.each([
    [502, '<h1>Bad gateway</h1>'],
    [200, '<h1>Log in</h1>'],
    [200, 'null'],
    [200, '"text"'],
    [500, '{"message":1}'],
    [400, ''],
  ])('does not take another for the service: %i %s', async (status, body) => {
    script = [{ status, body }];
    await expect(createClient({ baseUrl }).screenshot({ url })).rejects.toMatchObject({ status, code: 'unreadable' });
  });

  test('needs nothing at run time but itself', () => {
    const built = readFileSync(fileURLToPath(new URL('../../../dist/client.js', import.meta.url)), 'utf8');
    expect(built).not.toMatch(/^import\b/m);
  });
});

test.each([
  ['0', 0, 0],
  ['7', 0, 7000],
  [' 7 ', 0, 7000],
  ['Wed, 21 Oct 2015 07:28:05 GMT', 0, 5000],
  ['Wed, 21 Oct 2015 07:27:00 GMT', 0, 0],
  [null, 0, 500],
  [null, 3, 4000],
  ['soon', 1, 1000],
  ['-5', 0, 500],
])('after "%s", and %i attempts before, %i ms are waited', (header, attempt, expected) => {
  const now = Date.parse('Wed, 21 Oct 2015 07:28:00 GMT');
  expect(retryAfterMs(header, attempt, now)).toBe(expected);
});

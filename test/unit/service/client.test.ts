// @module-tag slow
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Server, serveBy } from '../../../fixtures/serve.mjs';
import { type ClientOptions, createClient, type ServiceClientError } from '../../../src/client.js';
import { retryAfterMs } from '../../../src/service/client.js';
import { OPERATIONS } from '../../../src/service/operations.js';

interface Scripted {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

let site: Server;
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
});

afterAll(() => site.close());

afterEach(() => {
  script = [];
  received.length = 0;
});

const url = 'https://example.test/';
const details = [{ code: 'queue-full', where: 'the service', found: 'full', advice: 'Wait.' }];
const full = { headers: { 'retry-after': '0' }, body: { message: 'full', code: 'queue-full', details } };

const create = (options: Partial<ClientOptions> = {}) => createClient({ baseUrl: site.url, ...options });
const refuse = (options?: Partial<ClientOptions>): Promise<ServiceClientError> =>
  create(options)
    .screenshot({ url })
    .then(
      () => Promise.reject(new Error('it was answered')),
      (error) => error,
    );

describe('a client', () => {
  test('sends each call to its place, with the key in its header', async () => {
    const client = create({ baseUrl: `${site.url}/`, key: 'secret' });
    await client.screenshot({ url });
    await client.screenshotV2({ url, format: 'base64' });
    await client.compare({ before: { url }, after: { imageUrl: url }, threshold: 0.2 });
    await client.analyze({ url, enableQuality: true });
    expect(received.map((one) => one.url)).toEqual(Object.values(OPERATIONS).map(({ path }) => path));
    const bodies = [{ url }, { format: 'base64' }, { threshold: 0.2 }, { url }];
    expect(received.map(({ body }) => body)).toMatchObject(bodies);
    expect(received[0]?.headers).toMatchObject({ 'x-serviceapi-key': 'secret', 'content-type': 'application/json' });
    await create({ key: 'other', keyHeader: 'x-own' }).screenshot({ url });
    expect(received.at(-1)?.headers).toMatchObject({ 'x-own': 'other' });
    expect(received.at(-1)?.headers).not.toHaveProperty('x-serviceapi-key');
  });

  test.each([
    ...[429, 503].map((status) => [status, 3] as const),
    ...[400, 422, 500, 504].map((status) => [status, 1] as const),
  ])('sends a request that was answered %i %i times, and reports all errors of the response', async (status, times) => {
    script = Array(times).fill({ ...full, status });
    const error = await refuse({ retries: 2 });
    expect(error).toMatchObject({ name: 'ServiceClientError', message: 'full', status, code: 'queue-full', details });
    expect(received).toHaveLength(times);
  });

  test('waits for `retry-after`, and no longer than it may', async () => {
    const began = performance.now();
    script = [{ ...full, status: 503, headers: { 'retry-after': '1' } }];
    expect(await create().screenshot({ url })).toEqual({ status: 'success' });
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
    script = [{ ...full, status: 503, headers: { 'retry-after': '3600' } }];
    expect(await refuse()).toMatchObject({ status: 503 });
  });

  test('ends at its signal, while it waits for an answer and while it waits to ask again', async () => {
    for (const next of ['silence', { ...full, status: 503, headers: { 'retry-after': '30' } }] as const) {
      script = [next];
      const over = new AbortController();
      const asked = received.length;
      const call = create().screenshot({ url }, { signal: over.signal });
      await expect.poll(() => received.length).toBe(asked + 1);
      over.abort(new Error('enough'));
      await expect(call).rejects.toThrow('enough');
    }
    await expect(create().screenshot({ url }, { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
    expect(received).toHaveLength(2);
  });

  test('reports an attempt that takes too long, a lost connection, and a server that does not respond', async () => {
    script = ['silence', 'cut'];
    expect(await refuse({ timeoutMs: 50 })).toMatchObject({ status: null, code: 'timeout' });
    expect(await refuse()).toMatchObject({ status: null, code: 'unreachable' });
    const message = expect.stringContaining('is not reachable');
    expect(await refuse({ baseUrl: 'http://127.0.0.1:1' })).toMatchObject({ message, code: 'unreachable' });
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
    expect(await refuse()).toMatchObject({ status, code: 'unreadable' });
  });

  test('needs nothing at run time but itself', () => {
    const built = readFileSync(fileURLToPath(new URL('../../../dist/client.js', import.meta.url)), 'utf8');
    expect(built).not.toMatch(/^import\b/m);
  });
});

test.each([
  [' 7 ', 0, 7000],
  [null, 0, 500],
  [null, 3, 4000],
  ['soon', 1, 1000],
  ['-5', 0, 500],
])('after "%s", and %i attempts before, %i ms are waited', (header, attempt, expected) => {
  expect(retryAfterMs(header, attempt)).toBe(expected);
});

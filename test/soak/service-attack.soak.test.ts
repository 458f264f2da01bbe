// @module-tag soak
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, serveBy } from '../../fixtures/serve.mjs';
import { serviceErrorSchema } from '../../src/service/protocol/responses.js';
import { startService, type TestService } from '../unit/service/capture-service.js';

const CALLS = ['/api/v1/screenshot', '/api/v2/screenshot', '/api/v3/compare', '/api/v3/analyze', '/mcp'];

let service: TestService;
let site: Server;

beforeAll(async () => {
  site = await serveBy((_, response) => response.end('<!doctype html><h1>A page</h1>'));
  service = await startService({ concurrency: 2, queueLength: 64, timeout: 60 });
});

afterAll(async () => {
  await service.close();
  site.close();
});

const isFine = async () => (await service.post('/api/v1/screenshot', { url: site.url })).status === 200;

/** Sends bytes as they are, and gives the status of the answer; 0: there was none. */
function sendRaw(text: string, endAfterMs = 5000): Promise<number> {
  return new Promise((resolve) => {
    const { port } = new URL(service.url);
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    const end = () => socket.destroy();
    const timer = setTimeout(end, endAfterMs);
    socket.on('data', (chunk) => {
      answer += chunk;
      end();
    });
    socket.on('error', end);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0));
    });
    socket.write(text);
  });
}

const NONSENSE: readonly string[] = [
  ...['', ' ', '{', '[]', 'null', '0', '""', 'true', '{"url":', '\u0000', '\ufeff{}', '{"url":null}', '{"url":{}}'],
  ...['{"__proto__":{"url":"http://a"}}', '{"constructor":{"prototype":1}}', '{"url":"http://a","width":1e999}'],
  ...['{"url":"http://[::"}', '{"url":"javascript:1"}', '{"url":"http://a\\u0000b/"}', '{"url":"http://\\ud800/"}'],
  ...['{"before":[],"after":"x"}', '{"before":{"url":[]},"after":{"imageUrl":{}}}', '{"before":null,"after":null}'],
  ...['{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1,"method":"x"}', '{"jsonrpc":"2.0","id":{},"method":"tools/call"}'],
  ...[`{"url":"http://${'a'.repeat(9000)}"}`, `{${Array.from({ length: 20_000 }, (_, i) => `"f${i}":1`).join()}}`],
  ...[`{"url":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`, `[${'[],'.repeat(200_000)}[]]`],
  `{"url":"http://127.0.0.1:1/","hide":[${'"a",'.repeat(100_000)}"a"]}`,
];

describe('nonsense', () => {
  test('in a body is refused by 4xx with a message, on every path', async () => {
    for (const path of CALLS) {
      for (const body of NONSENSE) {
        const headers = { accept: 'application/json, text/event-stream' };
        const answer = await service.post(path, body, { headers });
        const shown = `${path} ${body.slice(0, 60)} ${answer.status}`;
        // A message of MCP that is well-formed is answered in its own protocol.
        if (path !== '/mcp') expect(answer.status >= 400 && answer.status < 500, shown).toBe(true);
        expect(answer.status, shown).toBeLessThan(500);
        const text = await answer.text();
        if (path !== '/mcp') expect(serviceErrorSchema.safeParse(JSON.parse(text)).success, shown).toBe(true);
        expect(text.length, shown).toBeLessThan(2 * 1024 * 1024);
      }
    }
    expect(await isFine()).toBe(true);
  });

  test('in heads costs its own connection only', async () => {
    const head = (lines: string) => `POST /api/v1/screenshot HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines}\r\n`;
    const statuses = await Promise.all(
      [
        ...['\r\n\r\n', 'GET\r\n\r\n', '\u0016\u0003\u0001 hello', 'GET / HTTP/9.9\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n'],
        head(`x: ${'a'.repeat(100_000)}\r\n`),
        head(Array.from({ length: 3000 }, (_, index) => `x${index}: a\r\n`).join('')),
        head('content-type: application/json\r\ncontent-length: -1\r\n'),
        `${head('content-type: application/json\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n')}{}`,
        head('content-type: application/json\r\ncontent-length: 999999999999\r\n'),
        `${head('content-type: application/json\r\ntransfer-encoding: chunked\r\n')}zz\r\n`,
        `GET /screenshots/${'a/'.repeat(5000)} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`,
        'GET http://[ HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
        'GET /%ff%00 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
        'GET / HTTP/1.1\r\nhost: a b\r\n\r\n',
      ].map((text) => sendRaw(text)),
    );
    for (const [index, status] of statuses.entries()) expect([index, status < 500]).toEqual([index, true]);
    expect(await isFine()).toBe(true);
  });
});

test('two hundred requests at once are answered, each by 200 or by 503; so are those after 100 that were given up', async () => {
  const ask = (signal?: AbortSignal) =>
    service
      .post('/api/v1/screenshot', { url: site.url, width: 300, height: 200 }, signal ? { signal } : {})
      .then(async (response) => {
        await response.text();
        return response.status;
      })
      .catch(() => 0);
  const statuses = await Promise.all(Array.from({ length: 200 }, () => ask()));
  const count = (status: number) => statuses.filter((one) => one === status).length;
  expect(count(200) + count(503)).toBe(200);
  expect(count(200)).toBeGreaterThanOrEqual(64);
  const aborted = await Promise.all(
    Array.from({ length: 100 }, (_, index) => ask(AbortSignal.timeout(5 + (index % 20) * 10))),
  );
  expect(aborted.filter((status) => ![0, 200, 503].includes(status))).toEqual([]);
  await expect
    .poll(async () => (await (await fetch(`${service.url}/healthz`)).json()).running, { timeout: 60_000 })
    .toBe(0);
  expect(await isFine()).toBe(true);
});

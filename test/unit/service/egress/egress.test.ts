import { once } from 'node:events';
import { connect, createServer as createTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Server, serveBy } from '../../../../fixtures/serve.mjs';
import { createAddressPolicy } from '../../../../src/service/egress/address-policy.js';
import { fetchWithPolicy, readBody, startProxy } from '../../../../src/service/egress/egress.js';

const LIMITS = { bytes: 100_000, connections: 4, connectMs: 1000, idleMs: 10_000 };
const OPEN = createAddressPolicy({ allowPrivate: true });

let site: Server;
const lookups = new Map<string, number>();

/** A name that leads to the site when it is looked up first, and to where nobody may go from then on. */
async function resolve(name: string) {
  const count = (lookups.get(name) ?? 0) + 1;
  lookups.set(name, count);
  return name === 'rebound.test' ? [{ address: count === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }] : [];
}

const policyOf = () => createAddressPolicy({ allowPrivate: false, allowed: [`127.0.0.1:${site.port}`], resolve });

beforeAll(async () => {
  site = await serveBy((request, response) => {
    if (request.url === '/moved') return void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    if (request.url === '/cut') return void response.writeHead(200).write('half', () => response.destroy());
    const size = Number(/^\/size\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
    response.end('x'.repeat(size));
  });
});
beforeEach(() => lookups.clear());
afterAll(() => site.close());

type Session = Awaited<ReturnType<typeof startProxy>>;

/** Connects through a session, as Chromium does. @returns the code of the reply, and the socket; null: it was closed */
async function reach({ server }: Session, host: string, port = site.port) {
  const socket = connect(Number(new URL(server).port), '127.0.0.1').on('error', () => {});
  const next = async () => {
    const [bytes] = await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => []);
    return bytes;
  };
  socket.write(Buffer.from([5, 1, 0]));
  const agreed = await next();
  const name = Buffer.from(host);
  socket.write(Buffer.from([5, 1, 0, 3, name.length, ...name, port >> 8, port & 255]));
  const reply = agreed && (await next());
  return { code: Buffer.isBuffer(reply) ? reply[1] : null, socket };
}

async function get(session: Session, path: string, host = '127.0.0.1'): Promise<string> {
  const { socket } = await reach(session, host);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
  return text(socket);
}

describe('the session of a capture', () => {
  test('connects to the checked address, even if the name has another address a moment later', async () => {
    const session = await startProxy(policyOf(), LIMITS);
    expect(await get(session, '/size/9', 'rebound.test')).toMatch(/^HTTP\/1.1 200 .*x{9}$/s);
    expect([lookups.get('rebound.test'), session.lastError()]).toEqual([1, null]);
    expect((await reach(session, 'rebound.test')).code).toBe(4);
    session.close();
  });

  test.each([
    ['127.0.0.1', policyOf, 'target-refused', /not public/],
    ['127.0.0.1', () => OPEN, 'page-unreachable', /ECONNREFUSED/],
  ])('does not reach %s, and says nothing of why to the page', async (host, policy, errorCode, message) => {
    const session = await startProxy(policy(), LIMITS);
    const { code, socket } = await reach(session, host, 1);
    expect([code, await text(socket)]).toEqual([4, '']);
    expect(session.lastError()).toMatchObject({ code: errorCode, message: expect.stringMatching(message) });
    session.close();
  });

  test('receives at most the bytes of one capture, over all connections together', async () => {
    const session = await startProxy(policyOf(), LIMITS);
    expect((await get(session, '/size/60000')).length).toBeGreaterThan(60_000);
    expect((await get(session, '/size/5000000').catch(String)).length).toBeLessThan(100_000);
    expect(String(session.lastError())).toContain('more than 100,000 bytes');
  });

  test('has at most the open connections of one capture, and closes them at its end', async () => {
    const session = await startProxy(policyOf(), LIMITS);
    const opened = await Promise.all([1, 2, 3, 4].map(() => reach(session, '127.0.0.1')));
    expect(opened.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect((await reach(session, '127.0.0.1')).code).toBe(4);
    const closed = opened.map(({ socket }) => once(socket, 'close'));
    session.close();
    await Promise.all(closed);
    expect((await reach(session, '127.0.0.1')).code).toBe(null);
  });

  test.each([
    'GET / HTTP/1.1\r\n\r\n',
    '\u0004\u0001\u0000P\u007f\u0000\u0000\u0001\u0000',
    '\u0005\u0001\u0000\u0005\u0002\u0000\u0003\u0001a\u0000P',
    '\u0005',
  ])('outlives a client that sends %j', async (sent) => {
    const session = await startProxy(OPEN, LIMITS);
    const client = connect(Number(new URL(session.server).port), '127.0.0.1').on('error', () => {});
    const closed = once(client, 'close');
    client.resume().end(sent, 'latin1');
    await closed;
    expect((await reach(session, '127.0.0.1')).code).toBe(0);
    session.close();
  });
});

describe('a fetch without a browser', () => {
  const signal = new AbortController().signal;
  const at = (path: string, host = '127.0.0.1') => `http://${host}:${site.port}${path}`;

  test('uses the checked address, and does not follow redirects', async () => {
    const answer = await fetchWithPolicy(policyOf(), at('/size/9', 'rebound.test'), signal);
    expect([answer.statusCode, await text(answer), lookups.get('rebound.test')]).toEqual([200, 'xxxxxxxxx', 1]);
    const moved = await fetchWithPolicy(policyOf(), at('/moved'), signal);
    expect([moved.statusCode, moved.headers.location]).toEqual([302, 'http://127.0.0.1:1/']);
    moved.destroy();
  });

  test.each([...['http://127.0.0.1:1/', 'file:///etc/passwd']])('is refused: %s', async (url) => {
    await expect(fetchWithPolicy(policyOf(), url, signal)).rejects.toMatchObject({ code: 'target-refused' });
  });

  test('is an error if the response is truncated or times out, and has no body beyond a limit', async () => {
    const cut = await fetchWithPolicy(policyOf(), at('/cut'), signal);
    await expect(text(cut)).rejects.toThrow();
    const over = fetchWithPolicy(policyOf(), at('/'), AbortSignal.abort());
    await expect(over).rejects.toMatchObject({ name: 'AbortError' });
    expect(await readBody(await fetchWithPolicy(policyOf(), at('/size/1000'), signal), 999)).toBe(null);
  });

  test.each([
    'HTTP/1.1 099 Low\r\ncontent-length: 2\r\n\r\nok',
    'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`,
    'SSH-2.0-OpenSSH_9.2\r\n',
    '',
  ])('ends by itself if a server answers %.40j', async (head) => {
    const strange = createTcp((socket) => socket.on('error', () => {}).end(head)).listen(0, '127.0.0.1');
    await once(strange, 'listening');
    const address = strange.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const fetched = fetchWithPolicy(OPEN, `http://127.0.0.1:${port}/`, AbortSignal.timeout(4000));
    expect(await fetched.then((answer) => text(answer)).catch(({ name }) => name)).not.toBe('TimeoutError');
    strange.close();
  });
});

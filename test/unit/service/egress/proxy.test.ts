import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, createServer as createTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, serveBy } from '../../../../fixtures/serve.mjs';
import { createAddressPolicy } from '../../../../src/service/egress/address-policy.js';
import { fetchWithPolicy } from '../../../../src/service/egress/egress.js';
import { type FilterProxy, startProxy } from '../../../../src/service/egress/proxy.js';

const LIMITS = { bytes: 100_000, connections: 4, connectMs: 1000, idleMs: 10_000 };

let site: Server;
let port: number;
let proxy: FilterProxy;
/** How often each name was looked up. */
const lookups = new Map<string, number>();
const requests: IncomingMessage[] = [];

/** A name that leads to the site when it is looked up first, and to where nobody may go from then on. */
async function resolve(name: string) {
  const count = (lookups.get(name) ?? 0) + 1;
  lookups.set(name, count);
  if (!name.endsWith('rebound.test')) return [];
  return [{ address: count === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
}

beforeAll(async () => {
  site = await serveBy(async (request, response) => {
    requests.push(request);
    if (request.url === '/moved') return void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    if (request.url === '/none') return void response.writeHead(204).end();
    if (request.url === '/cut') return void response.writeHead(200).write('half', () => response.destroy());
    const size = Number(/^\/size\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
    const body = await text(request);
    response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'], 'x-own': 'yes' });
    response.end(size > 0 ? 'x'.repeat(size) : `${request.method} ${request.url} ${body}`);
  });
  port = site.port;
  proxy = await startProxy(
    createAddressPolicy({ allowPrivate: false, allowed: [`127.0.0.1:${port}`], resolve }),
    LIMITS,
  );
});

afterAll(async () => {
  await proxy.close();
  await site.close();
});

const headerOf = ({ username, password }: { username: string; password: string }) => ({
  'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
});

/** Asks the proxy for a URL openly, as a browser does for http. */
async function get(url: string, headers: object, method = 'GET', body?: string, { server } = proxy) {
  const sent = request(server, { method, path: url, headers: { host: new URL(url).host, ...headers }, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

/** Asks the proxy for a tunnel. @returns its answer, and what comes through the tunnel then */
async function tunnel(target: string, headers: Record<string, string>) {
  const socket = connect(Number(new URL(proxy.server).port), '127.0.0.1');
  const connections = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${connections.join('')}\r\n`);
  const [first = ''] = (await once(socket.setEncoding('latin1'), 'data')) as string[];
  return { status: Number(first.split(' ')[1]), line: first.split('\r\n')[0], socket };
}

describe('a client without credentials', () => {
  const wrong = headerOf({ username: 'a', password: 'b' });

  test.each([
    ['none', {}],
    ['another', wrong],
    ['an empty one', { 'proxy-authorization': '' }],
  ])('is asked for one, with %s', async (_, headers) => {
    requests.length = 0;
    expect(await get(`http://127.0.0.1:${port}/`, headers)).toMatchObject({
      status: 407,
      headers: { 'proxy-authenticate': 'Basic realm="proofsheet"' },
    });
    const { line, socket } = await tunnel(`127.0.0.1:${port}`, headers);
    socket.destroy();
    expect(line).toBe('HTTP/1.1 407 Proxy Authentication Required');
    expect(requests).toEqual([]);
  });

  test('is refused after its session ended, and its open connections are closed', async () => {
    const pass = proxy.openSession();
    const { status, socket } = await tunnel(`127.0.0.1:${port}`, headerOf(pass));
    expect(status).toBe(200);
    pass.close();
    await once(socket, 'close');
    expect((await get(`http://127.0.0.1:${port}/`, headerOf(pass))).status).toBe(407);
  });
});

describe('a client with credentials', () => {
  test('gets the response, and the server does not see the credentials', async () => {
    requests.length = 0;
    const pass = proxy.openSession();
    const answer = await get(`http://127.0.0.1:${port}/a?b=c`, { ...headerOf(pass), 'x-mine': '1' }, 'POST', 'hello');
    expect(answer).toMatchObject({ status: 200, body: 'POST /a?b=c hello', headers: { 'x-own': 'yes' } });
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(requests[0]?.headers).toMatchObject({ 'x-mine': '1', host: `127.0.0.1:${port}` });
    expect(requests[0]?.headers).not.toHaveProperty('proxy-authorization');
    expect(pass.errors()).toEqual([]);
  });

  test('connects to the checked address, even if the name has another address a moment later', async () => {
    const pass = proxy.openSession();
    expect((await get(`http://rebound.test:${port}/`, headerOf(pass))).status).toBe(200);
    expect(lookups.get('rebound.test')).toBe(1);
    const { status, socket } = await tunnel(`other.rebound.test:${port}`, headerOf(pass));
    socket.destroy();
    expect([status, lookups.get('other.rebound.test')]).toEqual([200, 1]);
    // The second time it leads to where nobody may go.
    expect((await tunnel(`other.rebound.test:${port}`, headerOf(pass))).status).toBe(403);
  });

  test.each(['127.0.0.1:1', 'localhost:80', '[::1]:80', '[::ffff:7f00:1]:80', '2130706433:80', '169.254.169.254:80'])(
    'gets no tunnel to %s, and no word of why',
    async (target) => {
      const pass = proxy.openSession();
      const { status, socket } = await tunnel(target, headerOf(pass));
      socket.destroy();
      expect(status).toBe(403);
      expect(pass.errors()).toMatchObject([{ code: 'target-refused' }]);
      await expect(get(`http://${target}/`, headerOf(pass))).rejects.toThrow(/socket hang up|ECONNRESET/);
    },
  );

  test.each(['ftp://127.0.0.1/', 'https://127.0.0.1/', 'file:///etc/passwd'])(
    'gets nothing of %s openly',
    async (url) => {
      await expect(get(url, headerOf(proxy.openSession()))).rejects.toThrow(/socket hang up|ECONNRESET/);
    },
  );

  test('receives at most the bytes of one capture, over all connections together', async () => {
    const pass = proxy.openSession();
    expect((await get(`http://127.0.0.1:${port}/size/60000`, headerOf(pass))).body).toHaveLength(60_000);
    await expect(get(`http://127.0.0.1:${port}/size/5000000`, headerOf(pass))).rejects.toThrow();
    expect(pass.errors().map(String).join()).toContain('more than 100,000 bytes');
    // Another capture is not held up by that.
    expect((await get(`http://127.0.0.1:${port}/size/60000`, headerOf(proxy.openSession()))).status).toBe(200);
  });

  test('has at most the open connections of one capture', async () => {
    const pass = proxy.openSession();
    const opened = await Promise.all([1, 2, 3, 4].map(() => tunnel(`127.0.0.1:${port}`, headerOf(pass))));
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await tunnel(`127.0.0.1:${port}`, headerOf(pass))).status).toBe(403);
    pass.close();
  });

  test.each([
    'HTTP/1.1 099 Low\r\ncontent-length: 2\r\n\r\nok',
    'HTTP/1.1 200 O\u0001K\r\ncontent-length: 2\r\n\r\nok',
    'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nshort',
    `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`,
    'SSH-2.0-OpenSSH_9.2\r\n',
    '',
  ])('outlives a server that answers %j', async (head) => {
    const strange = createTcp((socket) => socket.on('error', () => {}).end(head)).listen(0, '127.0.0.1');
    await once(strange, 'listening');
    const { port: at } = strange.address() as AddressInfo;
    const policy = createAddressPolicy({ allowPrivate: true });
    const open = await startProxy(policy, LIMITS);
    const pass = headerOf(open.openSession());
    await expect(get(`http://127.0.0.1:${at}/`, pass, 'GET', undefined, open)).rejects.toThrow();
    const fetched = fetchWithPolicy(policy, `http://127.0.0.1:${at}/`, AbortSignal.timeout(4000));
    // It ends by itself, one way or the other.
    expect(await fetched.then((answer) => answer.text()).catch(({ name }) => name)).not.toBe('TimeoutError');
    strange.close();
    expect(await get(`http://127.0.0.1:${port}/`, pass, 'GET', undefined, open)).toMatchObject({ status: 200 });
    await open.close();
  });

  test('gets an error if the server does not listen', async () => {
    const { port: closed, close } = await serveBy(() => {});
    await close();
    const open = await startProxy(createAddressPolicy({ allowPrivate: true }), LIMITS);
    const pass = open.openSession();
    await expect(get(`http://127.0.0.1:${closed}/`, headerOf(pass), 'GET', undefined, open)).rejects.toThrow();
    expect(pass.errors()).toMatchObject([
      { code: 'page-unreachable', message: expect.stringContaining('ECONNREFUSED') },
    ]);
    await open.close();
  });
});

describe('a fetch without a browser', () => {
  const guard = () => createAddressPolicy({ allowPrivate: false, allowed: [`127.0.0.1:${port}`], resolve });
  const signal = new AbortController().signal;

  test('uses the checked address', async () => {
    lookups.clear();
    const answer = await fetchWithPolicy(guard(), `http://rebound.test:${port}/size/9`, signal);
    expect([answer.status, await answer.text(), lookups.get('rebound.test')]).toEqual([200, 'xxxxxxxxx', 1]);
  });

  test('does not follow redirects, and accepts a response without a body', async () => {
    const moved = await fetchWithPolicy(guard(), `http://127.0.0.1:${port}/moved`, signal);
    expect([moved.status, moved.headers.get('location')]).toEqual([302, 'http://127.0.0.1:1/']);
    await moved.body?.cancel();
    expect((await fetchWithPolicy(guard(), `http://127.0.0.1:${port}/none`, signal)).body).toBe(null);
  });

  test.each([
    ...['http://127.0.0.1:1/', 'http://localhost/', 'http://[::1]/', 'file:///etc/passwd', 'data:,a', 'ftp://a.test/'],
  ])('is refused: %s', async (url) => {
    await expect(fetchWithPolicy(guard(), url, signal)).rejects.toMatchObject({ code: 'target-refused' });
  });

  test('is an error if the response is truncated or times out', async () => {
    const cut = await fetchWithPolicy(guard(), `http://127.0.0.1:${port}/cut`, signal);
    await expect(cut.text()).rejects.toThrow();
    const over = fetchWithPolicy(guard(), `http://127.0.0.1:${port}/`, AbortSignal.abort());
    await expect(over).rejects.toMatchObject({ name: 'AbortError' });
  });
});

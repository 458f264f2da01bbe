import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLinks, type FetchPage } from '../../../../src/service/analysis/check-links.js';
import { createAddressPolicy } from '../../../../src/service/egress/address-policy.js';
import { fetchWithPolicy } from '../../../../src/service/egress/egress.js';
import { collectGarbage } from '../../collect-garbage.js';

let server: Server;
let origin: string;
let asked: string[] = [];
let atOnce = { now: 0, most: 0 };

const NEVER = new AbortController().signal;
const listOf = (first: string[]) => ({ total: first.length, first });
const plain: FetchPage = (url, { signal }) => fetch(url, { signal, redirect: 'manual' });

/** Answers a path with the status that it names. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    if (path === '/cut') return void request.socket.destroy();
    atOnce = { now: atOnce.now + 1, most: Math.max(atOnce.most, atOnce.now + 1) };
    const status = Number(/^\/(\d{3})/.exec(path)?.[1] ?? 200);
    setTimeout(() => {
      atOnce.now--;
      response.writeHead(status, status === 302 ? { location: '/404' } : {}).end('x'.repeat(100_000));
    }, 5);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('links to missing or failing pages are broken, in page order, and no others are', async () => {
  const paths = ['/500', '/200', '/404', '/302', '/401', '/403', '/429', '/cut', '/410'];
  const { found, checked, broken } = await checkLinks(listOf(paths.map((path) => origin + path)), plain, NEVER);
  expect({ found, checked }).toEqual({ found: 9, checked: 9 });
  expect(broken.map(({ url, why }) => `${url.slice(origin.length)} ${why}`)).toEqual([
    '/500 500',
    '/404 404',
    '/cut connection closed',
    '/410 410',
  ]);
  // Where a redirect leads to is not asked for.
  expect(asked.filter((path) => path === '/404')).toHaveLength(1);
});

test('so many are asked for and no more, a few at once', async () => {
  asked = [];
  atOnce = { now: 0, most: 0 };
  const links = Array.from({ length: 400 }, (_, index) => `${origin}/200/${index}`);
  expect(await checkLinks(listOf(links), plain, NEVER)).toEqual({ found: 400, checked: 50, broken: [] });
  expect(asked).toHaveLength(50);
  expect(atOnce.most).toBeLessThanOrEqual(6);
});

test('a link that may not be fetched is not checked and not broken', async () => {
  const guard = createAddressPolicy({ allowPrivate: false, resolve: async () => [] });
  const guarded: FetchPage = (url, { signal }) => fetchWithPolicy(guard, url, signal);
  const links = ['http://10.0.0.1/', `${origin}/404`, 'http://unresolved.invalid/'];
  expect(await checkLinks(listOf(links), guarded, NEVER)).toEqual({
    found: 3,
    checked: 1,
    broken: [{ url: 'http://unresolved.invalid/', why: 'the host name has no address' }],
  });
});

test('no request is sent after the caller has gone away', async () => {
  const gone = new AbortController();
  let times = 0;
  const slow: FetchPage = (_, { signal }) => {
    times++;
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const links = Array.from({ length: 40 }, (_, index) => `http://127.0.0.1/${index}`);
  const checking = checkLinks(listOf(links), slow, gone.signal);
  gone.abort();
  expect(await checking).toEqual({ found: 40, checked: 0, broken: [] });
  expect(times).toBe(6);
});

test('a link that is not answered in time was not checked, also where memory is collected meanwhile', async () => {
  const silent: FetchPage = (_, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const collecting = collectGarbage();
  const checked = await checkLinks(listOf([`${origin}/200`]), silent, NEVER, {
    ...{ links: 50, atOnce: 6, eachMs: 300, allMs: 60_000 },
  });
  collecting.stop();
  expect(checked).toEqual({ found: 1, checked: 0, broken: [] });
}, 5_000);

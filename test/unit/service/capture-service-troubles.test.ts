// @module-tag slow
import { readdirSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { hashKey } from '../../../src/service/http/authenticate.js';
import type { ServeSettings } from '../../../src/service/protocol/settings.js';
import { failed, startService, startSite, type TestService, type TestSite } from './capture-service.js';

// Nothing here is decided by time, on however busy a machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let site: TestSite;
const open: TestService[] = [];
/** What was asked for and is not answered. */
const held: ServerResponse[] = [];

/** Tells what it was answered. */
const ASKS = `<!doctype html><title>asks</title><h1>asks</h1><script>
  addEventListener('beforeunload', (event) => event.preventDefault());
  const told = [confirm('sure?'), prompt('who?'), alert('so?')];
  navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => {
    document.body.dataset.told = [...told.map(String), state].join();
  });
</script>`;

function respond({ url = '' }: IncomingMessage, response: ServerResponse): void {
  if (url === '/hang' || url === '/never.png') held.push(response);
  else if (url === '/hang-inside')
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>waits</title><img src="/never.png">');
  else if (url === '/asks') response.writeHead(200, { 'content-type': 'text/html' }).end(ASKS);
  else if (url === '/file')
    response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment' }).end('PK');
  else
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>a page</title><h1>Hello</h1>');
}

async function start(settings: Partial<ServeSettings> = {}): Promise<TestService> {
  const service = await startService(settings);
  open.push(service);
  return service;
}

beforeAll(async () => {
  site = await startSite(respond);
});

afterEach(async () => {
  for (const response of held.splice(0)) response.destroy();
  await Promise.all(open.splice(0).map((service) => service.close()));
});

afterAll(() => site.close());

const PATH = '/api/v2/screenshot';

/** Waits until something holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function stateOf(service: TestService): Promise<{ running: number; waiting: number; browserLaunches: number }> {
  return (await fetch(`${service.url}/healthz`)).json();
}

describe('a key', () => {
  const keyed = (settings: Partial<ServeSettings> = {}) =>
    start({ keyHashes: ['old-key', 'new-key'].map(hashKey), ...settings });
  const withKey = (name: string, key: string) => ({ headers: { [name]: key } });

  test('is required if keys are set: a missing or unknown one is 401 and is not repeated', async () => {
    const service = await keyed();
    expect(await failed(await service.post(PATH, {}))).toMatchObject({ status: 401, code: 'key-refused' });
    for (const key of ['hunter2', '', 'old-ke', 'old-key,new-key', hashKey('old-key')]) {
      const answer = await failed(await service.post(PATH, {}, withKey('x-serviceapi-key', key)));
      expect(answer).toMatchObject({ status: 401, code: 'key-refused' });
      expect(answer.message).not.toMatch(/hunter2|old-ke/);
    }
  });

  test('may be any configured key, in a header of any case', async () => {
    const service = await keyed();
    for (const key of ['old-key', 'new-key']) {
      expect((await failed(await service.post(PATH, {}, withKey('X-ServiceAPI-Key', key)))).status).toBe(400);
    }
  });

  test('is read from the configured header', async () => {
    const service = await keyed({ keyHeader: 'x-other-key' });
    expect((await service.post(PATH, {}, withKey('X-Other-Key', 'new-key'))).status).toBe(400);
    expect((await service.post(PATH, {}, withKey('x-serviceapi-key', 'new-key'))).status).toBe(401);
  });

  test('is also required for the metrics, and for no other read-only route', async () => {
    const service = await keyed();
    const statusOf = async (path: string, init?: RequestInit) => (await fetch(service.url + path, init)).status;
    expect(await statusOf('/metrics')).toBe(401);
    expect(await statusOf('/metrics', withKey('x-serviceapi-key', 'new-key'))).toBe(200);
    expect(await Promise.all(['/healthz', '/openapi.json', '/'].map((path) => statusOf(path)))).toEqual([
      200, 200, 200,
    ]);
    expect(await statusOf('/screenshots/a/b/1.png')).toBe(404);
  });

  test.each(['0.0.0.0', '::', '192.0.2.1', 'example.test'])('must be set to listen on %s', async (host) => {
    await expect(start({ host })).rejects.toThrow(
      /without keys, everyone who can reach this machine could use the service/,
    );
  });

  test('is not required on this machine, but another host name is refused', async () => {
    const service = await start();
    const ask = (host: string) =>
      new Promise((resolve, reject) => {
        const headers = { host, 'content-type': 'application/json' };
        const asking = request(service.url + PATH, { method: 'POST', headers }, ({ statusCode }) =>
          resolve(statusCode),
        );
        asking.on('error', reject).end('{}');
      });
    const { port } = new URL(service.url);
    expect(await ask(`localhost:${port}`)).toBe(400);
    expect(await ask(`127.0.0.1:${port}`)).toBe(400);
    expect(await ask(`rebound.example:${port}`)).toBe(403);
    expect(await ask('localhost.example')).toBe(403);
  });
});

test('422: private addresses are not captured, compared or fetched if that is not allowed', async () => {
  const service = await start({ allowPrivate: false });
  for (const url of ['http://127.0.0.1:1/', 'http://[::1]/', 'http://2130706433/', 'http://localhost./']) {
    for (const [path, body] of [
      [PATH, { url }],
      ['/api/v2/screenshot', { url }],
      ['/api/v3/compare', { before: { url }, after: { imageUrl: url } }],
    ] as const) {
      expect(await failed(await service.post(path, body))).toMatchObject({ status: 422, code: 'target-refused' });
    }
  }
});

test('429: a key above its rate gets a retry time; another key is not limited', async () => {
  const service = await start({ rate: 2, keyHashes: ['one', 'two'].map(hashKey) });
  const ask = (key: string) => service.post(PATH, {}, { headers: { 'x-serviceapi-key': key } });
  expect([(await ask('one')).status, (await ask('one')).status]).toEqual([400, 400]);
  const answer = await failed(await ask('one'));
  expect(answer).toMatchObject({ status: 429, code: 'rate-limited' });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(30);
  expect((await ask('two')).status).toBe(400);
});

describe('the concurrency of a service', () => {
  test('503: all slots are taken and the queue is full; a caller that goes away frees its slot', async () => {
    const service = await start({ concurrency: 1, queueLength: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    const ask = (signal?: AbortSignal) =>
      service.post(PATH, { url: `${site.url}/hang` }, signal ? { signal } : {}).catch((error: Error) => error.name);
    const ends = [ask(first.signal)];
    await until(() => held.length === 1);
    ends.push(ask(second.signal));
    await until(async () => (await stateOf(service)).waiting === 1);
    const answer = await failed(await service.post(PATH, { url: site.url }));
    expect(answer).toMatchObject({ status: 503, code: 'queue-full' });
    expect(answer.headers.get('retry-after')).toBe('1');
    second.abort();
    await until(async () => (await stateOf(service)).waiting === 0);
    first.abort();
    expect((await service.post(PATH, { url: site.url })).status).toBe(200);
    expect(await Promise.all(ends)).toEqual(['AbortError', 'AbortError']);
  });

  test('504: a page that never responds or never yields fails only its own request', async () => {
    const service = await start({ concurrency: 3, timeout: 5 });
    const isFine = async () => (await service.post(PATH, { url: site.url })).status === 200;
    const stuck = [
      service.post(PATH, { url: `${site.url}/hang` }),
      service.post(PATH, { url: site.url, javascriptCode: 'for (;;);' }),
    ];
    await until(isFine);
    for (const response of await Promise.all(stuck)) expect(await failed(response)).toMatchObject({ status: 504 });
    await until(async () => (await stateOf(service)).running === 0);
    await until(isFine);
  });
});

test.runIf(process.platform === 'linux')('a killed renderer fails only its own request', async () => {
  const service = await start({ concurrency: 2 });
  const hung = service.post(PATH, { url: `${site.url}/hang-inside` });
  await until(() => held.length === 1);
  killRenderers();
  expect(await failed(await hung)).toMatchObject({ status: 422, code: 'page-crashed' });
  held.splice(0);
  expect((await service.post(PATH, { url: site.url })).status).toBe(200);
  expect((await stateOf(service)).browserLaunches).toBe(1);
});

describe('a page', () => {
  test('has its prompts declined: dialogs, permissions, beforeunload', async () => {
    const service = await start();
    const { html } = await (await service.post(PATH, { url: `${site.url}/asks`, format: 'html' })).json();
    expect(html).toContain('data-told="false,null,undefined,denied"');
  });

  test('that is a download is 422', async () => {
    const service = await start();
    expect(await failed(await service.post(PATH, { url: `${site.url}/file` }))).toMatchObject({
      status: 422,
      code: 'page-unreachable',
    });
  });
});

describe('a browser that is killed', () => {
  test.runIf(process.platform === 'linux')('fails the requests in flight; the other ones of 8 succeed', async () => {
    const service = await start({ concurrency: 2, queueLength: 8 });
    expect((await service.post(PATH, { url: site.url })).status).toBe(200);
    const hung = service.post(PATH, { url: `${site.url}/hang` });
    await until(() => held.length === 1);
    const rest = Array.from({ length: 7 }, () => service.post(PATH, { url: site.url }));
    killBrowser();
    const answer = await failed(await hung);
    expect(answer).toMatchObject({ status: 503, code: 'browser-gone' });
    expect(answer.headers.get('retry-after')).toBe('1');
    const statuses = (await Promise.all(rest)).map(({ status }) => status);
    // One more may have run beside it.
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(6);
    expect((await stateOf(service)).browserLaunches).toBe(2);
  });
});

/** Kills the browser of this process, as a machine does that runs out of memory. */
function killBrowser(): void {
  // Debian's is a script that launches the browser: it ends by itself then.
  const browser = childrenOf(process.pid).flatMap((pid) => [...childrenOf(pid), pid])[0];
  if (browser === undefined) throw new Error('no browser runs');
  process.kill(browser, 'SIGKILL');
}

/** Kills all renderers of the browsers of this process. */
function killRenderers(): void {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parentOf = (pid: number) => Number(/^.*\) \S (\d+) /s.exec(readProcess(pid, 'stat') ?? '')?.[1]);
  const isOurs = (pid: number): boolean => pid > 1 && (pid === process.pid || isOurs(parentOf(pid)));
  const renderers = all.filter((pid) => /--type=renderer/.test(readProcess(pid, 'cmdline') ?? '') && isOurs(pid));
  if (renderers.length === 0) throw new Error('no renderer runs');
  for (const pid of renderers) process.kill(pid, 'SIGKILL');
}

/** Gives the processes below one that are browsers, and not parts of one. */
function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    const [stat, command] = ['stat', 'cmdline'].map((name) => readProcess(pid, name));
    const [, parentOf] = /^.*\) \S (\d+) /s.exec(stat ?? '') ?? [];
    return Number(parentOf) === parent && /--remote-debugging-/.test(command ?? '') && !/--type=/.test(command ?? '');
  });
}

/** A process may end at any time. */
function readProcess(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

test('a service that stops finishes running requests, and refuses waiting and new ones with a message', async () => {
  const service = await startService({ concurrency: 1 });
  const running = service.post(PATH, { url: `${site.url}/hang` });
  await until(() => held.length === 1);
  const waiting = service.post(PATH, { url: site.url });
  await until(async () => (await stateOf(service)).waiting === 1);
  const closing = service.close();
  expect(await failed(await waiting)).toMatchObject({ status: 503, code: 'service-ending' });
  expect(await failed(await service.post(PATH, { url: site.url }))).toMatchObject({
    status: 503,
    code: 'service-ending',
  });
  expect((await fetch(`${service.url}/healthz`)).status).toBe(503);
  held[0]?.writeHead(200, { 'content-type': 'text/html' }).end('<h1>at last</h1>');
  expect((await running).status).toBe(200);
  await closing;
  await expect(fetch(service.url)).rejects.toThrow('fetch failed');
});

test('links start with the configured base URL, for a service behind a proxy', async () => {
  const service = await start({ baseUrl: 'https://shots.example.test/x' });
  const { link } = await (await service.post(PATH, { url: site.url })).json();
  expect(link).toMatch(/^https:\/\/shots\.example\.test\/x\/screenshots\/127\.0\.0\.1\//);
});

test('metrics count responses by route and status, and contain no text of the requests', async () => {
  const service = await start();
  await service.post(PATH, {});
  await fetch(`${service.url}/secret-path`);
  const text = await (await fetch(`${service.url}/metrics`)).text();
  expect(text).toContain('proofsheet_requests_total{route="/api/v2/screenshot",status="400"} 1\n');
  expect(text).toContain('proofsheet_request_seconds_count{route="/api/v2/screenshot"} 1\n');
  expect(text).toContain('proofsheet_browser_launches_total 1\n');
  expect(text).not.toContain('secret-path');
  for (const line of text.trimEnd().split(/\n+/))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]+\})? [\d.e-]+)$/);
});

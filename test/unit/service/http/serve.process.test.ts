// @module-tag slow

import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Server, serveBy } from '../../../../fixtures/serve.mjs';
import { hashKey } from '../../../../src/service/http/authenticate.js';
import type { ServeSettings } from '../../../../src/service/http/serve.js';
import { fill, png, sheet } from '../../image/paint.js';
import { makeTempFolder, writeFiles } from '../../temp-folder.js';
import { failed, startService, type TestService } from '../capture-service.js';

// Nothing here is decided by time, on however busy a machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let site: Server;
let folder: string;
const open: TestService[] = [];
/** What was asked for and is not answered. */
const held: ServerResponse[] = [];

/** Tells what it was answered. */
const ASKS = `<h1>asks</h1><script>
  addEventListener('beforeunload', (event) => event.preventDefault());
  const told = [confirm('sure?'), prompt('who?'), alert('so?')];
  navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => {
    document.body.dataset.told = [...told.map(String), state].join();
  });
</script>`;

function respond({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const html = (body: string) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>a page</title>${body}`);
  if (url === '/hang' || url === '/never.png') held.push(response);
  else if (url === '/hang-inside') html('<img src="/never.png">');
  else if (url === '/asks') html(ASKS);
  else if (url === '/file') response.writeHead(200, { 'content-type': 'application/zip' }).end('PK');
  else html('<h1>Hello</h1>');
}

async function start(settings: Partial<ServeSettings> = {}): Promise<TestService> {
  const service = await startService(settings);
  open.push(service);
  return service;
}

beforeAll(async () => {
  site = await serveBy(respond);
});

beforeEach(() => {
  folder = makeTempFolder();
});

afterEach(async () => {
  vi.restoreAllMocks();
  for (const response of held.splice(0)) response.destroy();
  await Promise.all(open.splice(0).map((service) => service.close()));
});

afterAll(() => site.close());

const PATH = '/api/v2/screenshot';

/** Waits until a page that is not answered was asked for. */
const untilHeld = () => vi.waitUntil(() => held.length === 1, { timeout: 60_000 });

async function stateOf(service: TestService): Promise<{ running: number; waiting: number; browserLaunches: number }> {
  return (await fetch(`${service.url}/healthz`)).json();
}

test('a service whose browser does not start does not start, and gives advice', async () => {
  await expect(startService({ browserFlags: ['--version'] })).rejects.toMatchObject({
    code: 'browser-missing',
    message: expect.stringMatching(/the browser did not start .*Run: npx playwright install --with-deps chromium$/),
  });
});

describe('a key', () => {
  const withKey = (name: string, key: string) => ({ headers: { [name]: key } });
  const keyHashes = ['old-key', 'new-key'].map(hashKey);

  test('is required if keys are set, in a header of any case, also for the metrics; a wrong one is not repeated', async () => {
    const service = await start({ keyHashes, keyHeader: 'x-other-key' });
    const wrong = ['hunter2', '', 'old-ke', 'old-key,new-key', hashKey('old-key')].map((key) =>
      withKey('x-other-key', key),
    );
    for (const init of [{}, withKey('x-serviceapi-key', 'new-key'), ...wrong]) {
      const answer = await failed(await service.post(PATH, {}, init));
      expect(answer).toMatchObject({ status: 401, code: 'key-refused' });
      expect(answer.message).not.toMatch(/hunter2|old-ke/);
    }
    for (const key of ['old-key', 'new-key'])
      expect((await service.post(PATH, {}, withKey('X-Other-Key', key))).status).toBe(400);
    const statusOf = async (path: string, init?: RequestInit) => (await fetch(service.url + path, init)).status;
    const known = await statusOf('/metrics', withKey('X-Other-Key', 'new-key'));
    expect([await statusOf('/metrics'), known]).toEqual([401, 200]);
    const open = ['/healthz', '/openapi.json', '/', '/screenshots/a/b/1.png'].map((path) => statusOf(path));
    expect(await Promise.all(open)).toEqual([200, 200, 200, 404]);
  });

  test.each(['0.0.0.0', '::', 'example.test'])('must be set to listen on %s', async (host) => {
    await expect(start({ host })).rejects.toThrow(/everyone who can reach this machine could use the service/);
  });

  test('is not required on this machine, but another host name is refused', async () => {
    const service = await start();
    const ask = async (host: string) => {
      const headers = { host, 'content-type': 'application/json' };
      const asked = request(service.url + PATH, { method: 'POST', headers }).end('{}');
      const [{ statusCode }] = await once(asked, 'response');
      return statusCode;
    };
    const { port } = new URL(service.url);
    const hosts = [`localhost:${port}`, `127.0.0.1:${port}`, `rebound.example:${port}`, 'localhost.example'];
    expect(await Promise.all(hosts.map(ask))).toEqual([400, 400, 403, 403]);
  });

  test('429: above its rate it gets a retry time; another key is not limited', async () => {
    const service = await start({ rate: 2, keyHashes });
    const ask = (key: string) => service.post(PATH, {}, withKey('x-serviceapi-key', key));
    expect([(await ask('old-key')).status, (await ask('old-key')).status]).toEqual([400, 400]);
    const { headers, ...answer } = await failed(await ask('old-key'));
    expect(answer).toMatchObject({ status: 429, code: 'rate-limited' });
    expect(Number(headers.get('retry-after'))).toSatisfy((seconds: number) => seconds > 0 && seconds <= 30);
    expect((await ask('new-key')).status).toBe(400);
  });
});

describe('the concurrency of a service', () => {
  test('503: all slots are taken and the queue is full; a caller that goes away frees its slot', async () => {
    const service = await start({ concurrency: 1, queueLength: 0 });
    const gone = new AbortController();
    const hung = service.post(PATH, { url: `${site.url}/hang` }, { signal: gone.signal });
    await untilHeld();
    const answer = await failed(await service.post(PATH, { url: site.url }));
    expect(answer).toMatchObject({ status: 503, code: 'queue-full' });
    expect(answer.headers.get('retry-after')).toBe('1');
    gone.abort();
    await expect(hung).rejects.toThrow(/aborted/);
    await expect.poll(async () => (await stateOf(service)).running, { timeout: 60_000 }).toBe(0);
    expect((await service.post(PATH, { url: site.url })).status).toBe(200);
  });

  test('504: a page that never responds or never yields fails only its own request', async () => {
    const service = await start({ concurrency: 3, timeout: 3 });
    const poll = () =>
      expect.poll(async () => (await service.post(PATH, { url: site.url })).status, { timeout: 60_000 });
    const stuck = [
      service.post(PATH, { url: `${site.url}/hang` }),
      service.post(PATH, { url: site.url, javascriptCode: 'for (;;);' }),
    ];
    await poll().toBe(200);
    for (const response of await Promise.all(stuck)) expect(await failed(response)).toMatchObject({ status: 504 });
    await poll().toBe(200);
  });
});

describe.runIf(process.platform === 'linux')('a process of the browser that is killed', () => {
  test('fails only its own request, if it is a renderer', async () => {
    const service = await start({ concurrency: 2 });
    const hung = service.post(PATH, { url: `${site.url}/hang-inside` });
    await untilHeld();
    kill(/--type=renderer/);
    expect(await failed(await hung)).toMatchObject({ status: 422, code: 'page-crashed' });
    held.splice(0);
    expect((await service.post(PATH, { url: site.url })).status).toBe(200);
    expect((await stateOf(service)).browserLaunches).toBe(1);
  });

  test('fails the requests in flight, if it is the browser; the other ones of 4 succeed', async () => {
    const service = await start({ concurrency: 2, queueLength: 8 });
    expect((await service.post(PATH, { url: site.url })).status).toBe(200);
    const hung = service.post(PATH, { url: `${site.url}/hang` });
    await untilHeld();
    const rest = Array.from({ length: 3 }, () => service.post(PATH, { url: site.url }));
    kill(/^(?!.*--type=).*--remote-debugging-/s);
    const answer = await failed(await hung);
    expect(answer).toMatchObject({ status: 503, code: 'browser-gone' });
    expect(answer.headers.get('retry-after')).toBe('1');
    // One more may have run beside it.
    const statuses = (await Promise.all(rest)).map(({ status }) => status).sort();
    expect([200, 503]).toContain(statuses.pop());
    expect(statuses).toEqual([200, 200]);
    expect((await stateOf(service)).browserLaunches).toBe(2);
  });
});

/** Kills the processes below this one that have such a command line, as a machine does that runs out of memory. */
function kill(command: RegExp): void {
  /** A process may end at any time. */
  const read = (pid: number, name: string) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'utf8');
    } catch {
      return '';
    }
  };
  const parentOf = (pid: number) => Number(/^.*\) \S (\d+) /s.exec(read(pid, 'stat'))?.[1]);
  const isOurs = (pid: number): boolean => pid > 1 && (pid === process.pid || isOurs(parentOf(pid)));
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const found = pids.filter((pid) => command.test(read(pid, 'cmdline')) && isOurs(pid));
  expect(found).not.toEqual([]);
  for (const pid of found) process.kill(pid, 'SIGKILL');
}

test('a page has its prompts declined: dialogs, permissions, beforeunload; a download is no page', async () => {
  const service = await start();
  const { html } = await (await service.post(PATH, { url: `${site.url}/asks`, format: 'html' })).json();
  expect(html).toContain('data-told="false,null,undefined,denied"');
  const download = await failed(await service.post(PATH, { url: `${site.url}/file` }));
  expect(download).toMatchObject({ status: 422, code: 'page-unreachable' });
});

test('metrics count responses by route and status, and contain no text of the requests', async () => {
  const service = await start();
  await service.post(PATH, {});
  await fetch(`${service.url}/secret-path`);
  const text = await (await fetch(`${service.url}/metrics`)).text();
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'proofsheet_requests_total{route="/api/v2/screenshot",status="400"} 1',
      'proofsheet_request_seconds_count{route="/api/v2/screenshot"} 1',
      ...['proofsheet_browser_launches_total 1', 'proofsheet_running 0', 'proofsheet_waiting 0'],
    ]),
  );
  expect(text).not.toContain('secret-path');
});

test('a problem of the service itself is reported to callers without a path, and in full to the operator', async () => {
  const told: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    told.push(String(line));
    return true;
  });
  const service = await start({ storage: join(folder, 'a-file/kept') });
  rmSync(join(folder, 'a-file'), { recursive: true });
  writeFileSync(join(folder, 'a-file'), '');
  const values = { url: `${service.url}/` };
  const params = { name: 'screenshot', arguments: values };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const accept = { headers: { accept: 'application/json, text/event-stream' } };
  const answers = [await service.post(PATH, values), await service.post('/mcp', call, accept)];
  expect(answers.map(({ status }) => status)).toEqual([500, 200]);
  for (const answer of answers) {
    const text = await answer.text();
    expect(text).toContain(
      'the service: the storage is not available. Contact the operator of the service: its standard error has details.',
    );
    expect(text).not.toMatch(/a-file|ENOTDIR/);
  }
  const line = expect.stringMatching(/^proofsheet: .*a-file.*ENOTDIR.*\n$/);
  expect(told).toEqual([line, line]);
});

describe('a link of the service as an image', () => {
  const ID = '6b1f2f0e-7d0b-4d52-9f4c-0a4e1a6d7c11';
  const linkOf = (number: number) => `screenshots/example.test/${ID}/170000000000${number}.png`;
  const compare = async (service: TestService, before: string, after: string) =>
    (await service.post('/api/v3/compare', { before: { imageUrl: before }, after: { imageUrl: after } })).json();

  /** Starts a service that refuses private addresses, its own among them, and has two captures. */
  async function startWithCaptures(baseUrl: string | null = null): Promise<TestService> {
    const red = png(fill(sheet(40, 30), { x: 5, y: 5, width: 10, height: 1 }, '#ff0000')).bytes;
    const plain = png(sheet(40, 30)).bytes;
    const storage = join(folder, 'kept');
    writeFiles(storage, { [linkOf(1)]: plain, [linkOf(2)]: red, 'secret.png': red, '../secret.png': red });
    return start({ storage, allowPrivate: false, baseUrl });
  }

  test('is read from its storage, though its address is private', async () => {
    const service = await startWithCaptures();
    const answer = await compare(service, `${service.url}/${linkOf(1)}`, `${service.url}/${linkOf(2)}?from=mail#top`);
    expect(answer).toMatchObject({ status: 'success', summary: { mismatchPixels: 10 } });
    const base = 'https://shots.example.test/x';
    const behind = await compare(await startWithCaptures(base), `${base}/${linkOf(1)}`, `${base}/${linkOf(2)}`);
    expect(behind).toMatchObject({ summary: { mismatchPixels: 10 } });
    expect(behind.before.link).toMatch(/^https:\/\/shots\.example\.test\/x\/screenshots\/shots\.example\.test\//);
  });

  test('does not lead outside the captures, to another service, or to a removed file', async () => {
    const service = await startWithCaptures();
    const own = `${service.url}/${linkOf(1)}`;
    const { port } = new URL(service.url);
    for (const place of [
      ...['secret.png', '../secret.png', 'screenshots/../secret.png', 'screenshots/%2e%2e/secret.png'],
      ...['screenshots/..%2fsecret.png', 'screenshots/..%5csecret.png', 'screenshots//../../secret.png', 'healthz'],
      ...[`http://127.0.0.1:1/${linkOf(1)}`, `http://u:p@127.0.0.1:${port}/${linkOf(1)}`],
      linkOf(1).replace('screenshots', 'Screenshots'),
    ]) {
      const { status, code } = await compare(service, own, /^http/.test(place) ? place : `${service.url}/${place}`);
      expect([place, status]).toEqual([place, 'error']);
      expect(['target-refused', 'image-unreachable']).toContain(code);
    }
    expect(await compare(service, own, own.replace('0000001.png', '0000009.png'))).toMatchObject({
      code: 'image-unreachable',
      message: expect.stringContaining('the capture does not exist, or it expired'),
    });
  });
});

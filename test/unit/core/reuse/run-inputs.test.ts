import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openRunNotes } from '../../../../src/baselines/run-notes.js';
import { createInputFetcher } from '../../../../src/core/reuse/fetch-input.js';
import type { SeenInput } from '../../../../src/core/reuse/page-inputs.js';
import { createRunInputs } from '../../../../src/core/reuse/run-inputs.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let site: string;
let answer: Answer;
let log: IncomingMessage[];
let folder: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    log.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  log = [];
  folder = mkdtempSync(join(tmpdir(), 'proofsheet-inputs-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const reply =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'text/css', etag: '"1"', ...headers }).end(body);

/** A new worker of the run. */
function worker(reachableHosts: readonly string[] | null = null) {
  const fetcher = createInputFetcher({ ignoresHttpsErrors: false, reachableHosts, timeoutMs: 500 });
  return createRunInputs(fetcher, openRunNotes(join(folder, 'locks')));
}

/** A worker of another run. */
function nextRun() {
  rmSync(join(folder, 'locks'), { recursive: true, force: true });
  return worker();
}

function seen(changes: Partial<NonNullable<SeenInput['received']>> = {}): SeenInput {
  const headers = { 'content-type': 'text/css', etag: '"1"' };
  return { request: { url: `${site}/a`, headers: { accept: '*/*' } }, received: { status: 200, headers, ...changes } };
}

async function inputNow(inputs = nextRun()) {
  const described = await inputs.describe([seen()]);
  if (described.kind === 'unknown') throw new Error(described.reason);
  const [input] = described.inputs;
  if (!input) throw new Error('expected an input');
  return input;
}

async function reasonFor(received: SeenInput = seen()): Promise<string> {
  const described = await nextRun().describe([received]);
  return described.kind === 'unknown' ? described.reason : 'known';
}

describe('an input', () => {
  test('has the same digest in the next run, and another one after any change', async () => {
    answer = reply('a { color: red }');
    const input = { ...(await inputNow()), etag: null };
    const isSame = async () => (await nextRun().readDigests([input]))[0] === input.digest;
    expect(await isSame()).toBe(true);
    for (const other of [
      reply('a { color: blue }'),
      reply('a { color: red }', { 'content-type': 'text/plain' }),
      reply('a { color: red }', { 'content-security-policy': "img-src 'none'" }),
      reply('a { color: red }', { link: '</b.css>; rel=preload' }),
      reply('a { color: red }', {}, 404),
      reply('', { location: '/b' }, 302),
    ]) {
      answer = other;
      expect(await isSame()).toBe(false);
    }
    answer = reply('a { color: red }', { date: 'Thu, 01 Jan 1970 00:00:00 GMT', 'x-request-id': '7' });
    expect(await isSame()).toBe(true);
  });

  test('is hashed as the page sees it: compressed or not is the same', async () => {
    answer = reply('a { color: red }');
    const input = await inputNow();
    answer = reply(gzipSync('a { color: red }'), { 'content-encoding': 'gzip', etag: '"2"' });
    expect(await nextRun().readDigests([input])).toEqual([input.digest]);
  });

  test('is not named in the notes of the run, because its URL or a header may contain a secret', async () => {
    answer = reply('a { color: red }');
    const { request, received } = seen();
    const secret = { url: `${request.url}?token=hunter2`, headers: { ...request.headers, 'x-token': 'hunter2' } };
    const described = await worker().describe([{ request: secret, received }]);
    expect(described.kind).toBe('known');
    const notes = join(folder, 'locks', 'notes');
    const text = readdirSync(notes).map((name) => readFileSync(join(notes, name), 'utf8'));
    expect(text.join('')).toContain('digest');
    expect(text.join('')).not.toContain('hunter2');
  });

  test('is not sent again if the server confirms its ETag', async () => {
    answer = reply('a { color: red }');
    const input = await inputNow();
    answer = (request, response) =>
      request.headers['if-none-match'] === '"1"'
        ? response.writeHead(304, { etag: '"1"' }).end()
        : reply('other')(request, response);
    expect(await nextRun().readDigests([input])).toEqual([input.digest]);
    const weak = { ...input, headers: { accept: 'text/html,application/xhtml+xml' } };
    expect(await nextRun().readDigests([weak]), 'a document is always read').not.toEqual([input.digest]);
  });

  test('is fetched once per run, whichever worker asks', async () => {
    answer = reply('a { color: red }');
    const input = await inputNow();
    log = [];
    const [one, two] = [nextRun(), worker()];
    await one.readDigests([input, input]);
    await two.readDigests([input]);
    expect(log).toHaveLength(1);
  });

  test('of a range is the part that the page asked for', async () => {
    answer = (request, response) =>
      response
        .writeHead(206, { 'content-type': 'video/mp4', etag: '"1"', 'content-range': `${request.headers.range}/9` })
        .end(request.headers.range);
    const request = { url: `${site}/a`, headers: { range: 'bytes=0-3' } };
    const headers = { 'content-type': 'video/mp4', etag: '"1"', 'content-range': 'bytes=0-3/9' };
    const described = await worker().describe([{ request, received: { status: 206, headers } }]);
    expect(described.kind).toBe('known');
    expect(log[0]?.headers['accept-encoding']).toBe('identity');
  });

  test('of a whole file is the same if the cache of the browser answers with a range', async () => {
    answer = reply('123456789');
    const whole = { 'content-type': 'text/css', etag: '"1"', 'content-range': 'bytes 0-8/9' };
    expect(await reasonFor(seen({ status: 206, headers: whole }))).toBe('known');
    const part = { ...whole, 'content-range': 'bytes 0-7/9' };
    expect(await reasonFor(seen({ status: 206, headers: part }))).toMatch(/\(status 206, not 200\)/);
  });

  test('without a connection is an input as well', async () => {
    const request = { url: 'http://nowhere.test/a.js', headers: {} };
    const offline = () => worker(['127.0.0.1']);
    const described = await offline().describe([{ request, received: null }]);
    if (described.kind === 'unknown') throw new Error(described.reason);
    expect(await offline().readDigests(described.inputs)).toEqual([described.inputs[0]?.digest]);
    expect(log).toHaveLength(0);
  });

  test('names what the code of the page reads and no response contains', async () => {
    answer = reply('show(new Date(), crypto.getRandomValues(a))', { 'content-type': 'text/javascript' });
    const headers = { 'content-type': 'text/javascript', etag: '"1"' };
    const described = await worker().describe([seen({ headers })]);
    expect(described.kind === 'known' && described.uses).toEqual(['random numbers', 'the clock']);
  });
});

describe('a page is not reusable', () => {
  test('if a response sets a cookie, or varies by what the request does not say', async () => {
    answer = reply('x', { 'set-cookie': 'a=b' });
    expect(await reasonFor()).toMatch(/\/a sets a cookie/);
    answer = reply('x', { vary: 'Accept-Encoding, *' });
    expect(await reasonFor()).toMatch(/varies by anything/);
    answer = reply('x', { vary: 'Accept-Encoding, Origin' });
    expect(await reasonFor()).toBe('known');
  });

  test('if a response that is not to be stored, or has no version, changes between two fetches', async () => {
    let count = 0;
    answer = (request, response) => reply(String(count++), { 'cache-control': 'no-store' })(request, response);
    expect(await reasonFor()).toMatch(/two responses of .* differ/);
    answer = reply('x', { 'cache-control': 'no-store' });
    expect(await reasonFor()).toBe('known');
  });

  test.each([
    ['status', { status: 404 }, /\(status 404, not 200\)/],
    ['version', { headers: { 'content-type': 'text/css', etag: '"2"' } }, /\(etag\)/],
    ['header', { headers: { 'content-type': 'text/css', etag: '"1"', refresh: '1' } }, /\(refresh\)/],
    ['length', { headers: { 'content-type': 'text/css', etag: '"1"', 'content-length': '9' } }, /\(content-length\)/],
  ])('if the browser received another %s', async (_, received, reason) => {
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/css', etag: '"1"', 'content-length': '1' }).end('x');
    expect(await reasonFor(seen(received))).toMatch(reason);
  });

  test('if only the browser, or only Node, reaches a server', async () => {
    answer = reply('x');
    expect(await reasonFor({ ...seen(), received: null })).toMatch(/reached only without the browser/);
    const request = { url: 'http://127.0.0.1:1/a', headers: {} };
    expect(await reasonFor({ ...seen(), request })).toMatch(/reached only by the browser/);
  });

  test('if a response does not arrive in time, or cannot be decoded', async () => {
    answer = () => {};
    expect(await reasonFor()).toMatch(/cannot be fetched/);
    answer = reply('not gzip', { 'content-encoding': 'gzip' });
    expect(await reasonFor()).toMatch(/cannot be fetched/);
    answer = reply('x', { 'content-encoding': 'zstd' });
    expect(await reasonFor()).toMatch(/encoding zstd/);
  });
});

test('an input that cannot be known has no digest', async () => {
  answer = reply('x');
  const input = await inputNow();
  answer = reply('x', { 'set-cookie': 'a=b', etag: '"2"' });
  expect(await nextRun().readDigests([input])).toEqual([null]);
  answer = () => {};
  expect(await nextRun().readDigests([input])).toEqual([null]);
});

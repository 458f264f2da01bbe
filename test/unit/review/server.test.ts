import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readRun } from '../../../src/baselines/read-run.js';
import { type ReportServer, serveReport } from '../../../src/review/server.js';
import type { ProjectFolders } from '../../../src/run/project.js';
import { BLUE, baselineOf, finishRun, pathOf, RED, writeAt } from './finished-run.js';

let places: ProjectFolders;
let server: ReportServer;

beforeEach(async () => {
  places = await finishRun([
    { id: 'home', status: 'changed', before: RED, after: BLUE },
    { id: 'about', status: 'changed', before: RED, after: BLUE },
    { id: 'gone', status: 'error', before: RED, changes: { reason: 'HTTP status 404' } },
    { id: 'fresh', status: 'new', after: BLUE },
  ]);
  server = await serveReport(places, '127.0.0.1', 0);
});

afterEach(async () => {
  await server.close();
  await rm(places.root, { recursive: true });
});

interface Ask {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** In place of the path of the address that was printed, and what is below it. */
  readonly path?: string;
}

function ask(below: string, { method = 'GET', headers = {}, body = '', path }: Ask = {}) {
  const { hostname, port, pathname } = new URL(server.url);
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const options = { hostname, port, path: path ?? pathname + below, method, headers };
    const sent = request(options, async (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) });
    });
    sent.on('error', reject);
    // A body that is refused may still be written when the response has ended.
    sent.on('socket', (socket) => socket.on('error', reject));
    sent.end(body);
  });
}

async function sessionToken(): Promise<string> {
  const { body } = await ask('');
  const [, json = '{}'] = /id="proofsheet-session">(.*?)<\/script>/.exec(body.toString()) ?? [];
  return JSON.parse(json).token;
}

async function decide(decision: string, ids: readonly string[], changes: Ask = {}) {
  const headers = {
    'content-type': 'application/json',
    origin: new URL(server.url).origin,
    'x-proofsheet-token': await sessionToken(),
    ...changes.headers,
  };
  const body = JSON.stringify({ decision, shots: ids.map((id) => ({ project: 'chromium', id })) });
  const answer = await ask('api/decisions', { method: 'POST', body, ...changes, headers });
  const isJson = answer.headers['content-type']?.startsWith('application/json');
  return { status: answer.status, answer: isJson ? JSON.parse(answer.body.toString()) : null };
}

const isApproved = async (id: string) => (await readFile(join(places.root, pathOf(id)))).equals(baselineOf(id, BLUE));

describe('the page', () => {
  test('has the token for decisions, and headers against framing, caching and referrers', async () => {
    const { status, headers, body } = await ask('');
    expect(status).toBe(200);
    expect(body.toString()).toMatch(
      /<script type="application\/json" id="proofsheet-session">\{"token":"[\w-]{43}","undo":null\}<\/script>/,
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
    expect(Object.keys(headers)).not.toContain('access-control-allow-origin');
  });

  test('is rendered from the record, not from a downloaded index.html', async () => {
    await writeAt(join(places.folder, 'index.html'), '<script>alert(1)</script>');
    expect((await ask('index.html')).body.toString()).not.toContain('alert(1)');
  });
});

describe('the folder', () => {
  test('serves record, summary and images as data without scripts', async () => {
    const image = await ask('screenshots/localhost/0/1.png');
    expect(image.headers).toMatchObject({ 'content-type': 'image/png', 'content-security-policy': /sandbox/ });
    expect(image.body.equals(baselineOf('home', BLUE))).toBe(true);
    expect(JSON.parse((await ask('results.json')).body.toString()).shots).toHaveLength(4);
    expect((await ask('summary.md')).headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  const outside = '../package.json ..%2f..%2fetc%2fpasswd screenshots/../../shots/home.png /etc/passwd % %00';
  const inside =
    'screenshots/%2e%2e/results.json screenshots screenshots/ other.html screenshots/page.html screenshots/x.svg';

  test('serves nothing else', async () => {
    await writeAt(join(places.folder, 'screenshots/page.html'), '<script>alert(1)</script>');
    await writeAt(join(places.folder, 'screenshots/x.svg'), '<svg/>');
    await writeAt(join(places.folder, 'other.html'), '<script>alert(1)</script>');
    for (const path of `${outside} ${inside}`.split(' ')) {
      const { status, body } = await ask(path);
      expect([403, 404], path).toContain(status);
      expect(body.toString(), path).not.toMatch(/alert|PNG|root:|<svg/);
    }
  });

  test('does not follow a symbolic link out of it', async () => {
    await mkdir(join(places.folder, 'screenshots/x'));
    await symlink(join(places.root, pathOf('home')), join(places.folder, 'screenshots/x/1.png'));
    expect((await ask('screenshots/x/1.png')).status).toBe(404);
  });
});

describe('a request with a wrong token or host', () => {
  test('gets nothing, wherever', async () => {
    for (const path of ['/', '/index.html', '/results.json', '/x/', '/AAAA/results.json', '//', '/api/decisions']) {
      const { status, body } = await ask('', { path });
      expect(status, path).toBe(403);
      expect(body.toString()).toBe('Open the URL that `proofsheet report` printed.');
    }
  });

  test('gets nothing as another host, though a name server leads it here', async () => {
    const local = ['127.0.0.1', '127.0.0.1:1', 'localhost.evil.example:80'];
    const { port } = new URL(server.url);
    expect((await ask('results.json', { headers: { host: `localhost:${port}` } })).status).toBe(200);
    for (const host of ['evil.example', 'evil.example:80', ...local, 'a b']) {
      expect((await ask('results.json', { headers: { host } })).status, host).toBeGreaterThanOrEqual(400);
      expect((await decide('approved', ['home'], { headers: { host, origin: `http://${host}` } })).status).toBe(403);
      expect(await isApproved('home')).toBe(false);
    }
  });
});

describe('a decision', () => {
  test('approves only the named shots and returns written, refused and the run', async () => {
    const { status, answer } = await decide('approved', ['home', 'home', 'gone']);
    expect(status).toBe(200);
    expect(answer.written).toEqual([{ project: 'chromium', id: 'home', path: 'shots/home.png', compared: 44 / 48 }]);
    expect(answer.refused).toEqual([
      { project: 'chromium', id: 'gone', reason: 'the shot has an error: HTTP status 404' },
    ]);
    expect(answer.record).toEqual(await readRun(places.folder));
    expect([await isApproved('home'), await isApproved('about')]).toEqual([true, false]);
  });

  const strangers: [string, Ask, number][] = [
    ['of another page', { headers: { origin: 'https://evil.example' } }, 403],
    ['of another port', { headers: { origin: 'http://127.0.0.1:1' } }, 403],
    ['of a page that hides where it is', { headers: { origin: 'null' } }, 403],
    ['that the browser says is of another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['with a wrong token', { headers: { 'x-proofsheet-token': 'AAAA' } }, 409],
    ['by PUT', { method: 'PUT' }, 405],
    ['that is no JSON', { body: 'home' }, 400],
    ['of another kind', { body: '{"decision":"deleted","shots":[{"project":"chromium","id":"home"}]}' }, 400],
    ['with more than it may say', { body: '{"decision":"approved","shots":[],"force":true}' }, 400],
    ['on a shot that there is not', { body: '{"decision":"approved","shots":[{"project":"","id":"home"}]}' }, 409],
    ['that is larger than any', { body: ' '.repeat(17 * 1024 * 1024) }, 400],
  ];
  test.each(strangers)('is refused without a write: %s', async (_, changes, status) => {
    const told = await decide('approved', ['home'], changes);
    expect(told.status).toBe(status);
    expect(told.answer.message).toMatch(/\w/);
    expect(await isApproved('home')).toBe(false);
  });

  test('of a page that shows an earlier run is refused', async () => {
    const token = await sessionToken();
    const run = await readRun(places.folder);
    await writeAt(
      join(places.folder, 'results.json'),
      JSON.stringify({ ...run, startedAt: '2026-11-21T00:00:00.000Z' }),
    );
    const { status, answer } = await decide('approved', ['home'], { headers: { 'x-proofsheet-token': token } });
    expect([status, answer.message]).toEqual([409, expect.stringContaining('the page shows another run')]);
    expect(await isApproved('home')).toBe(false);
    expect((await decide('approved', ['home'])).status).toBe(200);
  });
});

test('a deleted run is an error, and the server continues', async () => {
  await rm(join(places.folder, 'results.json'));
  expect(JSON.parse((await ask('')).body.toString()).message).toContain('no report of a finished run was found');
  expect((await ask('screenshots/localhost/0/1.png')).status).toBe(200);
});

test('a port in use is an error with advice', async () => {
  const { port } = new URL(server.url);
  await expect(serveReport(places, '127.0.0.1', Number(port))).rejects.toThrow(/EADDRINUSE.*Use another --port/);
});

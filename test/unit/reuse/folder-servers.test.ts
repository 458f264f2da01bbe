import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServedFolder } from '../../../src/model/page-list.js';
import { answerFor, createFolderServers, isListed } from '../../../src/reuse/folder-servers.js';
import { makeTempFolder } from '../temp-folder.js';

let root = '';
const servers = createFolderServers();

const FILES = {
  'secret.txt': 'secret',
  'site/index.html': 'home',
  'site/about.html': 'about',
  'site/guide/index.html': 'guide',
  'site/x y.js': 'export {};',
  'site/10%.txt': 'percent',
  'site/movie.webm': '0123456789',
  'other/404.html': 'lost',
  'other/app.html': 'app',
};

beforeAll(() => {
  root = makeTempFolder(FILES);
  symlinkSync(join(root, 'secret.txt'), join(root, 'site', 'link.txt'));
  symlinkSync(join(root, 'site', 'about.html'), join(root, 'site', 'alias.html'));
});
afterAll(() => servers.close());

/** A folder below the root, which does not exist yet when the tests are declared. */
const servedOf = (folder: string, base = '/', fallback: string | null = null) => ({ folder, base, fallback });
const below = ({ folder, ...served }: ServedFolder): ServedFolder => ({ ...served, folder: join(root, folder) });

const answerOf = (path: string, served: ServedFolder = servedOf('site')) => {
  const { status, headers, body } = answerFor(below(served), path);
  return [status, headers['content-type'] ?? headers.location, String(body)];
};

const HTML = 'text/html; charset=utf-8';

const LOST = [404, HTML, 'Not found'];
const DOCS = servedOf('site', '/docs/');
const APP = servedOf('other', '/', 'app.html');

test.each<[path: string, answer: readonly (string | number)[], served?: ServedFolder]>([
  ['/', [200, HTML, 'home']],
  ['/index.html', [200, HTML, 'home']],
  ['/about', [200, HTML, 'about']],
  ['/guide', [301, '/guide/', '']],
  ['/guide/', [200, HTML, 'guide']],
  ['/x%20y.js', [200, 'text/javascript; charset=utf-8', 'export {};']],
  ['/10%25.txt', [200, 'text/plain; charset=utf-8', 'percent']],
  ['/alias.html', [200, HTML, 'about']],
  // Nothing outside of the folder.
  ...['/none.js', '/about/', '/..%2fsecret.txt', '/%2e%2e/secret.txt', '/..%5csecret.txt', '/link.txt', '/%'].map(
    (path): [string, typeof LOST] => [path, LOST],
  ),
  ['/docs/about', [200, HTML, 'about'], DOCS],
  ['/docs', [301, '/docs/', ''], DOCS],
  ['/about', LOST, DOCS],
  ['/none', [404, HTML, 'lost'], servedOf('other')],
  ['/none/deep', [200, HTML, 'app'], APP],
  ['/none.png', [404, HTML, 'lost'], APP],
])('the path %s is answered by %j in %j', (path, answer, served) => {
  expect(answerOf(path, served)).toEqual(answer);
});

test('an answer has another digest with another content, type or status', () => {
  const digestOf = (name: string, text: string) => {
    writeFileSync(join(root, 'site', name), text);
    return answerFor(below(servedOf('site')), `/${name}`).digest;
  };
  const digests = [digestOf('a.css', 'a'), digestOf('a.css', 'b'), digestOf('a.js', 'a'), digestOf('404.html', 'a')];
  rmSync(join(root, 'site', '404.html'));
  expect(new Set(digests).size).toBe(4);
  expect(digestOf('a.css', 'a')).toBe(digests[0]);
});

describe('the server of a folder', () => {
  const get = async (path: string, options: RequestInit = {}) => {
    const { url } = await servers.open(below(servedOf('site')));
    return fetch(new URL(path, url), { redirect: 'manual', ...options });
  };

  test('sends headers that are the same in every run', async () => {
    const { headers } = await get('about');
    expect(Object.fromEntries(headers)).toEqual({
      ...{ 'accept-ranges': 'bytes', 'content-length': '5', 'content-type': HTML },
      ...{ connection: 'keep-alive', 'keep-alive': 'timeout=5' },
    });
  });

  test.each([
    ['bytes=2-4', 206, 'bytes 2-4/10', '234'],
    ['bytes=7-', 206, 'bytes 7-9/10', '789'],
    ['bytes=-2', 206, 'bytes 8-9/10', '89'],
    ['bytes=0-99', 206, 'bytes 0-9/10', '0123456789'],
    ['bytes=20-', 200, null, '0123456789'],
    ['bytes=0-1,3-4', 200, null, '0123456789'],
  ])('sends the part %s of a file', async (range, status, part, body) => {
    const response = await get('movie.webm', { headers: { range } });
    const sent = [response.status, response.headers.get('content-range'), await response.text()];
    expect(sent).toEqual([status, part, body]);
  });

  test('redirects with the query, and takes only GET and HEAD', async () => {
    expect((await get('guide?a=1')).headers.get('location')).toBe('/guide/?a=1');
    expect((await get('about', { method: 'POST' })).status).toBe(405);
    expect((await get('about', { method: 'HEAD' })).status).toBe(200);
  });

  test('is one for each folder, until it is closed, and reads each file once for its digests', async () => {
    const own = createFolderServers();
    const [first, again, other] = await Promise.all(
      ['site', 'site', 'other'].map((name) => own.open(below(servedOf(name)))),
    );
    expect(first?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(again?.url).toBe(first?.url);
    expect(other?.url).not.toBe(first?.url);
    writeFileSync(join(root, 'site', 'a.css'), 'one');
    const digest = first?.digestOf('/a.css');
    writeFileSync(join(root, 'site', 'a.css'), 'two');
    expect(first?.digestOf('/a.css')).toBe(digest);
    await own.close();
    await expect(fetch(first?.url ?? '')).rejects.toThrow('fetch failed');
  });
});

test.each([
  ['logo.png', true],
  ['img/a.png', true],
  ['Logo.png', false],
  ['IMG/a.png', false],
  ['img/a.png.', false],
  ['logo.png::$DATA', false],
  ['LOGO~1.PNG', false],
  ['con', false],
  ['caf\u00e9.png', true],
])('on macOS and Windows, %s is served as the folder lists it: %s', (name, isServed) => {
  const names: Record<string, string[]> = { '': ['logo.png', 'img', 'cafe\u0301.png'], img: ['a.png'] };
  expect(isListed(name, (inner) => names[inner] ?? [])).toBe(isServed);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStorybookServers } from '../../../src/core/setup/servers.js';

let root = '';
const servers = createStorybookServers();

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'proofsheet-served-'));
  for (const name of ['a', 'b']) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'iframe.html'), `<p>${name}</p>`);
  }
  writeFileSync(join(root, 'a', 'x y.js'), 'export {};');
  writeFileSync(join(root, 'secret.txt'), 'secret');
});
afterAll(async () => {
  await servers.close();
  rmSync(root, { recursive: true, force: true });
});

const open = async (folder: string, path: string) => {
  const base = await servers.baseURLOf(join(root, folder));
  const response = await fetch(`${base}${path}`);
  return [response.status, response.headers.get('content-type'), await response.text()];
};

test('a folder is served with the type of each file, and nothing outside of it', async () => {
  expect(await open('a', 'iframe.html?id=a--b&viewMode=story')).toEqual([200, 'text/html; charset=utf-8', '<p>a</p>']);
  expect(await open('a', 'x%20y.js')).toEqual([200, 'text/javascript; charset=utf-8', 'export {};']);
  for (const path of ['none.js', '..%2fsecret.txt', '%2e%2e/secret.txt', '..%5csecret.txt']) {
    expect((await open('a', path))[0]).toBe(404);
  }
});

test('a folder has one server, and each folder has its own', async () => {
  const [first, again, other] = await Promise.all(['a', 'a', 'b'].map((name) => servers.baseURLOf(join(root, name))));
  expect(first).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  expect(await open('b', 'iframe.html')).toEqual([200, 'text/html; charset=utf-8', '<p>b</p>']);
});

test('a closed server does not answer', async () => {
  const own = createStorybookServers();
  const base = await own.baseURLOf(join(root, 'a'));
  await own.close();
  await expect(fetch(base)).rejects.toThrow('fetch failed');
});

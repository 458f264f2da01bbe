import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { SeenLoad } from '../../../src/model/capture.js';
import { answerFor, createFolderServers, type FolderServer } from '../../../src/reuse/folder-servers.js';
import type { ReusableShot } from '../../../src/reuse/project-reuse.js';
import { openReuseCache } from '../../../src/reuse/reuse-cache.js';
import { createShotReuse, readPageInputs } from '../../../src/reuse/shot-reuse.js';
import { makeTempFolder } from '../temp-folder.js';
import { SERVER, STORED } from './specimens.js';

let folder: string;

beforeEach(() => {
  folder = makeTempFolder();
});

const PARTS = { version: '1', settings: 's', environment: 'e' };

/** The digests of the site, by path. */
type Site = Readonly<Record<string, string>>;

const SITE: Site = { '/': '1', '/a.css': '2' };

function open(changes: Partial<ReusableShot> = {}, site: Site = SITE, verify = 0) {
  const source = { ...SERVER, digestOf: (path: string) => site[path] ?? 'missing' };
  const shot = { ...{ project: 'chromium', id: 'pricing', captureReason: null }, parts: PARTS, source, ...changes };
  return createShotReuse(shot, { cache: openReuseCache(folder), verify, run: 'commit', prunes: () => true });
}

async function store(baseline = 'b', site: Site = SITE) {
  const inputs = Object.entries(site).map(([path, digest]) => ({ path, digest }));
  await open().store(inputs, baseline, STORED);
}

describe('a shot', () => {
  test.each<[what: string, changes: Partial<ReusableShot>, site: Site, why: RegExp]>([
    ['an input changed', {}, { ...SITE, '/a.css': '3' }, /^\/a\.css changed$/],
    ['its settings changed', { parts: { ...PARTS, settings: 't' } }, SITE, /^its settings changed$/],
    ['the environment changed', { parts: { ...PARTS, environment: 'f' } }, SITE, /^the browser, its options/],
    ['the tool changed', { parts: { ...PARTS, version: '2' } }, SITE, /another version of proofsheet/],
    ['it can never be reused', { source: 'it has credentials' }, SITE, /^it has credentials$/],
    ['the run captures', { captureReason: 'the run updates baselines' }, SITE, /^the run updates baselines$/],
    ['it is another shot', { id: 'other' }, SITE, /^no capture of it is known$/],
    ['it is in another project', { project: 'firefox' }, SITE, /^no capture of it is known$/],
  ])('is captured if %s', async (_, changes, site, why) => {
    await store();
    expect(open(changes, site).decide('b')).toMatch(why);
  });

  test('is reused with any of its earlier captures, unless its baseline changed', async () => {
    await store();
    expect(open().decide('c')).toBe('its baseline changed');
    await store('b', { '/': 'branch' });
    expect(open().decide('b')).toEqual(STORED);
    expect(open({}, { '/': 'branch' }).decide('b')).toEqual(STORED);
  });

  test('is verified if it was chosen, and only that removes its captures', async () => {
    await store();
    const [reused, verifying] = [open(), open({}, SITE, 1)];
    expect(verifying.verifiedSince()).toBeNull();
    expect([reused, verifying].map((reuse) => reuse.decide('b'))).toEqual([STORED, 'it was chosen to be verified']);
    expect([reused, verifying].map((reuse) => reuse.verifiedSince())).toEqual([null, '2026-11-20']);
    await reused.removeVerified();
    expect(open().decide('b')).toEqual(STORED);
    await verifying.removeVerified();
    expect(open().decide('b')).toBe('no capture of it is known');
  });

  test('is captured for the reason of its last capture, if that cannot be reused', async () => {
    await open().store('it sends a POST request to /api', 'b', STORED);
    expect(open().decide('b')).toBe('it sends a POST request to /api');
    await store();
    expect(open({ parts: { ...PARTS, settings: 't' } }).decide('b')).toBe('its settings changed');
  });
});

describe('the inputs of a page', () => {
  const servers = createFolderServers();
  let server: FolderServer;

  beforeEach(async () => {
    writeFileSync(join(folder, 'a.js'), 'one');
    server = await servers.open({ folder, base: '/', fallback: null });
  });
  afterAll(() => servers.close());

  const at = (path: string) => new URL(path, server.url).href;
  const loadOf = (urls: readonly string[], channels: string[] = [], method = 'GET'): SeenLoad => ({
    ...{ requests: urls.map((url) => ({ method, url })), channels },
  });
  /** Returns the paths of the inputs, or why they are unknown. */
  const readPaths = (...loads: SeenLoad[]) => {
    const inputs = readPageInputs(loads, server);
    return typeof inputs === 'string' ? inputs : inputs.map(({ path }) => path);
  };

  test('are the paths that the server was asked for, and those that only the browser knows, without data of the page itself', async () => {
    await fetch(at('b.css?version=2'));
    const own = ['data:image/png;base64,AA', `blob:${server.url}1`, 'about:blank'];
    expect(readPaths(loadOf([at('/'), at('a.js#part'), ...own]))).toEqual(['/', '/a.js', '/b.css']);
    expect(readPaths(loadOf([at('/')]))).toEqual(['/']);
  });

  test('have the digest of what the server sent', async () => {
    const sent = answerFor(server, '/a.js').digest;
    await fetch(at('a.js'));
    writeFileSync(join(folder, 'a.js'), 'changed after the capture');
    const inputs = [{ path: '/a.js', digest: sent }];
    expect(readPageInputs([loadOf([at('a.js')])], server)).toEqual(inputs);
  });

  test('are unknown with data from elsewhere, without a record, if the loads differ, or if a file changed meanwhile', async () => {
    for (const other of ['https://cdn.test/a.js', 'file:///etc/hosts'])
      expect(readPaths(loadOf([other]))).toBe(`it requests ${other}, which the run does not serve`);
    expect(readPaths(loadOf([at('/')], [], 'POST'))).toBe('it sends a POST request to /');
    expect(readPaths(loadOf([at('/')], ['a WebSocket']))).toBe('it uses a WebSocket');
    expect(readPaths()).toMatch(/no load/);
    expect(readPaths(loadOf([at('/')]), loadOf([at('/'), at('a.js')]))).toMatch(/not each loads \/a\.js/);
    await fetch(at('a.js'));
    writeFileSync(join(folder, 'a.js'), 'other');
    await fetch(at('a.js'));
    expect(readPaths(loadOf([at('a.js')]))).toBe('/a.js changed while the page was captured');
  });

  test('are unknown for a shot that can never be reused', () => {
    const reason = 'it has credentials';
    expect(open({ source: reason }).readInputs()).toBe(reason);
  });
});

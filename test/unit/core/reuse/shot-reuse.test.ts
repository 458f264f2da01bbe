import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openReuseCache } from '../../../../src/baselines/reuse-cache.js';
import type { RunInputs } from '../../../../src/core/reuse/run-inputs.js';
import { createShotReuse, type ReusableShot, readAhead } from '../../../../src/core/reuse/shot-reuse.js';
import { shotOf } from '../../report/specimens.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofsheet-reuse-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SHOT: ReusableShot = {
  ...{ project: 'chromium', id: 'pricing', obstacle: null, captureReason: null, language: null, servedOrigin: null },
  parts: { version: '1', settings: 's', environment: 'e' },
};

/** The digests of the site, by URL. */
type Site = Readonly<Record<string, string | null>>;

const SITE: Site = { 'http://a/': '1', 'http://a/a.css': '2' };

function open(changes: Partial<ReusableShot> = {}, site: Site = SITE, verify = 0) {
  const inputs: RunInputs = {
    readDigests: async (known) => known.map(({ url }) => site[url] ?? null),
    describe: async () => ({ kind: 'unknown', reason: 'not asked' }),
  };
  const run = { cache: openReuseCache(folder), inputs, verify, run: 'commit', prunes: () => true };
  const shot = { ...SHOT, ...changes };
  return createShotReuse(shot, run, readAhead(shot, run));
}

async function store(baseline = 'b', site: Site = SITE) {
  const inputs = Object.entries(site).map(([url, digest]) => ({ url, headers: {}, digest: digest ?? '', etag: null }));
  await open().store({ kind: 'known', inputs, uses: ['the clock'] }, baseline, shotOf());
}

const PARTS = SHOT.parts;

describe('a shot', () => {
  test('is reused if nothing changed', async () => {
    await store();
    const decision = await open().decide('b');
    expect(decision.kind === 'reuse' && decision.entry.record.id).toBe('pricing');
  });

  test.each<[what: string, changes: Partial<ReusableShot>, site: Site, why: RegExp]>([
    ['an input changed', {}, { ...SITE, 'http://a/a.css': '3' }, /^http:\/\/a\/a\.css changed$/],
    ['an input cannot be fetched', {}, { ...SITE, 'http://a/a.css': null }, /a\.css cannot be fetched/],
    ['its settings changed', { parts: { ...PARTS, settings: 't' } }, SITE, /^its settings changed$/],
    ['the environment changed', { parts: { ...PARTS, environment: 'f' } }, SITE, /^the browser, its options/],
    ['the tool changed', { parts: { ...PARTS, version: '2' } }, SITE, /another version of proofsheet/],
    ['it can never be reused', { obstacle: 'it has credentials' }, SITE, /^it has credentials$/],
    ['the run captures', { captureReason: 'the run updates baselines' }, SITE, /^the run updates baselines$/],
    ['it is another shot', { id: 'other' }, SITE, /^no capture of it is known$/],
    ['it is in another project', { project: 'firefox' }, SITE, /^no capture of it is known$/],
  ])('is captured if %s', async (_, changes, site, why) => {
    await store();
    const decision = await open(changes, site).decide('b');
    expect(decision.kind === 'capture' && decision.why).toMatch(why);
  });

  test('is captured if its baseline changed', async () => {
    await store();
    const decision = await open().decide('c');
    expect(decision.kind === 'capture' && decision.why).toBe('its baseline changed');
  });

  test('is reused with any of its earlier captures', async () => {
    await store();
    await store('b', { 'http://a/': 'branch' });
    expect((await open().decide('b')).kind).toBe('reuse');
    expect((await open({}, { 'http://a/': 'branch' }).decide('b')).kind).toBe('reuse');
  });

  test('is verified if it was chosen', async () => {
    await store();
    const decision = await open({}, SITE, 1).decide('b');
    expect(decision.kind === 'verify' && decision.entry.uses).toEqual(['the clock']);
  });

  test('of a server that the run starts is reused on another port', async () => {
    const at = (port: number) => `http://127.0.0.1:${port}`;
    const own = { servedOrigin: at(4001) };
    const input = { url: `${at(4001)}/iframe.html`, headers: { referer: `${at(4001)}/` }, digest: '1', etag: null };
    await open(own).store({ kind: 'known', inputs: [input], uses: [] }, 'b', shotOf());
    const later = { servedOrigin: at(4002) };
    expect((await open(later, { [`${at(4002)}/iframe.html`]: '1' }).decide('b')).kind).toBe('reuse');
    const changed = await open(later, { [`${at(4002)}/iframe.html`]: '2' }).decide('b');
    expect(changed.kind === 'capture' && changed.why).toBe(`${at(4002)}/iframe.html changed`);
  });

  test('is captured once its captures were dropped', async () => {
    await store();
    await open().drop();
    expect((await open().decide('b')).kind).toBe('capture');
  });

  test('is captured for the reason of its last capture, if that cannot be reused', async () => {
    await open().store({ kind: 'unknown', reason: 'it sends a POST request to /api' }, 'b', shotOf());
    const decision = await open().decide('b');
    expect(decision.kind === 'capture' && decision.why).toBe('it sends a POST request to /api');
  });
});

test('the inputs of a shot that can never be reused are not fetched', async () => {
  expect(await open({ obstacle: 'it has credentials' }).readInputs()).toEqual({
    kind: 'unknown',
    reason: 'it has credentials',
  });
});

describe('before the test of a shot begins', () => {
  const request = async (shot: Pick<ReusableShot, 'project' | 'id'>) => {
    const urls: string[] = [];
    const readDigests: RunInputs['readDigests'] = async (known) => {
      urls.push(...known.map(({ url }) => url));
      return [];
    };
    const inputs: RunInputs = { readDigests, describe: async () => ({ kind: 'unknown', reason: 'not asked' }) };
    await readAhead(shot, { cache: openReuseCache(folder), inputs });
    return urls;
  };

  test('the inputs of its last capture are requested', async () => {
    await store();
    expect(await request(SHOT)).toEqual(Object.keys(SITE));
  });

  test('nothing is requested without an earlier capture, or of a server that only the run has', async () => {
    const input = { url: 'http://127.0.0.1:4001/', headers: {}, digest: '1', etag: null };
    const known = { kind: 'known', inputs: [input], uses: [] } as const;
    await open({ id: 'story', servedOrigin: 'http://127.0.0.1:4001' }).store(known, 'b', shotOf());
    expect(await request({ ...SHOT, id: 'story' })).toEqual([]);
    expect(await request({ ...SHOT, id: 'unknown' })).toEqual([]);
  });
});

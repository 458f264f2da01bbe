import { beforeEach, describe, expect, test } from 'vitest';
import type { ReusableShot } from '../../../src/reuse/project-reuse.js';
import { openReuseCache } from '../../../src/reuse/reuse-cache.js';
import { createShotReuse } from '../../../src/reuse/shot-reuse.js';
import { makeTempFolder } from '../temp-folder.js';
import { SERVER, STORED } from './specimens.js';

let folder: string;

beforeEach(() => {
  folder = makeTempFolder();
});

const SHOT: ReusableShot = {
  ...{ project: 'chromium', id: 'pricing', source: SERVER, captureReason: null },
  parts: { version: '1', settings: 's', environment: 'e' },
};

/** The digests of the site, by path. */
type Site = Readonly<Record<string, string>>;

const SITE: Site = { '/': '1', '/a.css': '2' };

function open(changes: Partial<ReusableShot> = {}, site: Site = SITE, verify = 0) {
  const source = { ...SERVER, digestOf: (path: string) => site[path] ?? 'missing' };
  const run = { cache: openReuseCache(folder), verify, run: 'commit', prunes: () => true };
  return createShotReuse({ ...SHOT, source, ...changes }, run);
}

async function store(baseline = 'b', site: Site = SITE) {
  const inputs = Object.entries(site).map(([path, digest]) => ({ path, digest }));
  await open().store({ kind: 'known', inputs }, baseline, STORED);
}

const PARTS = SHOT.parts;

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
    await open().store({ kind: 'unknown', reason: 'it sends a POST request to /api' }, 'b', STORED);
    expect(open().decide('b')).toBe('it sends a POST request to /api');
    await store();
    expect(open({ parts: { ...PARTS, settings: 't' } }).decide('b')).toBe('its settings changed');
  });
});

test('a shot that can never be reused has no inputs', () => {
  const reason = 'it has credentials';
  expect(open({ source: reason }).readInputs()).toEqual({ kind: 'unknown', reason });
});

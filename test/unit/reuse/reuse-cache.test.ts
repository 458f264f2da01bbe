import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isVerified, keyOf, openReuseCache, type ReuseEntry } from '../../../src/reuse/reuse-cache.js';
import { STORED } from './specimens.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proofsheet-cache-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => openReuseCache(folder);

function entryOf(digest: string): ReuseEntry {
  return {
    parts: { version: '1', settings: 's', environment: 'e', baseline: 'b' },
    inputs: [{ path: '/', digest }],
    stored: STORED,
  };
}

async function write(shot: string, digest: string): Promise<string> {
  const entry = entryOf(digest);
  const key = keyOf(entry.parts, entry.inputs);
  await open().write(shot, key, entry);
  return key;
}

/** Dates an entry back. */
function age(shot: string, key: string, seconds: number): void {
  const at = Date.now() / 1000 - seconds;
  utimesSync(join(folder, 'v3', shot, `${key}.json`), at, at);
}

const digestsOf = async (shot: string) => (await open().read(shot)).map(({ entry }) => entry.inputs[0]?.digest);

describe('the cache', () => {
  test('returns the entries of a shot, the last used first', async () => {
    const [one, two] = [await write('shot', '1'), await write('shot', '2')];
    await write('other', '3');
    age('shot', one, 10);
    age('shot', two, 20);
    expect(await digestsOf('shot')).toEqual(['1', '2']);
    await open().markUsed('shot', two);
    expect(await digestsOf('shot')).toEqual(['2', '1']);
  });

  test('is empty if it does not exist', async () => {
    expect(await open().read('shot')).toEqual([]);
    await open().markUsed('shot', 'none');
    await open().remove('shot');
    await open().prune(0);
  });

  test('takes no damaged, renamed or foreign entry for an entry', async () => {
    const key = await write('shot', '1');
    const path = join(folder, 'v3', 'shot', `${key}.json`);
    const text = readFileSync(path, 'utf8');
    for (const content of [
      '',
      text.slice(0, 100),
      text.replace('"digest":"1"', '"digest":"2"'),
      JSON.stringify(entryOf('1')),
      text.replace('"baseline":"b"', '"baseline":"c"'),
    ]) {
      writeFileSync(path, content);
      expect(await open().read('shot')).toEqual([]);
    }
    rmSync(path);
    writeFileSync(join(folder, 'v3', 'shot', `${'0'.repeat(64)}.json`), text);
    mkdirSync(join(folder, 'v3', 'shot', 'folder.json'));
    expect(await open().read('shot')).toEqual([]);
  });

  test('keeps the last eight entries of a shot', async () => {
    for (let count = 0; count < 12; count++) age('shot', await write('shot', String(count)), 100 - count);
    expect(await digestsOf('shot')).toEqual(['11', '10', '9', '8', '7', '6', '5', '4']);
  });

  test('drops the entries of one shot', async () => {
    await write('shot', '1');
    await write('other', '2');
    await open().remove('shot');
    expect([await digestsOf('shot'), await digestsOf('other')]).toEqual([[], ['2']]);
  });

  test('removes what was not used for the longest time when it is too large', async () => {
    const keys = [await write('one', '1'), await write('two', '2'), await write('three', '3')];
    for (const [index, shot] of ['one', 'two', 'three'].entries()) age(shot, keys[index] ?? '', index);
    const { length } = readFileSync(join(folder, 'v3', 'one', `${keys[0]}.json`));
    await open().prune(2.5 * length);
    expect([await digestsOf('one'), await digestsOf('two'), await digestsOf('three')]).toEqual([['1'], ['2'], []]);
  });

  test('removes what killed processes left behind', async () => {
    await write('shot', '1');
    writeFileSync(join(folder, 'v3', 'shot', '.proofsheet-00000000-1-00000000.tmp'), 'half');
    utimesSync(join(folder, 'v3', 'shot', '.proofsheet-00000000-1-00000000.tmp'), 0, 0);
    expect(await digestsOf('shot')).toEqual(['1']);
    await open().prune(1e9);
    expect(readdirSync(join(folder, 'v3', 'shot'))).toHaveLength(1);
  });

  test('stays whole when several processes write at the same time', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => write('shot', String(index % 4))));
    expect((await digestsOf('shot')).sort()).toEqual(['0', '1', '2', '3']);
  });

  test('knows the environment of a browser that ran', async () => {
    const browser = { browser: 'chromium', browserVersion: '1', headless: 'shell' } as const;
    const environment = { os: 'linux', arch: 'x64', ...browser, scale: 1, fonts: null, engine: 'pixelmatch 7.2.0' };
    expect(await open().readEnvironment('machine')).toBeNull();
    await open().writeEnvironment('machine', environment);
    expect(await open().readEnvironment('machine')).toEqual(environment);
    writeFileSync(join(folder, 'v3', 'environments', 'machine.json'), '{');
    expect(await open().readEnvironment('machine')).toBeNull();
  });

  test('says why the last capture is not in it, until there is one', async () => {
    expect(await open().readReason('shot')).toBeNull();
    await open().writeReason('shot', 'it sends a POST request');
    expect(await open().readReason('shot')).toBe('it sends a POST request');
    await write('shot', '1');
    expect(await open().readReason('shot')).toBeNull();
  });
});

const parts = { version: '1', settings: 's', environment: 'e', baseline: 'b' };
const inputOf = (path: string, digest = '1') => ({ path, digest });

describe('the key of a capture', () => {
  test('does not depend on the order of the inputs', () => {
    expect(keyOf(parts, [inputOf('/a'), inputOf('/b')])).toBe(keyOf(parts, [inputOf('/b'), inputOf('/a')]));
  });

  test.each(['version', 'settings', 'environment', 'baseline'] as const)('depends on the %s', (part) => {
    expect(keyOf({ ...parts, [part]: 'other' }, [])).not.toBe(keyOf(parts, []));
  });

  test('depends on each digest, on each path, and on the number of inputs', () => {
    const key = keyOf(parts, [inputOf('/a')]);
    expect(keyOf(parts, [inputOf('/a', '2')])).not.toBe(key);
    expect(keyOf(parts, [inputOf('/b')])).not.toBe(key);
    expect(keyOf(parts, [inputOf('/a'), inputOf('/b')])).not.toBe(key);
  });
});

describe('the choice of verified shots', () => {
  const shots = Array.from({ length: 2000 }, (_, index) => ({ project: 'chromium', id: `page-${index}` }));
  const chosen = (share: number, run: string) => shots.filter((shot) => isVerified(share, run, shot)).length;

  test('is close to the share', () => {
    expect(chosen(0.05, 'commit') / shots.length).toBeGreaterThan(0.035);
    expect(chosen(0.05, 'commit') / shots.length).toBeLessThan(0.065);
  });

  test('is none at 0, and all at 1', () => {
    expect(chosen(0, 'commit')).toBe(0);
    expect(chosen(1, 'commit')).toBe(shots.length);
  });

  test('is the same for each run of a commit, and another one for another commit', () => {
    const idsOf = (run: string) => shots.filter((shot) => isVerified(0.05, run, shot)).map(({ id }) => id);
    expect(idsOf('one')).toEqual(idsOf('one'));
    expect(idsOf('one')).not.toEqual(idsOf('two'));
  });
});

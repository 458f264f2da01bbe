import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { isVerified, openReuseCache, type ReuseEntry } from '../../../src/reuse/reuse-cache.js';
import { ENVIRONMENT } from '../report/specimens.js';
import { makeTempFolder } from '../temp-folder.js';
import { STORED } from './specimens.js';

let folder: string;

beforeEach(() => {
  folder = makeTempFolder();
});

const open = () => openReuseCache(folder);

function entryOf(digest: string): ReuseEntry {
  return {
    parts: { version: '1', settings: 's', environment: 'e', baseline: 'b' },
    inputs: [{ path: '/', digest }],
    stored: STORED,
  };
}

const write = (shot: string, digest: string) => open().add(shot, entryOf(digest));

const pathOf = (shot: string) => join(folder, 'v4', `${shot}.json`);

const digestsOf = (shot: string) =>
  open()
    .read(shot)
    .entries.map(({ inputs }) => inputs[0]?.digest);

describe('the cache', () => {
  test('returns the last eight entries of a shot, the last one first, and each once, until they are removed', async () => {
    for (const digest of ['1', '2', '3', '2']) await write('shot', digest);
    await write('other', '4');
    expect(digestsOf('shot')).toEqual(['2', '3', '1']);
    for (const digest of ['5', '6', '7', '8', '9', '10']) await write('shot', digest);
    expect(digestsOf('shot')).toEqual(['10', '9', '8', '7', '6', '5', '2', '3']);
    await open().remove('shot');
    expect([digestsOf('shot'), digestsOf('other')]).toEqual([[], ['4']]);
  });

  test('is empty if it does not exist', async () => {
    open().markUsed('shot');
    await Promise.all([open().remove('shot'), open().prune(0)]);
    expect(open().read('shot')).toEqual({ entries: [], reason: null });
  });

  test('takes no damaged, renamed or foreign file for entries', async () => {
    await write('shot', '1');
    const text = readFileSync(pathOf('shot'), 'utf8');
    for (const content of [
      '',
      text.slice(0, 100),
      text.replace('"digest":"1"', '"digest":"2"'),
      JSON.stringify(entryOf('1')),
      text.replace('"baseline":"b"', '"baseline":"c"'),
    ]) {
      writeFileSync(pathOf('shot'), content);
      expect(digestsOf('shot')).toEqual([]);
    }
    rmSync(pathOf('shot'));
    writeFileSync(pathOf('other'), text);
    mkdirSync(pathOf('folder'));
    expect([digestsOf('other'), digestsOf('folder')]).toEqual([[], []]);
  });

  test('removes what was not used for the longest time when it is too large, and what killed processes left behind', async () => {
    for (const [index, shot] of ['one', 'two', 'three'].entries()) {
      await write(shot, String(index));
      const at = Date.now() / 1000 - 10 - index;
      utimesSync(pathOf(shot), at, at);
    }
    open().markUsed('three');
    const left = join(folder, 'v4', '.proofsheet-00000000-1-00000000.tmp');
    writeFileSync(left, 'half');
    utimesSync(left, 0, 0);
    await open().prune(2.5 * readFileSync(pathOf('one')).length);
    expect(readdirSync(join(folder, 'v4')).sort()).toEqual(['one.json', 'three.json']);
    expect([digestsOf('one'), digestsOf('three')]).toEqual([['0'], ['2']]);
  });

  test('knows the environment of a browser that ran', async () => {
    expect(await open().readEnvironment('machine')).toBeNull();
    await open().writeEnvironment('machine', ENVIRONMENT);
    expect(await open().readEnvironment('machine')).toEqual(ENVIRONMENT);
    writeFileSync(pathOf('environment-machine'), '{');
    expect(await open().readEnvironment('machine')).toBeNull();
  });
});

test('the choice of verified shots has the share, is the same for each run of a commit, and another one for another commit', () => {
  const shots = Array.from({ length: 2000 }, (_, index) => ({ project: 'chromium', id: `page-${index}` }));
  const chosen = (share: number, run: string) => shots.filter((shot) => isVerified(share, run, shot));
  expect([0, 1].map((share) => chosen(share, 'one').length)).toEqual([0, 2000]);
  expect(Math.abs(chosen(0.05, 'one').length - 100)).toBeLessThan(30);
  expect(chosen(0.05, 'one')).toEqual(chosen(0.05, 'one'));
  expect(chosen(0.05, 'one')).not.toEqual(chosen(0.05, 'two'));
});

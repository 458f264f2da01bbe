import { lstat, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markRejections, readRejections, storeRejections } from '../../../src/run/rejections.js';
import { runOf, shotOf } from '../report/specimens.js';
import { makeTempFolder } from '../temp-folder.js';

const rejection = { by: 'Ann', at: '2026-11-27T10:00:00.000Z', reason: 'the price must stay' };
const image = (sha: string) => ({ link: null, width: 8, height: 6, source: 'http://localhost/', sha256: sha });
const shot = (id: string, sha: string) => shotOf({ id, page: id, status: 'changed', after: image(sha) });
const rejected = (id: string) => ({ ...shot(id, 'a'), decision: 'rejected' as const, rejection });
const idsIn = async (root: string) => (await readRejections(root)).map(({ id }) => id);

test('a change that was rejected is marked while it comes again unchanged, also after several runs', async () => {
  const root = makeTempFolder();
  expect(await storeRejections(root, runOf(['same', 'other', 'fine'].map(rejected)))).toBeNull();
  const next = [
    shot('same', 'a'),
    shot('other', 'b'),
    { ...shot('fine', 'a'), status: 'passed' as const },
    shot('added', 'a'),
  ];
  for (const _ of ['second run', 'third run']) {
    const run = markRejections(runOf(next), await readRejections(root));
    expect(run.shots.map((one) => one.rejection)).toEqual([rejection, undefined, undefined, undefined]);
    expect(run.shots[0]?.decision).toBeNull();
    await storeRejections(root, run);
    expect(await idsIn(root), 'those that did not come again are removed').toEqual(['same']);
  }
  await storeRejections(root, runOf([shot('elsewhere', 'a')]));
  expect(await idsIn(root), 'a run that does not test the shot').toEqual(['same']);
  await storeRejections(root, runOf(next));
  await expect(readFile(join(root, 'proofsheet-rejections.json')), 'without rejections').rejects.toThrow('ENOENT');
});

test('a file of a branch is untrusted: a damaged one has no rejections, and nothing is written through a link', async () => {
  const root = makeTempFolder();
  const [path, other] = [join(root, 'proofsheet-rejections.json'), join(root, 'other')];
  for (const text of ['', '{}', '[{ "id": "home" }]']) {
    await writeFile(other, text);
    await symlink(other, path).catch(() => {});
    expect(await readRejections(root)).toEqual([]);
  }
  expect(await storeRejections(root, runOf([rejected('home')]))).toBeNull();
  expect((await lstat(path)).isFile()).toBe(true);
  expect(await readFile(other, 'utf8')).toBe('[{ "id": "home" }]');
  expect(await storeRejections(join(root, 'other'), runOf([rejected('home')]))).toContain('cannot be written');
});

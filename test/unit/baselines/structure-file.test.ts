import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import {
  createBaseline,
  readBaseline,
  removeBaseline,
  removeUnusedStructures,
  sha256,
  writeBaseline,
} from '../../../src/baselines/baseline.js';
import type { BaselineRecord } from '../../../src/model/environment.js';
import { BUILT, startProgram, writeProgram } from './programs.js';

const record: BaselineRecord = {
  ...{ schemaVersion: 2, id: 'home', project: '', masks: [], ignored: [] },
  environment: {
    ...{ os: 'linux', arch: 'x64', browser: 'chromium', browserVersion: '1', headless: 'shell' },
    ...{ scale: 1, fonts: null, engine: 'pixelmatch 7.2.0' },
  },
};
const jpeg = await readFile(new URL('../../../fixtures/images/chromium.jpg', import.meta.url));
/** Larger than a quarter of the image, so that they are files of their own. */
const [ONE, OTHER] = ['one', 'other'].map((word) => Buffer.from(word.repeat(jpeg.length)));

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proofsheet-structure-'));
  path = join(folder, 'home.jpg');
});

const write = (structure: Buffer | null = null, place = path) =>
  writeBaseline(place, createBaseline(jpeg, record, 'home', structure), 'home.jpg');
const nameOf = (structure = Buffer.alloc(0), baseline = 'home.jpg') =>
  `${baseline}.${sha256(structure).slice(0, 12)}.structure`;
const names = async () => (await readdir(folder)).sort();

async function structureOnDisk(place = path): Promise<Buffer | null> {
  const baseline = await readBaseline(place, 'jpg', 'home.jpg');
  if (baseline.kind !== 'image') throw new Error(`not an image: ${baseline.kind}`);
  expect(baseline.image.bytes.equals(jpeg)).toBe(true);
  return baseline.structure;
}

test('a structure file is written with its baseline, replaced with it, and removed with it', async () => {
  await write(ONE);
  expect(await names()).toEqual(['home.jpg', nameOf(ONE)]);
  expect(await structureOnDisk()).toEqual(ONE);
  await write(OTHER);
  expect(await names()).toEqual(['home.jpg', nameOf(OTHER)]);
  expect(await structureOnDisk()).toEqual(OTHER);
  await write();
  expect(await names()).toEqual(['home.jpg']);
  await write(ONE);
  await removeBaseline(path);
  expect(await names()).toEqual([]);
});

test('a baseline leaves the structures of others alone', async () => {
  const others = [join(folder, 'home.jpg.jpg'), join(folder, 'away-home.jpg')];
  for (const other of others) await write(ONE, other);
  await writeFile(join(folder, 'home.jpg.notes.structure'), 'mine');
  await write(ONE);
  await removeBaseline(path);
  for (const other of others) expect(await structureOnDisk(other)).toEqual(ONE);
  expect(await names()).toContain('home.jpg.notes.structure');
});

test('a structure that is missing, damaged or of another image is no structure', async () => {
  await write(ONE);
  const file = join(folder, nameOf(ONE));
  await writeFile(file, ONE?.subarray(1) ?? '');
  expect(await structureOnDisk()).toBeNull();
  await writeFile(file, 'version https://git-lfs.github.com/spec/v1\n');
  expect(await structureOnDisk()).toBeNull();
  await rm(file);
  expect(await structureOnDisk()).toBeNull();
  // The structure of another image under the name of this one.
  await writeFile(file, OTHER ?? '');
  expect(await structureOnDisk()).toBeNull();
  // Another image under the name of this one.
  await write(ONE);
  await write(OTHER, join(folder, 'other.jpg'));
  await rename(join(folder, 'other.jpg'), path);
  expect(await structureOnDisk()).toBeNull();
});

test('a write that fails leaves the old baseline with its structure', async () => {
  await write(ONE);
  await mkdir(join(folder, nameOf(OTHER)));
  await expect(write(OTHER)).rejects.toMatchObject({ code: 'baseline-unwritable' });
  expect(await structureOnDisk()).toEqual(ONE);
});

test('structures that no baseline names are removed, except new ones and those of unreadable images', async () => {
  const old = new Date('2026-11-01');
  const lay = async (name: string, time = old) => {
    await writeFile(join(folder, name), 'left');
    await utimes(join(folder, name), time, time);
  };
  await write(ONE);
  await utimes(join(folder, nameOf(ONE)), old, old);
  // A killed write left the first; the image of the second was deleted; the others stay.
  for (const name of [nameOf(OTHER), nameOf(ONE, 'deleted.png'), nameOf(ONE, 'pointer.jpg')]) await lay(name);
  await lay(nameOf(Buffer.from('new')), new Date('2026-11-03'));
  await writeFile(join(folder, 'pointer.jpg'), 'version https://git-lfs.github.com/spec/v1\n');
  await removeUnusedStructures(folder, Date.parse('2026-11-02'));
  expect(await names()).toEqual(
    ['home.jpg', nameOf(ONE), nameOf(Buffer.from('new')), 'pointer.jpg', nameOf(ONE, 'pointer.jpg')].sort(),
  );
});

test('processes that write one baseline at the same time leave the structure of the image that stays', async () => {
  const rounds = 60;
  const program = writeProgram(
    `import { createBaseline, writeBaseline } from '${BUILT}/baselines/baseline.js';
     import { readFileSync } from 'node:fs';
     const [, , folder, image, word, start] = process.argv;
     const bytes = readFileSync(image);
     const files = createBaseline(bytes, ${JSON.stringify(record)}, 'home', Buffer.from(word.repeat(bytes.length)));
     for (let round = 0; round < ${rounds}; round++) {
       while (Date.now() < Number(start) + round * 25) await new Promise((resolve) => setImmediate(resolve));
       await writeBaseline(folder + '/home-' + round + '.jpg', files, 'home.jpg');
     }`,
  );
  const image = join(folder, 'image');
  await writeFile(image, jpeg);
  const start = String(Date.now() + 1_500);
  const programs = ['one', 'other', 'third'].map((word) => startProgram(program, folder, image, word, start));
  await Promise.all(programs.map(({ output }) => output));
  for (let round = 0; round < rounds; round++) {
    expect(await structureOnDisk(join(folder, `home-${round}.jpg`)), `round ${round}`).not.toBeNull();
  }
  expect(await names(), 'an image and a structure of each').toHaveLength(2 * rounds + 1);
});

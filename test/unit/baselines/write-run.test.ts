import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { StagedImage } from '../../../src/baselines/inline-images.js';
import { readRun } from '../../../src/baselines/read-run.js';
import { writeRun } from '../../../src/baselines/write-run.js';
import { type RunRecord, runRecordSchema } from '../../../src/model/run-record.js';
import { changedOf, runOf, shotOf } from '../report/specimens.js';
import { makeTempFolder } from '../temp-folder.js';
import { endedProcess, nameOfProcess } from './left-behind.js';
import { BUILT, startProgram, writeProgram } from './programs.js';

let home: string;
let folder: string;

beforeEach(() => {
  home = makeTempFolder();
  folder = join(home, 'proofsheet-report');
});

const write = (run: RunRecord, images: readonly StagedImage[] = []) => writeRun(folder, run, images);
const read = (name: string) => readFile(join(folder, name), 'utf8');
const shots = [changedOf()];
const { before, after, diff } = changedOf();
const links = [before?.link ?? '', after?.link ?? '', diff?.link ?? ''];
const bytes = (link: string): StagedImage => ({ link, from: Buffer.from(`bytes of ${link}`) });

test('a run is three files and its images, and its record is complete', async () => {
  const staged = join(home, 'staged.png');
  await writeFile(staged, 'bytes of a file');
  await write(runOf(shots), [{ link: links[0] ?? '', from: staged }, bytes(links[1] ?? ''), bytes(links[2] ?? '')]);
  expect((await readdir(folder)).sort()).toEqual(['index.html', 'results.json', 'screenshots', 'summary.md']);
  expect(await read(links[0] ?? '')).toBe('bytes of a file');
  expect((await stat(join(folder, links[0] ?? ''))).ino, 'it is a hard link').toBe((await stat(staged)).ino);
  expect(await read(links[1] ?? '')).toBe(`bytes of ${links[1]}`);
  expect(runRecordSchema.parse(JSON.parse(await read('results.json')))).toEqual(runOf(shots));
  expect(await readdir(home)).toEqual(expect.arrayContaining(['proofsheet-report', 'staged.png']));
  expect(await readdir(home)).toHaveLength(2);
});

describe('a missing image', () => {
  test('has a null link and a warning, and the run is written', async () => {
    const images = [
      bytes(links[0] ?? ''),
      { link: links[1] ?? '', from: join(home, 'gone.png') },
      { link: links[2] ?? '', from: null },
    ];
    const written = await write(runOf(shots), images);
    const [shot] = written.shots;
    expect(shot).toMatchObject({
      before: { link: links[0] },
      after: { link: null },
      diff: { link: null },
      capture: { link: null },
    });
    expect(shot?.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('the diff image is not in the report: the test result does not contain the image'),
      expect.stringContaining('the after image is not in the report: ENOENT'),
    ]);
    expect(JSON.parse(await read('results.json'))).toEqual(written);
    expect(await read('index.html')).toContain('the after image is not in the report: ENOENT');
  });

  test('of an earlier attempt is reported with the attempt, and the others are in the report', async () => {
    const image = (name: string) => ({ link: `screenshots/127.0.0.1/earlier/${name}.png`, width: 1, height: 1 });
    const earlier = { status: 'changed' as const, after: { ...image('1'), source: '' }, diff: image('diff') };
    const flaky = changedOf({ flaky: true, attempts: [earlier, { status: 'passed' }] });
    const written = await write(runOf([flaky]), [...links.map(bytes), bytes(earlier.diff.link)]);
    const [shot] = written.shots;
    expect(shot?.attempts).toEqual([{ ...earlier, after: { ...earlier.after, link: null } }, { status: 'passed' }]);
    expect(shot?.warnings.map(({ message }) => message)).toEqual([
      'the after image of attempt 1 is not in the report: the test did not attach the image',
    ]);
    expect(await read(earlier.diff.link)).toBe(`bytes of ${earlier.diff.link}`);
  });
});

test('a link out of the folder writes no file', async () => {
  const link = '../../escaped.png';
  const shot = shotOf({ after: { link, width: 1, height: 1, source: '' }, before: null, capture: null });
  const written = await write(runOf([shot]), [bytes(link)]);
  expect(written.shots[0]?.after?.link).toBe(null);
  expect(written.shots[0]?.warnings[0]?.message).toContain('the link points outside the report');
  expect(await readdir(home)).toEqual(['proofsheet-report']);
});

describe('a folder that is not a report', () => {
  const refused = (found: string) =>
    expect(write(runOf(shots))).rejects.toMatchObject({
      code: 'report-unwritable',
      problem: { found: expect.stringContaining(found), advice: expect.stringContaining('Nothing was removed') },
    });

  test.each([
    ['notes.txt', 'the folder contains notes.txt'],
    ['results.json', 'no results.json of proofsheet'],
  ])('is not removed if it has %s of somebody else', async (name, found) => {
    await mkdir(folder);
    await writeFile(join(folder, name), '{"stats":{}}');
    await refused(found);
    expect(await read(name)).toBe('{"stats":{}}');
  });

  test('is not removed if it is a file', async () => {
    await writeFile(folder, 'mine');
    await refused('this is a file; expected a folder');
  });
});

// Not even root can create a folder there. On Windows, /proc is a folder like any other.
test.each(
  process.platform === 'linux'
    ? ['/proc/proofsheet-report', `${process.execPath}/report`]
    : [`${process.execPath}/report`],
)('a folder that cannot be created is named in the error, with its cause and advice: %s', async (place) => {
  await expect(writeRun(place, runOf(shots), [])).rejects.toMatchObject({
    code: 'report-unwritable',
    problem: {
      where: place,
      found: expect.stringMatching(/the report cannot be written \(E[A-Z]+/),
      advice: 'Check the path of the folder, or set outputFolder of proofsheet/reporter.',
    },
  });
});

describe('after a crash', () => {
  test('while writing, the previous run remains and the partial one is replaced', async () => {
    await write(runOf(shots), links.map(bytes));
    const unrenderable = { ...runOf([]), summary: undefined } as unknown as RunRecord;
    await expect(write(unrenderable)).rejects.toThrow('the report cannot be written');
    expect(JSON.parse(await read('results.json')).shots).toHaveLength(1);
    await mkdir(join(folder, nameOfProcess(endedProcess()), 'screenshots'), { recursive: true });
    await write(runOf([]));
    expect(await readdir(home)).toEqual(['proofsheet-report']);
    expect((await readdir(folder)).sort()).toEqual(['index.html', 'results.json', 'summary.md']);
  });

  test('of the first run, which moved some of its images, the next run writes its report', async () => {
    await mkdir(join(folder, nameOfProcess(endedProcess())), { recursive: true });
    const moved = join(folder, 'screenshots', 'localhost', 'killed');
    await mkdir(moved, { recursive: true });
    await writeFile(join(moved, '1.png'), 'moved');
    await write(runOf(shots), links.map(bytes));
    expect((await readdir(folder)).sort()).toEqual(['index.html', 'results.json', 'screenshots', 'summary.md']);
    await expect(stat(moved)).rejects.toThrow('ENOENT');
  });

  test('at any moment, a report is in place that can be read and replaced', { tags: ['slow'] }, async () => {
    const program = writeProgram(
      `import { writeRun } from '${BUILT}/baselines/write-run.js';
       const [, , folder, text] = process.argv;
       const { run, links } = JSON.parse(text);
       console.log('ready');
       for (let count = 0; ; count++) {
         const images = links.map((link) => ({ link, from: Buffer.from('image of ' + process.pid) }));
         await writeRun(folder, { ...run, durationMs: count }, images);
       }`,
    );
    await write(runOf(shots), links.map(bytes));
    const text = JSON.stringify({ run: runOf(shots), links });
    const programs = Array.from({ length: 8 }, () => startProgram(program, folder, text));
    await Promise.all(programs.map(({ child }) => once(child.stdout ?? child, 'data')));
    for (const { child, output } of programs) {
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 30));
      child.kill('SIGKILL');
      await output;
      const { shots: read } = await readRun(folder);
      expect(read[0]?.after?.link).toBe(links[1]);
      for (const link of links) expect(await readFile(join(folder, link), 'utf8')).toMatch(/^(image|bytes) of /);
    }
    await write(runOf(shots), links.map(bytes));
    expect((await readdir(folder)).sort()).toEqual(['index.html', 'results.json', 'screenshots', 'summary.md']);
    expect(await readdir(home)).toEqual(['proofsheet-report']);
  });
});

describe('the folder of the report', () => {
  test('can be a file system of its own, with the folder that such a file system has: it is never renamed', async () => {
    await mkdir(join(folder, 'lost+found'), { recursive: true });
    const { ino } = await stat(folder);
    await write(runOf(shots), links.map(bytes));
    await write(runOf([]));
    expect((await stat(folder)).ino).toBe(ino);
    expect((await readdir(folder)).sort()).toEqual(['index.html', 'lost+found', 'results.json', 'summary.md']);
  });

  test('has no symbolic link after a run: nothing is written or removed through one', async () => {
    await write(runOf(shots), links.map(bytes));
    const outside = join(home, 'outside');
    await mkdir(join(outside, 'photos'), { recursive: true });
    await writeFile(join(outside, 'photos', 'holiday.png'), 'mine');
    for (const path of ['screenshots', dirname(links[0] ?? '')]) {
      await rm(join(folder, path), { recursive: true, force: true });
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await symlink(outside, join(folder, path));
      await write(runOf(shots), links.map(bytes));
      expect(await readdir(outside)).toEqual(['photos']);
      expect(await readdir(join(outside, 'photos'))).toEqual(['holiday.png']);
      expect(await read(links[0] ?? '')).toBe(`bytes of ${links[0]}`);
    }
  });
});

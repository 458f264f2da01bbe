import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { renameOver, replaceFile, sweep } from '../../../src/baselines/atomic-write.js';
import { isTemporary, temporaryName } from '../../../src/baselines/locks.js';
import { makeTempFolder } from '../temp-folder.js';
import { endedProcess, leaveBehind, nameOfProcess } from './left-behind.js';

let folder: string;

beforeEach(() => {
  folder = makeTempFolder();
});

const put = (name: string) => writeFile(join(folder, name), 'bytes');
const age = (name: string, minutes: number) => {
  const then = new Date(Date.now() - minutes * 60_000);
  return utimes(join(folder, name), then, then);
};
/** As another machine names it, whose processes nobody here can ask. */
const nameElsewhere = (pid: number) => nameOfProcess(pid).replace(/(?<=^\.proofsheet-)[\da-f]{8}/, '00000000');

test('files of a running process remain, here or on another machine; those of a killed one, and those unchanged for an hour, are removed', async () => {
  await leaveBehind(folder);
  const [own, elsewhere] = [temporaryName(), nameElsewhere(endedProcess())];
  for (const name of [own, elsewhere]) {
    await put(name);
    await age(name, 50);
  }
  await sweep([folder]);
  expect((await readdir(folder)).sort()).toEqual([own, elsewhere].sort());
  await age(elsewhere, 70);
  await age(own, 70);
  await sweep([folder]);
  expect(await readdir(folder)).toEqual([]);
});

test("nothing that is somebody else's is swept away, however it is called, and no folder", async () => {
  const gone = nameOfProcess(endedProcess());
  const others = [
    ...['home.png', '.home.png.0123456789ab.tmp', '.proofsheet-report.partial', `${gone}.bak`, gone.slice(1), 'x.tmp'],
    ...['.proofsheet-0123456-1-01234567.tmp', '.proofsheet-01234567-x-01234567.tmp', '.proofsheet.tmp'],
  ];
  for (const name of others) {
    await put(name);
    await age(name, 600);
  }
  await mkdir(join(folder, gone));
  await sweep([folder, join(folder, 'nowhere')]);
  expect((await readdir(folder)).sort()).toEqual([...others, gone].sort());
});

test('a file is written under such a name, which no file has when it is there', async () => {
  expect(isTemporary(temporaryName())).toBe(true);
  expect(temporaryName()).not.toBe(temporaryName());
  const path = join(folder, `${'ä'.repeat(120)}.png`);
  await replaceFile(path, 'whole');
  expect(await readFile(path, 'utf8')).toBe('whole');
  expect(await readdir(folder)).toHaveLength(1);
});

test('on Windows, a file that another process has open is replaced once it is closed; elsewhere, the error is final', () => {
  const opened = Object.assign(new Error('it is open'), { code: 'EPERM' });
  const full = Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
  let tries = 0;
  const rename = () => {
    tries++;
    if (tries < 3) throw opened;
  };
  const renameOn = (platform: NodeJS.Platform, work: () => void) => () => renameOver('a', 'b', work, platform);
  renameOn('win32', rename)();
  expect(tries).toBe(3);
  tries = 0;
  expect(renameOn('linux', rename)).toThrow('it is open');
  expect(tries).toBe(1);
  const fail = () => {
    throw full;
  };
  expect(renameOn('win32', fail)).toThrow('the disk is full');
});

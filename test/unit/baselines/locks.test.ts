import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { acquireLock, isLockFile, removeAbandoned, withLock } from '../../../src/baselines/locks.js';
import { makeTempFolder } from '../temp-folder.js';
import { endedProcess, nameOfProcess } from './left-behind.js';
import { BUILT, startProgram, writeProgram } from './programs.js';

let folder: string;

beforeEach(() => {
  folder = join(makeTempFolder(), 'deep', 'locks');
});

test('each thing has an owner of its own, whatever characters it has', () => {
  const things = ['a.png', 'A.png', '/a.png', '../a.png', 'ä › b', ''];
  for (const thing of things) expect(acquireLock(folder, thing, `owner of ${thing}`)).toBe(`owner of ${thing}`);
  for (const thing of things) expect(acquireLock(folder, thing, 'late')).toBe(`owner of ${thing}`);
  for (const owner of ['chromium › pricing › ünï\u{1f600}\nline', '']) {
    for (const other of [owner, 'two', owner]) expect(acquireLock(folder, `of ${owner}`, other)).toBe(owner);
  }
  expect(readdirSync(join(folder, '..'))).toEqual(['locks']);
});

test('six processes that acquireLock the same things at once agree on every owner', async () => {
  const things = 100;
  const worker = writeProgram(
    `import { acquireLock } from '${BUILT}/baselines/locks.js';
     const [, , folder, owner, start] = process.argv;
     await new Promise((resolve) => setTimeout(resolve, Number(start) - Date.now()));
     const owners = Array.from({ length: ${things} }, (_, i) => acquireLock(folder, 'thing ' + i, owner));
     console.log(JSON.stringify(owners));`,
  );
  // All begin at one moment, when the slowest is ready.
  const start = Date.now() + 2_500;
  const processes = Array.from({ length: 6 }, (_, i) => startProgram(worker, folder, `process ${i}`, String(start)));
  const tables = (await Promise.all(processes.map(({ output }) => output))).map((text) => JSON.parse(text));
  expect(tables[0]).toHaveLength(things);
  for (const table of tables) expect(table).toEqual(tables[0]);
  expect(readdirSync(folder)).toHaveLength(things);
});

test('a lock whose process was killed before it wrote its name is an error', () => {
  acquireLock(folder, 'a.png', 'one');
  const [file = ''] = readdirSync(folder);
  writeFileSync(join(folder, file), 'on');
  expect(() => acquireLock(folder, 'a.png', 'two')).toThrow('has no owner. Was a process killed');
});

describe('a lock that is held for an action', () => {
  /** Enters and leaves a lock again and again. It fails if a running process is inside, too; one that was killed inside is not. */
  const visitor = writeProgram(
    `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
     import { isRunning, withLock } from '${BUILT}/baselines/locks.js';
     const [, , folder, visits] = process.argv;
     const inside = folder + '/inside';
     const isZombie = (pid) => {
       const path = '/proc/' + pid + '/stat';
       return existsSync(path) && readFileSync(path, 'utf8').includes(') Z ');
     };
     const counter = folder + '/counter';
     for (let visit = 0; visit < Number(visits); visit++) {
       await withLock(folder, 'door', async () => {
         const other = Number(readFileSync(inside, 'utf8'));
         if (other !== 0 && other !== process.pid && isRunning(other) && !isZombie(other)) throw new Error(other + ' is inside, too');
         writeFileSync(inside, String(process.pid));
         const count = Number(readFileSync(counter, 'utf8'));
         await new Promise((resolve) => setTimeout(resolve, visit % 3));
         writeFileSync(counter, String(count + 1));
         writeFileSync(inside, '0');
       });
     }`,
  );

  beforeEach(() => {
    mkdirSync(folder, { recursive: true });
    for (const name of ['inside', 'counter']) writeFileSync(join(folder, name), '0');
  });

  const lockFile = () => join(folder, readdirSync(folder).find(isLockFile) ?? '');
  /** Leaves a lock of another process. */
  const leaveLock = (owner: string, ageMs: number) => {
    const then = new Date(Date.now() - ageMs);
    return withLock(folder, 'door', async () => {
      const path = lockFile();
      writeFileSync(path, owner);
      utimesSync(path, then, then);
    });
  };

  test('lets one process in at a time', async () => {
    const visitors = Array.from({ length: 4 }, () => startProgram(visitor, folder, '30'));
    await Promise.all(visitors.map(({ output }) => output));
    expect(readFileSync(join(folder, 'counter'), 'utf8')).toBe('120');
    expect(readdirSync(folder).sort()).toEqual(['counter', 'inside']);
  });

  test('lets the next one in when its process was killed, whenever that was', { tags: ['soak'] }, async () => {
    const visitors = Array.from({ length: 10 }, () => startProgram(visitor, folder, '1000000'));
    const running = new Map(visitors.map((one) => [String(one.child.pid), one]));
    while (running.size > 0 && visitors.every(({ child }) => child.exitCode === null)) {
      const inside = running.get(readFileSync(join(folder, 'inside'), 'utf8'));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
      if (!inside) continue;
      inside.child.kill('SIGKILL');
      running.delete(String(inside.child.pid));
    }
    await Promise.all(visitors.map(({ output }) => output));
    const startedAt = performance.now();
    await withLock(folder, 'door', async () => {});
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test('is abandoned if its process ended, or if nobody touched it for a minute, also on another machine', async () => {
    const killed = nameOfProcess(endedProcess()).replace(/^\.proofsheet-|\.tmp$/g, '');
    const others = ['00000000-1-01234567', `00000000-${process.pid}-01234567`, '', '00000000-1'];
    for (const owner of [killed, ...others]) {
      await leaveLock(owner, owner === killed ? 0 : 61_000);
      expect(await withLock(folder, 'door', async () => 'in', 0)).toBe('in');
      expect(readdirSync(folder).filter(isLockFile)).toEqual([]);
    }
  });

  test('is waited for, and then an error that names its holder', async () => {
    await leaveLock('00000000-1-01234567', 50_000);
    await expect(withLock(folder, 'door', async () => 'in', 100)).rejects.toMatchObject({
      code: 'lock-held',
      message: expect.stringMatching(
        /\.lock: a process of another machine or container still has this lock after \d+ ms\. Wait until it is done, then try again\.$/,
      ),
    });
    rmSync(lockFile());
    await withLock(folder, 'door', async () => {
      await expect(withLock(folder, 'door', async () => 'in', 100)).rejects.toThrow(`process ${process.pid} still has`);
      await removeAbandoned(lockFile());
      expect(existsSync(lockFile()), 'it is not abandoned').toBe(true);
    });
  });

  test('is released after an error, and is touched while it is held', async () => {
    await expect(withLock(folder, 'door', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await withLock(folder, 'door', async () => {
      const then = new Date(Date.now() - 61_000);
      utimesSync(lockFile(), then, then);
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      expect(Date.now() - statSync(lockFile()).mtimeMs).toBeLessThan(5_000);
    });
    expect(readdirSync(folder).filter(isLockFile)).toEqual([]);
  });

  test('is left out where no file can be written: the action reports that', async () => {
    expect(await withLock(join(folder, 'nowhere'), 'door', async () => 'in')).toBe('in');
    expect(await withLock('/proc', 'door', async () => 'in')).toBe('in');
  });
});

import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { acquireLock } from '../../../src/baselines/locks.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

let folder: string;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'proofsheet-locks-')), 'deep', 'locks');
});

test('the first to come has it, and may come again', () => {
  expect(acquireLock(folder, 'a.png', 'one')).toBe('one');
  expect(acquireLock(folder, 'a.png', 'two')).toBe('one');
  expect(acquireLock(folder, 'a.png', 'one')).toBe('one');
});

test('each thing has an owner of its own, whatever characters it has', () => {
  const things = ['a.png', 'A.png', '/a.png', '../a.png', 'ä › b', ''];
  for (const thing of things) expect(acquireLock(folder, thing, `owner of ${thing}`)).toBe(`owner of ${thing}`);
  for (const thing of things) expect(acquireLock(folder, thing, 'late')).toBe(`owner of ${thing}`);
  expect(readdirSync(join(folder, '..'))).toEqual(['locks']);
});

test('the owner is returned unchanged, even if it is empty', () => {
  const owner = 'chromium › pricing › ünï\u{1f600}\nline';
  acquireLock(folder, 'a.png', owner);
  expect(acquireLock(folder, 'a.png', 'other')).toBe(owner);
  acquireLock(folder, 'b.png', '');
  expect(acquireLock(folder, 'b.png', 'other')).toBe('');
});

test('in an emptied folder everything is free again', () => {
  acquireLock(folder, 'a.png', 'one');
  expect(acquireLock(`${folder}-2`, 'a.png', 'two')).toBe('two');
});

test('after many locks nothing is left but a file for each thing', () => {
  for (let i = 0; i < 200; i++) acquireLock(folder, `thing ${i % 10}`, `owner ${i}`);
  const files = readdirSync(folder);
  expect(files).toHaveLength(10);
  for (const file of files) expect(file).toMatch(/^[0-9a-f]{32}$/);
});

test('twenty processes that acquireLock the same things at once agree on every owner', async () => {
  const things = 100;
  const worker = writeWorker(things);
  // All begin at one moment, when the slowest is ready.
  const start = Date.now() + 1_500;
  const processes = Array.from({ length: 20 }, (_, i) =>
    run(process.execPath, [worker, folder, `process ${i}`, String(start)]),
  );
  const tables = (await Promise.all(processes)).map(({ stdout }) => JSON.parse(stdout));
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

/** Writes a program that acquires locks one after the other, and prints who owns each. */
function writeWorker(things: number): string {
  const home = mkdtempSync(join(tmpdir(), 'proofsheet-locks-worker-'));
  writeFileSync(join(home, 'package.json'), '{"type":"module"}');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--ignoreConfig', '--noCheck', '--module', 'nodenext', '--target', 'es2023', '--outDir', home];
  execFileSync(process.execPath, [tsc, ...options, join(root, 'src/baselines/locks.ts')], { cwd: root });
  const worker = join(home, 'worker.js');
  writeFileSync(
    worker,
    `import { acquireLock } from './locks.js';
     const [, , folder, owner, start] = process.argv;
     await new Promise((resolve) => setTimeout(resolve, Number(start) - Date.now()));
     const owners = Array.from({ length: ${things} }, (_, i) => acquireLock(folder, 'thing ' + i, owner));
     console.log(JSON.stringify(owners));`,
  );
  return worker;
}

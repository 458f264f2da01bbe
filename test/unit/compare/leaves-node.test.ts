import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Runs what tsc makes of the two rooms in a Node of its own: whether that ends cannot be asked from inside.
const root = fileURLToPath(new URL('../../../', import.meta.url));
let folder: string;

beforeAll(() => {
  mkdirSync(join(root, '.tmp'), { recursive: true });
  folder = mkdtempSync(join(root, '.tmp/compare-'));
  const outDir = join(folder, 'out');
  const config = {
    extends: join(root, 'tsconfig.build.json'),
    compilerOptions: { outDir, declarationDir: outDir, rootDir: join(root, 'src') },
    include: [join(root, 'src/compare'), join(root, 'src/image')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', folder]);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function runScript(lines: readonly string[]) {
  const script = join(folder, 'script.cjs');
  writeFileSync(script, lines.join('\n'));
  return spawnSync(process.execPath, [script], {
    encoding: 'utf8',
    timeout: 20_000,
    env: { ...process.env, TMPDIR: folder },
  });
}

const head = [
  "const { compareImages } = require('./out/compare/compare.js');",
  "const { inspectImage } = require('./out/image/inspect.js');",
  "const { readFileSync } = require('node:fs');",
  `const read = (name) => inspectImage(readFileSync(${JSON.stringify(join(root, 'fixtures/images/'))} + name)).image;`,
  "const settings = { threshold: 0.02, maxDiffPixels: null, maxDiffPixelRatio: null, maxSizeDiff: 0, allowShift: 0, engine: 'odiff' };",
  "const compare = () => compareImages(read('chromium.png'), read('chromium.jpg'), settings, []);",
];

test('CommonJS can require it, and Node ends by itself after a comparison, silently', () => {
  const { status, stdout, stderr } = runScript([...head, 'compare().then(({ kind }) => process.stdout.write(kind));']);
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'different', stderr: '' });
});

test('Node waits for the answer, and an exit in the middle of it is an exit', () => {
  const { status, stdout, stderr } = runScript([...head, 'compare(); setTimeout(() => process.exit(7), 30);']);
  expect({ status, stdout, stderr }).toEqual({ status: 7, stdout: '', stderr: '' });
});

test.skipIf(process.platform === 'win32')('no odiff outlives the Node that started it, however that ends', async () => {
  const { signal, stdout } = runScript([
    ...head,
    "const ps = () => require('node:child_process').execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });",
    "const isOurs = (line) => line.includes('--server') && line.trim().split(/\\s+/)[1] === String(process.pid);",
    'compare().then(() => {',
    "  require('node:fs').writeSync(1, ps().split('\\n').filter(isOurs).map((line) => line.trim().split(' ')[0]).join());",
    "  process.kill(process.pid, 'SIGKILL');",
    '});',
  ]);
  expect(signal).toBe('SIGKILL');
  expect(stdout).toMatch(/^\d+$/);
  await expect.poll(() => isAlive(Number(stdout)), { timeout: 5000 }).toBe(false);
});

function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim()); // Z: dead, and nobody took notice.
}

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { compareInWorker } from '../../../src/compare/compare-worker.js';
import { inspectImage } from '../../../src/image/inspect.js';
import type { EncodedImage } from '../../../src/model/image.js';
import { png } from '../image/paint.js';
import { type Threads, watchThreads } from '../watch-threads.js';
import { PAIRS } from './golden-pairs.js';
import { settings } from './settings.js';

// The thread runs what the build made of it, as it does for users.
let threads: Threads;
beforeAll(() => {
  threads = watchThreads();
});
afterAll(() => threads.stop());

const root = fileURLToPath(new URL('../../../', import.meta.url));

function fixture(name: string): EncodedImage {
  const inspection = inspectImage(readFileSync(`${root}/fixtures/images/${name}`));
  if (inspection.kind !== 'image') throw new Error(`${name} is ${inspection.kind}`);
  return inspection.image;
}

const [one, other] = [fixture('chromium.png'), fixture('chromium.jpg')];

test('no worker starts for equal bytes, and one worker for all other images', async () => {
  const copy = { ...one, bytes: Buffer.from(one.bytes) };
  expect((await compareInWorker(one, copy, settings({}), [])).kind).toBe('equal');
  expect(threads.count()).toBe(0);
  await compareInWorker(one, other, settings({}), []);
  await compareInWorker(one, other, settings({}), []);
  expect(threads.count()).toBe(1);
});

const questions = [
  ...PAIRS.slice(-3).map((pair) => ({ ...pair, engine: 'pixelmatch' as const })),
  ...PAIRS.slice(0, 1).map((pair) => ({ ...pair, engine: 'odiff' as const })),
];

test.each(questions)(
  'the worker gives the same result as the calling thread, by $engine: $name',
  async ({ before, after, engine }) => {
    const rules = settings({ engine });
    for (const masked of [[], [{ x: 0, y: 0, width: 2, height: 1 }]]) {
      const aside = await compareInWorker(png(before), png(after), rules, masked);
      expect(aside).toEqual(await compareImages(png(before), png(after), rules, masked));
      if (aside.kind === 'different') expect(Buffer.isBuffer(aside.diff)).toBe(true);
    }
  },
);

test('each of several concurrent requests gets its own response', async () => {
  const pairs = PAIRS.slice(0, 6).map(({ before, after }) => [png(before), png(after)] as const);
  const asked = pairs.map(([before, after]) => compareInWorker(before, after, settings({}), []));
  const answers = await Promise.all(asked);
  for (const [index, [before, after]] of pairs.entries()) {
    expect(answers[index]).toEqual(await compareImages(before, after, settings({}), []));
  }
});

test('the calling thread stays free', async () => {
  const tall = (grey: number) => {
    const data = new Uint8Array(1280 * 1000 * 4).fill(255);
    for (let at = 0; at < data.length; at += 4) data[at] = (at * 7 + grey) % 251;
    return png({ width: 1280, height: 1000, data });
  };
  const [before, after] = [tall(0), tall(40)];
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const comparison = await compareInWorker(before, after, settings({}), []);
  clearInterval(timer);
  expect(comparison.kind).toBe('different');
  // Done here, it leaves room for a few.
  expect(turns).toBeGreaterThan(50);
});

test('the error of a damaged image is the same as without a worker', async () => {
  const cut = { ...one, bytes: one.bytes.subarray(0, one.bytes.length >> 1) };
  const wrong = await compareImages(cut, other, settings({}), []).catch((error) => error);
  expect(wrong.code).toBe('image-damaged');
  const aside = await compareInWorker(cut, other, settings({}), []).catch((error) => error);
  expect(aside).toEqual(wrong);
  expect(aside.problem).toEqual(wrong.problem);
});

test('a thread that ends in the middle of it loses nothing, and the next question starts another', async () => {
  await threads.end();
  const asked = [1, 2, 3].map(() => compareInWorker(one, other, settings({}), []));
  await expect.poll(() => threads.count()).toBe(1);
  await threads.end();
  const expected = await compareImages(one, other, settings({}), []);
  for (const comparison of asked) expect(await comparison).toEqual(expected);
  expect(await compareInWorker(one, other, settings({}), [])).toEqual(expected);
  expect(threads.count()).toBe(1);
});

function runScript(lines: readonly string[]) {
  const from = (path: string) => JSON.stringify(`${root}/.build/${path}`);
  const script = [
    `const { compareInWorker } = await import(${from('compare/compare-worker.js')});`,
    `const { inspectImage } = await import(${from('image/inspect.js')});`,
    "const { readFileSync } = await import('node:fs');",
    `const read = (name) => inspectImage(readFileSync(${JSON.stringify(`${root}/fixtures/images/`)} + name)).image;`,
    `const compare = () => compareInWorker(read('chromium.png'), read('chromium.jpg'), ${JSON.stringify(settings({}))}, []);`,
    ...lines,
  ].join('\n');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { status, stdout, stderr };
}

test('Node waits for the answer, and ends by itself after it, silently', () => {
  const ended = runScript(['compare().then(({ kind }) => process.stdout.write(kind));']);
  expect(ended).toEqual({ status: 0, stdout: 'different', stderr: '' });
});

test('an exit in the middle of it is an exit', () => {
  const ended = runScript(['compare(); setTimeout(() => process.exit(7), 30);']);
  expect(ended).toEqual({ status: 7, stdout: '', stderr: '' });
});

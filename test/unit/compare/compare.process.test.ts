import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareImages, compareInWorker } from '../../../src/compare/compare.js';
import { decodeImage } from '../../../src/image/decode.js';
import { craftPng } from '../image/craft-png.js';
import { fill, imageOf, png, sheet, specimen } from '../image/paint.js';
import { type Threads, watchThreads } from '../watch-threads.js';
import { PAIRS } from './golden-pairs.js';
import { settings } from './settings.js';

const picture = (name: string) => imageOf(specimen(name));
const white = png(sheet(100, 80));
const dotted = png(fill(sheet(100, 80), { x: 10, y: 20, width: 5, height: 4 }, '#000000'));

describe('compareImages', () => {
  test('equal bytes are equal, though they be no image', async () => {
    const image = { ...white, bytes: Buffer.from('equal, whatever it is') };
    const other = { ...image, bytes: Buffer.from(image.bytes) };
    expect((await compareImages(image, other, settings(), [])).kind).toBe('equal');
  });

  test('other bytes with the same pixels are within the limit, with 0', async () => {
    const other = imageOf(
      craftPng({ width: 100, height: 80, depth: 16, colorType: 0, interlaced: true, samplesAt: () => [65535] }),
    );
    expect(await compareImages(white, other, settings({ threshold: 0 }), [])).toEqual({
      kind: 'within-limit',
      counts: { mismatchPixels: 0, antialiasedPixels: 0, totalPixels: 8000, sameDimensions: true },
      limitPixels: 0,
    });
  });

  test('exactly the limit passes, and a pixel more does not', async () => {
    const kindAt = async (limits: Parameters<typeof settings>[0]) =>
      (await compareImages(white, dotted, settings(limits), [])).kind;
    expect([await kindAt({ maxDiffPixels: 20 }), await kindAt({ maxDiffPixels: 19 })]).toEqual([
      'within-limit',
      'different',
    ]);
    expect(await kindAt({ maxDiffPixelRatio: 0.0024 })).toBe('different');
  });

  test('another size is different whatever the limits allow, and the diff is on the canvas of both', async () => {
    const loose = settings({ threshold: 1, maxDiffPixels: 1e6, maxDiffPixelRatio: 1 });
    expect(await compareImages(png(sheet(100, 80)), png(sheet(120, 70)), loose, [])).toMatchObject({
      kind: 'different',
      counts: { mismatchPixels: 2400, totalPixels: 9600, sameDimensions: false },
      regions: [
        { x: 100, y: 0, width: 20, height: 70, pixels: 1400 },
        { x: 0, y: 70, width: 100, height: 10, pixels: 1000 },
      ],
      diffSize: { width: 120, height: 80 },
    });
  });

  test('images of all formats are compared by their pixels', async () => {
    const pairs = [[picture('chromium.png'), picture('chromium-lossless.webp')]];
    for (const name of ['chromium.jpg', 'progressive.jpg', 'lossy.webp', 'half-transparent.webp'])
      pairs.push([picture(name), png(await decodeImage(picture(name)))]);
    for (const [one = white, other = white] of [...pairs, ...pairs.map((pair) => pair.toReversed())]) {
      const same = { kind: 'within-limit', counts: { mismatchPixels: 0, antialiasedPixels: 0 } };
      expect(await compareImages(one, other, settings({ threshold: 0 }), [])).toMatchObject(same);
    }
    const lossy = await compareImages(picture('chromium.png'), picture('chromium.jpg'), settings(), []);
    expect(lossy).toMatchObject({ kind: 'different', counts: { totalPixels: 16_000, sameDimensions: true } });
  });

  test('a canvas of both that is too large is refused before anything is decoded', async () => {
    const wide = { ...white, size: { width: 30_000, height: 10 } };
    const tall = { ...white, bytes: Buffer.from('not looked at'), size: { width: 10, height: 30_000 } };
    await expect(compareImages(wide, tall, settings(), [])).rejects.toMatchObject({
      code: 'image-too-large',
    });
  });
});

// The thread runs what the build made of it, as it does for users.
let threads: Threads;
beforeAll(() => {
  threads = watchThreads();
});
afterAll(() => threads.stop());

const root = fileURLToPath(new URL('../../../', import.meta.url));

const [one, other] = [picture('chromium.png'), picture('chromium.jpg')];

test('no worker starts for equal bytes, and one worker for all other images', async () => {
  const copy = { ...one, bytes: Buffer.from(one.bytes) };
  expect((await compareInWorker(one, copy, settings({}), [])).kind).toBe('equal');
  expect(threads.count()).toBe(0);
  await compareInWorker(one, other, settings({}), []);
  await compareInWorker(one, other, settings({}), []);
  expect(threads.count()).toBe(1);
});

test('the worker gives each of several concurrent requests the result of the calling thread', async () => {
  const pairs = [
    ...PAIRS.slice(-6).map((pair) => ({ ...pair, engine: 'pixelmatch' as const })),
    ...PAIRS.slice(0, 1).map((pair) => ({ ...pair, engine: 'odiff' as const })),
  ];
  const requests = pairs.flatMap(({ before, after, engine }) =>
    [[], [{ x: 0, y: 0, width: 2, height: 1 }]].map((masked) => {
      return [png(before), png(after), settings({ engine }), masked] as const;
    }),
  );
  const answers = await Promise.all(requests.map((request) => compareInWorker(...request)));
  for (const [index, request] of requests.entries()) {
    const answer = answers[index];
    expect(answer).toEqual(await compareImages(...request));
    if (answer?.kind === 'different') expect(Buffer.isBuffer(answer.diff)).toBe(true);
  }
});

test('the error of a damaged image is the same as without a worker', async () => {
  const cut = { ...one, bytes: one.bytes.subarray(0, one.bytes.length >> 1) };
  const wrong = await compareImages(cut, other, settings({}), []).catch((error) => error);
  expect(wrong).toMatchObject({ code: 'image-damaged', message: expect.stringMatching(/^the before image: /) });
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

test.each([
  [
    'Node waits for the answer, and ends by itself after it, silently',
    'process.stdout.write((await answer).kind);',
    0,
    'different',
  ],
  ['an exit in the middle of it is an exit', 'setTimeout(() => process.exit(7), 30);', 7, ''],
])('%s', (_, end, expectedStatus, expectedOutput) => {
  const from = (path: string) => JSON.stringify(`${root}/.build/${path}`);
  const script = [
    `const { compareInWorker } = await import(${from('compare/compare.js')});`,
    `const { inspectImage } = await import(${from('image/inspect.js')});`,
    "const { readFileSync } = await import('node:fs');",
    `const read = (name) => inspectImage(readFileSync(${JSON.stringify(`${root}/fixtures/images/`)} + name)).image;`,
    `const answer = compareInWorker(read('chromium.png'), read('chromium.jpg'), ${JSON.stringify(settings({}))}, []);`,
    end,
  ].join('\n');
  const options = { encoding: 'utf8', timeout: 20_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], options);
  expect({ status, stdout, stderr }).toEqual({ status: expectedStatus, stdout: expectedOutput, stderr: '' });
});

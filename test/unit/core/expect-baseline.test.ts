import { afterEach, beforeEach, expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { expectBaseline } from '../../../src/core/expect-baseline.js';
import type { Comparison } from '../../../src/model/comparison.js';
import type { Environment } from '../../../src/model/environment.js';
import { ProofsheetError } from '../../../src/model/errors.js';
import type { Rectangle } from '../../../src/model/image.js';
import type { Baseline } from '../../../src/record/baseline.js';
import { settings } from '../compare/settings.js';
import { fill, png, sheet } from '../image/paint.js';
import { type Threads, watchThreads } from '../watch-threads.js';
import { captureOf } from './specimens.js';

const rules = settings({ maxDiffPixels: 0 });
const dot = { x: 3, y: 3, width: 2, height: 2 };
const image = png(sheet(20, 20));
const [dotted, blotted] = [
  png(fill(sheet(20, 20), dot, '#000000')),
  png(fill(sheet(20, 20), { ...dot, x: 9 }, '#ff0000')),
];
const environment = {
  os: 'linux',
  arch: 'x64',
  browser: 'chromium',
  browserVersion: '1',
  headless: 'shell',
  scale: 1,
  fonts: null,
  engine: 'pixelmatch 7.2.0',
} as const satisfies Environment;

const masksOf = (rectangles: Rectangle[]) => [{ selector: '.m', rectangles }];

function baselineOf(rectangles: Rectangle[] = []): Baseline {
  const masks = masksOf(rectangles);
  const record = { schemaVersion: 2 as const, id: 'home', project: '', masks, ignored: [], environment };
  return { kind: 'image', image, record, sha256: 'a'.repeat(64) };
}

/** What a capture ends in, told as a comparison. */
async function compare(
  expectation: ReturnType<typeof expectBaseline>,
  end: typeof image,
  rectangles: Rectangle[] = [],
): Promise<Comparison | null> {
  const before = await expectation.compare(captureOf(end, 'http://127.0.0.1/home', { masks: masksOf(rectangles) }));
  return before.kind === 'baseline' ? before.comparison : null;
}

// A comparison that has begun is seen by the thread that it is done in.
let threads: Threads;
beforeEach(() => {
  threads = watchThreads();
});
afterEach(() => threads.stop());

async function startedBy(work: () => unknown): Promise<number> {
  await threads.end();
  await work();
  await new Promise(setImmediate);
  return threads.count();
}

async function lastPage(end: typeof image): Promise<void> {
  await compare(expectBaseline(baselineOf(), rules), end);
}

test('an image is as expected to the byte only; without a baseline none is', () => {
  const expectation = expectBaseline(baselineOf(), rules);
  expect(expectation.isMet(Buffer.from(image.bytes))).toBe(true);
  expect(expectation.isMet(dotted.bytes)).toBe(false);
  expect(expectBaseline({ kind: 'missing' }, rules).isMet(image.bytes)).toBe(false);
});

test('what is no image is handed on', async () => {
  const error = new ProofsheetError({
    code: 'baseline-empty',
    where: 'home.png',
    found: 'it is empty',
    advice: 'Mend.',
  });
  for (const baseline of [{ kind: 'missing' }, { kind: 'damaged', error }] as const) {
    const capture = captureOf(image, 'http://127.0.0.1/home');
    expect(await expectBaseline(baseline, rules).compare(capture)).toEqual(baseline);
  }
});

test('after a page that was as expected, nothing is compared before a capture has ended', async () => {
  await lastPage(image);
  expect(await startedBy(() => expectBaseline(baselineOf(), rules).isMet(dotted.bytes))).toBe(0);
});

test('after one that differed, the first image that is not as expected is compared at once, and no other', async () => {
  await lastPage(dotted);
  const expectation = expectBaseline(baselineOf(), rules);
  expect(await startedBy(() => expectation.isMet(image.bytes))).toBe(0);
  expect(await startedBy(() => expectation.isMet(dotted.bytes))).toBe(1);
  expect(await startedBy(() => expectation.isMet(blotted.bytes))).toBe(0);
});

test('what was begun is the answer where the capture ended in that image', async () => {
  await lastPage(dotted);
  const expectation = expectBaseline(baselineOf(), rules);
  expectation.isMet(dotted.bytes);
  expect(await startedBy(async () => expect((await compare(expectation, dotted))?.kind).toBe('different'))).toBe(0);
  expect(await compare(expectation, dotted)).toEqual(await compareImages(image, dotted, rules, []));
});

test('where it ended in another, that one is compared', async () => {
  await lastPage(dotted);
  for (const end of [blotted, image]) {
    const expectation = expectBaseline(baselineOf(), rules);
    expectation.isMet(dotted.bytes);
    expect(await compare(expectation, end)).toEqual(await compareImages(image, end, rules, []));
  }
});

test('masks of both sides count, also where the capture has others than the baseline', async () => {
  const aside = { x: 15, y: 15, width: 2, height: 2 };
  for (const [known, own, kind] of [
    [[dot], [dot], 'within-limit'],
    [[aside], [dot], 'within-limit'],
    [[dot], [aside], 'within-limit'],
    [[aside], [aside], 'different'],
    [[], [dot], 'within-limit'],
    [[dot], [], 'within-limit'],
  ] as const) {
    await lastPage(dotted);
    const expectation = expectBaseline(baselineOf([...known]), rules);
    expectation.isMet(dotted.bytes);
    expect((await compare(expectation, dotted, [...own]))?.kind).toBe(kind);
  }
});

test('bytes that are no image are no failure before the capture has ended', async () => {
  await lastPage(dotted);
  const expectation = expectBaseline(baselineOf(), rules);
  expect(expectation.isMet(Buffer.from('no image'))).toBe(false);
  await new Promise(setImmediate);
  expect((await compare(expectation, dotted))?.kind).toBe('different');
});

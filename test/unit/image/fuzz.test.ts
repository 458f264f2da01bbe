// @module-tag soak
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { decodeImage } from '../../../src/image/decode.js';
import { inspectFile, inspectImage } from '../../../src/image/inspect.js';
import { ProofsheetError } from '../../../src/model/errors.js';
import type { EncodedImage } from '../../../src/model/image.js';
import { settings } from '../compare/settings.js';
import { box, craftPdf, pdf } from './craft-pdf.js';
import { craftPng, mendPng } from './craft-png.js';
import { createRandom, imageOf, png } from './paint.js';

const specimen = (name: string) => readFileSync(new URL(`../../../fixtures/images/${name}`, import.meta.url));
const palette = ['PLTE', Buffer.from(Array.from({ length: 48 }, (_, i) => i * 5))] as const;
const odd = { width: 13, height: 11 };

/** Of each format, files of all its kinds, and how often each is damaged. */
const FORMATS: readonly [name: string, rounds: number, files: readonly Buffer[]][] = [
  [
    'png',
    500,
    [
      specimen('chromium.png'),
      craftPng({ ...odd, depth: 8, colorType: 6, filterOf: (row) => row % 5, samplesAt: (x, y) => [x, y, x * y, 200] }),
      craftPng({ ...odd, depth: 4, colorType: 3, interlaced: true, extra: [palette], samplesAt: (x) => [x] }),
      craftPng({
        ...odd,
        depth: 16,
        colorType: 2,
        filterOf: (row) => row % 5,
        samplesAt: (x, y) => [x * 999, y * 999, 7],
      }),
      craftPng({ ...odd, depth: 8, colorType: 4, interlaced: true, samplesAt: (x, y) => [x * 9, y * 9] }),
      craftPng({
        ...odd,
        depth: 1,
        colorType: 0,
        extra: [
          ['tRNS', Buffer.of(0, 1)],
          ['gAMA', Buffer.of(0, 0, 0xb1, 0x8f)],
        ],
        samplesAt: (x) => [x % 2],
      }),
    ],
  ],
  ['jpeg', 350, [specimen('chromium.jpg'), specimen('progressive.jpg')]],
  ['webp', 250, ['chromium-lossless.webp', 'chromium-lossy.webp', 'lossy.webp', 'half-transparent.webp'].map(specimen)],
  [
    'pdf',
    350,
    [
      craftPdf([{ content: box(10, 10, 30, 20) }, { content: `q 1 0 0 1 5 5 cm ${box(1, 1, 9, 9, '1 0 0')} Q` }]),
      craftPdf([{ content: 'BT /F1 12 Tf 10 20 Td (Some text) Tj ET\n0 0 m 50 50 l 3 w S' }]),
      craftPdf(Array.from({ length: 5 }, (_, i) => ({ width: 20 + i, height: 20, content: box(i, i, 5, 5) }))),
    ],
  ],
];

/** A verdict takes milliseconds; one that took seconds would be a hang in a larger file. */
const MOST_MS = 5_000;

describe.each(FORMATS)('%s files that are damaged', (format, rounds, files) => {
  test('end in a verdict or in an error of ours, soon, and leave no memory behind', {
    timeout: 300_000,
  }, async () => {
    const random = createRandom(format.length * 7919);
    const counts = new Map<string, number>();
    for (const bytes of files) {
      const whole = await wholeOf(bytes);
      for (let round = 0; round < rounds; round++) {
        const bad = mutate(bytes, random);
        // Half of the PNGs get past their checksums.
        const outcome = await outcomeOf(whole, format === 'png' && round % 2 === 0 ? mendPng(bad) : bad, round);
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      }
    }
    expect([...counts.keys()].filter((outcome) => !EXPECTED.includes(outcome))).toEqual([]);
    // Damage that nobody notices, damage that is seen, and damage that is named: all are there.
    for (const some of ['different', 'image-damaged', 'truncated']) expect(counts.get(some), some).toBeGreaterThan(5);
    expect(process.resourceUsage().maxRSS / 1024, 'MB at most').toBeLessThan(1200);
  });
});

const EXPECTED: readonly string[] = [
  ...['equal', 'within-limit', 'different'],
  ...['empty', 'truncated', 'unknown', 'too-large'],
  ...['image-damaged', 'image-too-large', 'image-unsupported'],
];

/** What it is held against: the same picture as PNG, which is decoded soonest; a PDF can only be held against another one. */
async function wholeOf(bytes: Buffer): Promise<EncodedImage> {
  return inspectImage(bytes).kind === 'pdf' ? pdf([{ width: 10, height: 10 }]) : png(await decodeImage(imageOf(bytes)));
}

/** What became of it: a verdict, the kind of damage that its head shows, or the code of an error. */
async function outcomeOf(whole: EncodedImage, bad: Buffer, round: number): Promise<string> {
  const inspection = await inspectFile(bad);
  if (inspection.kind === 'damaged') return 'image-damaged';
  if (inspection.kind !== 'image') return inspection.kind;
  const late = new AbortController();
  const limit = setTimeout(MOST_MS, `more than ${MOST_MS} ms`, { signal: late.signal });
  limit.catch(() => {});
  const compared = compareImages(whole, inspection.image, { ...settings(), engine: 'pixelmatch' }, []).then(
    ({ kind }) => kind,
    (error: unknown) => (error instanceof ProofsheetError ? error.code : `round ${round}: ${error}`),
  );
  const outcome = await Promise.race([compared, limit]);
  late.abort();
  return outcome;
}

/** Damages a file in one of the ways in which files are damaged; the same numbers give the same damage. */
function mutate(bytes: Buffer, random: () => number): Buffer {
  const way = WAYS[Math.floor(random() * WAYS.length)];
  return way ? way(bytes, random) : bytes;
}

type Way = (bytes: Buffer, random: () => number) => Buffer;

const WAYS: readonly Way[] = [
  // A bit tips over.
  (bytes, random) => withByte(bytes, at(bytes, random), (value) => value ^ (1 << Math.floor(random() * 8))),
  // A few bytes are others, mostly among the first.
  (bytes, random) => {
    const bad = Buffer.from(bytes);
    for (let i = 0; i < 4; i++) bad[Math.floor(random() ** 3 * bad.length)] = random() * 256;
    return bad;
  },
  // A number is the largest there is, or the smallest.
  (bytes, random) => {
    const bad = Buffer.from(bytes);
    const value = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fff, 0xffff][Math.floor(random() * 7)] ?? 0;
    const place = Math.min(Math.floor(random() ** 2 * bad.length), bad.length - 4);
    if (random() < 0.5) bad.writeUInt32BE(value, place);
    else bad.writeUInt32LE(value, place);
    return bad;
  },
  // The file is cut off.
  (bytes, random) => bytes.subarray(0, at(bytes, random)),
  // A piece is missing.
  (bytes, random) => {
    const place = at(bytes, random);
    return Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + Math.floor(random() * 200))]);
  },
  // A piece is there twice.
  (bytes, random) => {
    const place = at(bytes, random);
    return Buffer.concat([bytes.subarray(0, place + Math.floor(random() * 200)), bytes.subarray(place)]);
  },
  // A piece is zeros, as after a crash of the disk.
  (bytes, random) => Buffer.from(bytes).fill(0, at(bytes, random), at(bytes, random)),
  // Digits of a text are others.
  (bytes, random) => {
    const text = bytes.toString('latin1');
    const digit = random();
    return Buffer.from(
      text.replace(/\d/g, (old) => (random() < 0.02 ? `${Math.floor(digit * 10)}` : old)),
      'latin1',
    );
  },
];

function at(bytes: Buffer, random: () => number): number {
  return Math.floor(random() * bytes.length);
}

function withByte(bytes: Buffer, index: number, change: (value: number) => number): Buffer {
  const bad = Buffer.from(bytes);
  bad[index] = change(bad[index] ?? 0);
  return bad;
}

// @module-tag soak
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { decodeImage } from '../../../src/image/decode.js';
import { inspectFile, inspectImage } from '../../../src/image/inspect.js';
import { ProofsheetError } from '../../../src/model/errors.js';
import type { EncodedImage } from '../../../src/model/image.js';
import { settings } from '../compare/settings.js';
import { box, type CraftPage, craftPdf, pdf } from './craft-pdf.js';
import { type Craft, craftPng, mendPng } from './craft-png.js';
import { createRandom, imageOf, png, specimen } from './paint.js';

const palette = ['PLTE', Buffer.from(Array.from({ length: 48 }, (_, i) => i * 5))] as const;
const odd = { width: 13, height: 11 };

const filterOf = (row: number) => row % 5;
const profile = [['tRNS', Buffer.of(0, 1)] as const, ['gAMA', Buffer.of(0, 0, 0xb1, 0x8f)] as const];
const PNGS: readonly Omit<Craft, 'width' | 'height'>[] = [
  { depth: 8, colorType: 6, filterOf, samplesAt: (x, y) => [x, y, x * y, 200] },
  { depth: 4, colorType: 3, interlaced: true, extra: [palette], samplesAt: (x) => [x] },
  { depth: 16, colorType: 2, filterOf, samplesAt: (x, y) => [x * 999, y * 999, 7] },
  { depth: 8, colorType: 4, interlaced: true, samplesAt: (x, y) => [x * 9, y * 9] },
  { depth: 1, colorType: 0, extra: profile, samplesAt: (x) => [x % 2] },
];
const PDFS: readonly (readonly CraftPage[])[] = [
  [{ content: box(10, 10, 30, 20) }, { content: `q 1 0 0 1 5 5 cm ${box(1, 1, 9, 9, '1 0 0')} Q` }],
  [{ content: 'BT /F1 12 Tf 10 20 Td (Some text) Tj ET\n0 0 m 50 50 l 3 w S' }],
  Array.from({ length: 5 }, (_, i) => ({ width: 20 + i, height: 20, content: box(i, i, 5, 5) })),
];

/** Of each format, files of all its kinds, and how often each is damaged. */
const FORMATS: readonly [name: string, rounds: number, files: readonly Buffer[]][] = [
  ['png', 500, [specimen('chromium.png'), ...PNGS.map((craft) => craftPng({ ...odd, ...craft }))]],
  ['jpeg', 350, ['chromium.jpg', 'progressive.jpg'].map(specimen)],
  ['webp', 250, ['chromium-lossless.webp', 'chromium-lossy.webp', 'lossy.webp', 'half-transparent.webp'].map(specimen)],
  ['pdf', 350, PDFS.map((pages) => craftPdf(pages))],
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
  const at = () => Math.floor(random() * bytes.length);
  return WAYS[Math.floor(random() * WAYS.length)]?.(Buffer.from(bytes), at, random) ?? bytes;
}

/** Each damages a copy of a file, at some place. */
const WAYS: readonly ((bad: Buffer, at: () => number, random: () => number) => Buffer)[] = [
  // A bit tips over.
  (bad, at, random) => {
    const place = at();
    bad[place] = (bad[place] ?? 0) ^ (1 << Math.floor(random() * 8));
    return bad;
  },
  // A few bytes are others, mostly among the first.
  (bad, _, random) => {
    for (let i = 0; i < 4; i++) bad[Math.floor(random() ** 3 * bad.length)] = random() * 256;
    return bad;
  },
  // A number is the largest there is, or the smallest.
  (bad, _, random) => {
    const value = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fff, 0xffff][Math.floor(random() * 7)] ?? 0;
    const place = Math.min(Math.floor(random() ** 2 * bad.length), bad.length - 4);
    if (random() < 0.5) bad.writeUInt32BE(value, place);
    else bad.writeUInt32LE(value, place);
    return bad;
  },
  // The file is cut off; a piece is missing, or is there twice; a piece is zeros, as after a crash of the disk.
  (bad, at) => bad.subarray(0, at()),
  (bad, at, random) => joinAround(bad, at(), random() * 200),
  (bad, at, random) => joinAround(bad, at(), random() * -200),
  (bad, at) => bad.fill(0, at(), at()),
  // Digits of a text are others.
  (bad, _, random) => {
    const digit = `${Math.floor(random() * 10)}`;
    const text = bad.toString('latin1').replace(/\d/g, (old) => (random() < 0.02 ? digit : old));
    return Buffer.from(text, 'latin1');
  },
];

function joinAround(bytes: Buffer, place: number, missing: number): Buffer {
  return Buffer.concat([bytes.subarray(0, place), bytes.subarray(Math.max(0, place + Math.floor(missing)))]);
}

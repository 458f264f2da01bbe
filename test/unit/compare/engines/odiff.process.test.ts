import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from 'odiff-bin';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { compareImages } from '../../../../src/compare/compare.js';
import { fill, png, sheet } from '../../image/paint.js';
import { makeTempFolder } from '../../temp-folder.js';
import { EDGES } from '../golden-edges.js';
import { PAIRS } from '../golden-pairs.js';
import { settings } from '../settings.js';

const white = png(sheet(100, 80));
const dotted = png(fill(sheet(100, 80), { x: 10, y: 20, width: 5, height: 4 }, '#000000'));
const compareByOdiff = (antialiasing: 'count' | 'ignore' = 'ignore') =>
  compareImages(white, dotted, settings({ engine: 'odiff', antialiasing }), []);

let folder: string;
beforeEach(() => {
  folder = makeTempFolder();
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => vi.unstubAllEnvs());

const pairs = [...PAIRS.filter(({ name }) => name.includes('#808080')), ...EDGES];

describe.each(['count', 'ignore'] as const)('under antialiasing: %s', (antialiasing) => {
  test.each(pairs)('counts what odiff counts: $name', async ({ before, after, threshold }) => {
    const [one, other] = [join(folder, 'one.png'), join(folder, 'other.png')];
    writeFileSync(one, png(before).bytes);
    writeFileSync(other, png(after).bytes);
    const options = { threshold, antialiasing: antialiasing === 'ignore' };
    const answer = await compare(one, other, join(folder, 'diff.png'), options);
    const expected = 'diffCount' in answer ? answer.diffCount : 0;
    const rules = settings({ engine: 'odiff', antialiasing, threshold });
    expect(await compareImages(png(before), png(after), rules, [])).toMatchObject({
      kind: expected === 0 ? 'within-limit' : 'different',
      counts: { mismatchPixels: expected, antialiasedPixels: 0 },
    });
  });
});

test('leaves no file behind, after a verdict or an error, and compares many at once', async () => {
  const comparisons = await Promise.all(Array.from({ length: 10 }, () => compareByOdiff()));
  expect(comparisons.map(({ counts }) => counts.mismatchPixels)).toEqual(Array.from({ length: 10 }, () => 20));
  const damaged = { ...dotted, bytes: dotted.bytes.subarray(0, 60) };
  await expect(compareImages(white, damaged, settings({ engine: 'odiff' }), [])).rejects.toMatchObject({
    code: 'image-damaged',
    message: expect.stringMatching(/^the after image: /),
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('without a binary, the error gives advice, and pixelmatch works', async () => {
  const arch = Object.getOwnPropertyDescriptor(process, 'arch');
  Object.defineProperty(process, 'arch', { ...arch, value: 'mips' });
  try {
    await expect(compareByOdiff()).rejects.toMatchObject({
      code: 'engine-missing',
      message: expect.stringMatching(
        /^odiff: no binary for \w+-mips \(.*\)\. Set `engine: pixelmatch`, or install the optional dependencies/,
      ),
    });
    const comparison = await compareImages(white, dotted, settings({ engine: 'pixelmatch' }), []);
    expect(comparison).toMatchObject({ kind: 'different', counts: { mismatchPixels: 20 } });
  } finally {
    Object.defineProperty(process, 'arch', { ...arch });
  }
});

test('a process that is killed is an error, never a verdict', async () => {
  const kill = (message: unknown) => {
    if (typeof message !== 'object' || !message || !('process' in message)) return;
    const { process: child } = message;
    if (child instanceof ChildProcess) child.once('spawn', () => child.kill('SIGKILL'));
  };
  // It must still run when it is killed.
  const [one, other] = [png(sheet(1500, 1500)), png(sheet(1500, 1500, '#e5e7eb'))];
  subscribe('child_process', kill);
  try {
    await expect(compareImages(one, other, settings({ engine: 'odiff' }), [])).rejects.toMatchObject({
      code: 'engine-failed',
      message: expect.stringMatching(
        /^odiff: the process was killed \(SIGKILL\)\. The images were not compared\. Run again/,
      ),
    });
  } finally {
    unsubscribe('child_process', kill);
  }
});

test('files that cannot be written are an error that names the folder', async () => {
  vi.stubEnv('TMPDIR', '/no/such/folder');
  await expect(compareByOdiff()).rejects.toMatchObject({
    code: 'engine-failed',
    message: expect.stringMatching(/^odiff: the temporary files cannot be written to \/no\/such\/folder \(ENOENT/),
  });
});

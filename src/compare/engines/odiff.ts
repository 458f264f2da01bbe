import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodePng, isSameSize, storePng, toBuffer, wordsOf } from '../../image/index.js';
import { failure, messageOf, type Pixels, type ProofsheetError, type Size } from '../../model/index.js';
import { CHANGED, countMask, createMask, NO_DIFFERENCE, type PixelDiff, type PixelRule } from './pixel-diff.js';

/**
 * Compares two images with one odiff process; an Engine. The verdict is that of odiff: it leaves out anti-aliasing by its own rule, and
 * does not count it.
 *
 * @throws ProofsheetError `engine-missing` if there is no binary for this machine; `engine-failed` if odiff fails, or if its count
 *   contradicts its mask
 */
export async function compareByOdiff(before: Pixels, after: Pixels, rule: PixelRule): Promise<PixelDiff> {
  const binary = findBinary();
  if (toBuffer(before.data).equals(after.data)) return NO_DIFFERENCE;
  // JPEG and WebP are decoded here for all engines: odiff's own decoder would return other pixels and other counts.
  const [one, other] = [storePng(before), storePng(after)];
  const folder = await mkdtemp(join(tmpdir(), 'proofsheet-odiff-')).catch(throwUnwritable);
  try {
    await writeFile(join(folder, 'before.png'), one).catch(throwUnwritable);
    await writeFile(join(folder, 'after.png'), other).catch(throwUnwritable);
    const count = await countPixels(binary, folder, rule);
    return count === 0 ? NO_DIFFERENCE : await readMask(join(folder, MASK), before, count);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const MASK = 'mask.png';

// Two images of the maximum size take seconds. A longer comparison means that the process hangs.
const TIMEOUT_MS = 120_000;

const DIFFERENT = 22;

function countPixels(binary: string, cwd: string, { threshold, antialiasing }: PixelRule): Promise<number> {
  const flags = ['--diff-mask', '--parsable-stdout', `--threshold=${threshold}`];
  if (antialiasing !== 'count') flags.push('--antialiasing');
  const options = { cwd, timeout: TIMEOUT_MS, killSignal: 'SIGKILL', windowsHide: true } as const;
  return new Promise((resolve, reject) => {
    execFile(binary, ['before.png', 'after.png', MASK, ...flags], options, (error, stdout, stderr) => {
      const count = error ? Number.parseInt(stdout, 10) : 0;
      if (!error || (error.code === DIFFERENT && count > 0)) resolve(count);
      else reject(failed(error.signal ? `the process was killed (${error.signal})` : stderr.trim() || error.message));
    });
  });
}

async function readMask(path: string, size: Size, count: number): Promise<PixelDiff> {
  const found = await decodePng(await readFile(path));
  if (!isSameSize(found, size)) {
    throw failed(`the diff mask is ${found.width}x${found.height}, expected ${size.width}x${size.height}`);
  }
  const mask = createMask(size);
  const words = wordsOf(found);
  for (let i = 0; i < words.length; i++) if (words[i] !== 0) mask.data[i] = CHANGED;
  const pixelDiff = countMask(mask);
  // If the count and the mask disagreed, the report would contradict the verdict.
  if (pixelDiff.mismatchPixels === count) return pixelDiff;
  throw failed(`the diff mask has ${pixelDiff.mismatchPixels} px, expected ${count} px`);
}

function findBinary(): string {
  try {
    const odiff: { findBinary(): string } = createRequire(import.meta.url)('odiff-bin/binary.js');
    return odiff.findBinary();
  } catch (cause) {
    const found = `no binary for ${process.platform}-${process.arch} (${messageOf(cause)})`;
    const advice = 'Set `engine: pixelmatch`, or install the optional dependencies on a supported platform.';
    throw failure('engine-missing', 'odiff', found, advice);
  }
}

function failed(found: string): ProofsheetError {
  const advice = 'The images were not compared. Run again, or set `engine: pixelmatch`.';
  return failure('engine-failed', 'odiff', found, advice);
}

function throwUnwritable(cause: unknown): never {
  throw failed(`the temporary files cannot be written to ${tmpdir()} (${messageOf(cause)})`);
}

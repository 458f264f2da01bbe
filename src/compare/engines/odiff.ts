import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSameSize } from '../../image/canvas.js';
import { decodePng } from '../../image/png/decode.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import type { Pixels, Size } from '../../model/image.js';
import type { Side } from '../side.js';
import { failed, type OdiffQuestion, OdiffServer } from './odiff-server.js';
import {
  ANTI_ALIASED,
  CHANGED,
  countMask,
  createMask,
  NO_DIFFERENCE,
  type PixelDiff,
  type PixelRule,
} from './pixel-diff.js';
import { compareByPixelmatch } from './pixelmatch.js';

/**
 * Compares two images with odiff; an Engine. All comparisons of this Node process share one odiff process.
 *
 * odiff uses the arithmetic of pixelmatch in fixed point. It decides only which pixels differ. pixelmatch decides which of
 * these pixels anti-aliasing explains, so that both engines return the same verdict. The check of odiff is looser: it
 * accepts the darkest neighbor in one image and the brightest in the other. pixelmatch requires the same in both.
 *
 * @throws ProofsheetError `engine-missing` if there is no binary for this machine; `engine-failed` if odiff does not
 *   respond, or if its count contradicts its mask
 */
export async function compareByOdiff(before: Side, after: Side, rule: PixelRule): Promise<PixelDiff> {
  const folder = await mkdtemp(join(tmpdir(), 'proofsheet-odiff-')).catch(throwUnwritable);
  try {
    return await compareIn(folder, before, after, rule);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the installed version, such as 4.5.0. */
export function odiffVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)('odiff-bin/package.json');
  return version;
}

// Two images of the maximum size take seconds. A longer comparison means that the process hangs.
const TIMEOUT_MS = 120_000;

let server: OdiffServer | null = null;

async function compareIn(
  folder: string,
  before: Side,
  after: Side,
  { threshold, antialiasing }: PixelRule,
): Promise<PixelDiff> {
  const [base, compare] = [join(folder, 'before.png'), join(folder, 'after.png')];
  await writeInput(base, await before.png());
  await writeInput(compare, await after.png());
  const output = join(folder, 'differs.png');
  const options = { threshold, antialiasing: false, outputDiffMask: true } as const;
  const count = await countPixels({ base, compare, output, options }, before, after);
  if (count === 0) return NO_DIFFERENCE;
  const diffMask = await readMask(output, before.size);
  const explained =
    antialiasing === 'count' ? NO_DIFFERENCE : await compareByPixelmatch(before, after, { threshold: 0, antialiasing });
  return verifyCount(pixelDiffOf(diffMask, explained), count);
}

async function countPixels(question: OdiffQuestion, before: Side, after: Side): Promise<number> {
  server ??= new OdiffServer(findBinary(), TIMEOUT_MS);
  const answer = await server.ask(question);
  if ('diffCount' in answer) return answer.diffCount;
  // If odiff could not read an image, our decoder throws a more precise error.
  await before.pixels();
  await after.pixels();
  throw failed(answer.error);
}

/** Reads the mask that odiff wrote: RGBA, all zeros for equal pixels. */
async function readMask(file: string, size: Size): Promise<Pixels> {
  const mask = await decodePng(await readFile(file));
  if (isSameSize(mask, size)) return mask;
  throw failed(`the diff mask is ${mask.width}x${mask.height}, expected ${size.width}x${size.height}`);
}

/**
 * Marks each pixel that differs as changed or as anti-aliased. `explained` comes from a threshold of 0, so it covers every
 * pixel that differs.
 */
function pixelDiffOf({ width, height, data }: Pixels, explained: PixelDiff): PixelDiff {
  const mask = createMask({ width, height });
  const differs = new Uint32Array(data.buffer, data.byteOffset, mask.data.length);
  for (let i = 0; i < mask.data.length; i++) {
    if (differs[i] !== 0) mask.data[i] = explained.mask?.data[i] === ANTI_ALIASED ? ANTI_ALIASED : CHANGED;
  }
  return countMask(mask);
}

// If the count and the mask disagreed, the report would contradict the verdict.
function verifyCount(pixelDiff: PixelDiff, count: number): PixelDiff {
  const maskPixels = pixelDiff.mismatchPixels + pixelDiff.antialiasedPixels;
  if (maskPixels === count) return pixelDiff;
  throw failed(`the diff mask has ${maskPixels} px, expected ${count} px`);
}

function findBinary(): string {
  try {
    const odiff: { findBinary(): string } = createRequire(import.meta.url)('odiff-bin/binary.js');
    return odiff.findBinary();
  } catch (cause) {
    throw new ProofsheetError({
      code: 'engine-missing',
      where: 'odiff',
      found: `no binary for ${process.platform}-${process.arch} (${messageOf(cause)})`,
      advice: 'Set `engine: pixelmatch`, or install the optional dependencies on a supported platform.',
    });
  }
}

async function writeInput(file: string, bytes: Buffer): Promise<void> {
  await writeFile(file, bytes).catch(throwUnwritable);
}

function throwUnwritable(cause: unknown): never {
  throw failed(`the temporary files cannot be written to ${tmpdir()} (${messageOf(cause)})`);
}

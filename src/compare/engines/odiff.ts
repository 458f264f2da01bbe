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
import { ANTI_ALIASED, CHANGED, countMask, createMask, NOTHING, type PixelDiff, type PixelRule } from './pixel-diff.js';
import { compareByPixelmatch } from './pixelmatch.js';

/**
 * Compares by odiff, in one process that all comparisons of this Node process share; an Engine.
 *
 * Its arithmetic is pixelmatch's in fixed point. It is asked only which pixels differ; which of them anti-aliasing explains,
 * pixelmatch says, so that both engines come to one verdict. odiff would be more ready to see it: the darkest neighbour may
 * prove it in one image and the brightest in the other, where pixelmatch wants the same in both.
 *
 * @throws ProofsheetError `engine-missing` where there is no binary for this machine; `engine-failed` when it gives no
 *   answer, or not the one that its own mask gives
 */
export async function compareByOdiff(before: Side, after: Side, rule: PixelRule): Promise<PixelDiff> {
  const folder = await mkdtemp(join(tmpdir(), 'proofsheet-odiff-')).catch(unwritable);
  try {
    return await compareIn(folder, before, after, rule);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ends the odiff process; the next comparison starts another. Safe to call at any time, but it fails what is under way. */
export function closeOdiff(): void {
  server?.close();
}

/** Returns the version that is installed, such as 4.5.0. */
export function odiffVersion(): string {
  const { version }: { version: string } = createRequire(import.meta.url)('odiff-bin/package.json');
  return version;
}

// Two images of the largest size take seconds; what takes longer has hung.
const TIMEOUT_MS = 120_000;

let server: OdiffServer | null = null;

async function compareIn(
  folder: string,
  before: Side,
  after: Side,
  { threshold, antialiasing }: PixelRule,
): Promise<PixelDiff> {
  const [base, compare] = [join(folder, 'before.png'), join(folder, 'after.png')];
  await write(base, await before.png());
  await write(compare, await after.png());
  const output = join(folder, 'differs.png');
  const options = { threshold, antialiasing: false, outputDiffMask: true } as const;
  const count = await countBy({ base, compare, output, options }, before, after);
  if (count === 0) return NOTHING;
  const differs = await readMask(output, before.size);
  const explained =
    antialiasing === 'count' ? NOTHING : await compareByPixelmatch(before, after, { threshold: 0, antialiasing });
  return checked(pixelDiffOf(differs, explained), count);
}

async function countBy(question: OdiffQuestion, before: Side, after: Side): Promise<number> {
  server ??= new OdiffServer(findBinary(), TIMEOUT_MS);
  const answer = await server.ask(question);
  if ('diffCount' in answer) return answer.diffCount;
  // Is it an image that odiff could not read? Then our own decoder says which, and why.
  await before.pixels();
  await after.pixels();
  throw failed(answer.error);
}

/** RGBA, all zeros where nothing differs. */
async function readMask(file: string, size: Size): Promise<Pixels> {
  const mask = await decodePng(await readFile(file));
  if (isSameSize(mask, size)) return mask;
  throw failed(`its mask is ${mask.width}x${mask.height}, the images are ${size.width}x${size.height}`);
}

/** What differs has changed, where it is not explained: at a threshold of 0, the other engine has a word on every pixel. */
function pixelDiffOf({ width, height, data }: Pixels, explained: PixelDiff): PixelDiff {
  const mask = createMask({ width, height });
  const differs = new Uint32Array(data.buffer, data.byteOffset, mask.data.length);
  for (let i = 0; i < mask.data.length; i++) {
    if (differs[i] !== 0) mask.data[i] = explained.mask?.data[i] === ANTI_ALIASED ? ANTI_ALIASED : CHANGED;
  }
  return countMask(mask);
}

// A count and a mask that disagree would be a verdict that the report contradicts.
function checked(pixelDiff: PixelDiff, count: number): PixelDiff {
  const shown = pixelDiff.mismatchPixels + pixelDiff.antialiasedPixels;
  if (shown === count) return pixelDiff;
  throw failed(`it counted ${count} pixels, its mask shows ${shown}`);
}

function findBinary(): string {
  try {
    const odiff: { findBinary(): string } = createRequire(import.meta.url)('odiff-bin/binary.js');
    return odiff.findBinary();
  } catch (cause) {
    throw new ProofsheetError({
      code: 'engine-missing',
      where: 'odiff',
      found: `there is no binary for ${process.platform}-${process.arch} (${messageOf(cause)})`,
      advice: 'Set engine: pixelmatch, or install with optional dependencies on a platform that has one.',
    });
  }
}

async function write(file: string, bytes: Buffer): Promise<void> {
  await writeFile(file, bytes).catch(unwritable);
}

function unwritable(cause: unknown): never {
  throw failed(`its files cannot be written to ${tmpdir()} (${messageOf(cause)})`);
}

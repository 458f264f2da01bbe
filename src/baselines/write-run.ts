import { copyFile, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Warning } from '../model/capture.js';
import { messageOf, ProofsheetError } from '../model/errors.js';
import type { RunRecord, ShotRecord } from '../model/run-record.js';
import { isTemporary, replaceFile } from './atomic-write.js';
import {
  INDEX_FILE,
  partialFolder,
  REPORT_ENTRIES,
  RESULTS_FILE,
  replacedFolder,
  resolveLink,
  SUMMARY_FILE,
} from './paths.js';

/** An image on its way into a report: a file, its bytes, or null where it got lost on the way. */
export interface StagedImage {
  readonly link: string;
  readonly from: string | Buffer | null;
}

/** What people read of a run. */
export interface RunPages {
  readonly index: string;
  readonly summary: string;
}

/**
 * Writes a run in place of the last one: beside the folder first, then swapped, so that after a crash there is the old
 * or the new. An image that is not there is no reason to lose the run: its link becomes null, and the shot says so.
 *
 * @param render gives the pages of the record as it is written.
 * @returns the record as it was written.
 * @throws ProofsheetError `report-unwritable`; the last run is as it was.
 */
export async function writeRun(
  folder: string,
  run: RunRecord,
  images: readonly StagedImage[],
  render: (run: RunRecord) => RunPages,
): Promise<RunRecord> {
  // A link to a folder stays a link.
  const target = await realpath(folder).catch(() => resolve(folder));
  const partial = partialFolder(target);
  try {
    await restore(target);
    await refuseMismatch(target);
    const written = await writeWhole(partial, run, images, render);
    await swap(partial, target);
    return written;
  } catch (cause) {
    await remove(partial).catch(messageOf);
    if (cause instanceof ProofsheetError) throw cause;
    throw unwritable(folder, `the report cannot be written (${messageOf(cause)})`, ADVICE_DISK);
  }
}

/**
 * Writes what has become of a run after its end into its report, file by file, each whole or not at all.
 *
 * @throws ProofsheetError `report-unwritable`
 */
export async function rewriteRun(folder: string, run: RunRecord, pages: RunPages): Promise<void> {
  try {
    for (const [name, text] of filesOf(run, pages)) await replaceFile(join(folder, name), text);
  } catch (cause) {
    throw unwritable(folder, `the report cannot be written (${messageOf(cause)})`, 'Look at the rights of the folder.');
  }
}

function filesOf(run: RunRecord, { index, summary }: RunPages): [name: string, text: string][] {
  return [
    [RESULTS_FILE, `${JSON.stringify(run, null, 2)}\n`],
    [SUMMARY_FILE, summary],
    [INDEX_FILE, index],
  ];
}

const ADVICE_DISK =
  'Look at the rights of the folder and the room on the disk, or set outputFolder of proofsheet/reporter.';
const ADVICE_FOREIGN = 'Nothing was removed. Set outputFolder of proofsheet/reporter to a folder of its own.';

/** What a file browser leaves in any folder it shows. */
const LITTER = ['.DS_Store', 'Thumbs.db', 'desktop.ini'];

/** A disk that fails for one image fails for all. */
const DISK_ERRORS = ['ENOSPC', 'EROFS', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE'];

/** A crash between the two renames of a swap left the last run under its other name. */
async function restore(target: string): Promise<void> {
  const replaced = replacedFolder(target);
  if ((await exists(replaced)) && !(await exists(target))) await rename(replaced, target);
}

async function refuseMismatch(target: string): Promise<void> {
  if (!(await exists(target))) return;
  if (!(await stat(target)).isDirectory()) throw unwritable(target, 'it is a file, expected a folder', ADVICE_FOREIGN);
  const entries = (await readdir(target)).filter((entry) => !LITTER.includes(entry) && !isTemporary(entry));
  if (entries.length === 0) return;
  const stranger = entries.sort().find((entry) => !REPORT_ENTRIES.includes(entry));
  if (stranger) throw unwritable(target, `the folder holds ${stranger}, which is not of a report`, ADVICE_FOREIGN);
  if (!(await isOurs(join(target, RESULTS_FILE)))) {
    throw unwritable(target, `the folder is not empty, and has no ${RESULTS_FILE} of proofsheet`, ADVICE_FOREIGN);
  }
}

async function isOurs(resultsFile: string): Promise<boolean> {
  try {
    return JSON.parse(await readFile(resultsFile, 'utf8')).tool.name === 'proofsheet';
  } catch {
    return false;
  }
}

async function writeWhole(
  partial: string,
  run: RunRecord,
  images: readonly StagedImage[],
  render: (run: RunRecord) => RunPages,
): Promise<RunRecord> {
  await remove(partial);
  await mkdir(dirname(partial), { recursive: true });
  await mkdir(partial);
  const losses = new Map<string, string | null>();
  for (const { link, from } of images) losses.set(link, await placeImage(partial, link, from));
  const written = { ...run, shots: run.shots.map((shot) => dropLostLinks(shot, losses)) };
  for (const [name, text] of filesOf(written, render(written))) await writeFile(join(partial, name), text);
  return written;
}

/** @returns why the image is not there, or null when it is. */
async function placeImage(partial: string, link: string, from: string | Buffer | null): Promise<string | null> {
  const path = resolveLink(partial, link);
  if (path === null) return 'its link leads out of the report';
  if (from === null) return 'the test result does not have it';
  try {
    await mkdir(dirname(path), { recursive: true });
    await (typeof from === 'string' ? copyFile(from, path) : writeFile(path, from));
    return null;
  } catch (cause) {
    if (DISK_ERRORS.includes(codeOf(cause))) throw cause;
    return messageOf(cause);
  }
}

/** A link stays only where there is a file behind it. */
function dropLostLinks(shot: ShotRecord, losses: ReadonlyMap<string, string | null>): ShotRecord {
  const lost = new Map<string, Warning>();
  const keep = (what: string, link: string | null): string | null => {
    if (link === null) return null;
    const loss = losses.has(link) ? losses.get(link) : 'the test did not send it';
    if (!loss) return link;
    // A file that is several images is told once, as the first of them.
    if (!lost.has(link))
      lost.set(link, { code: 'image-missing', message: `the ${what} is not in the report: ${loss}` });
    return null;
  };
  const keepAll = <Told extends Partial<Pictures>>(told: Told, whose: string): Told => ({
    ...told,
    ...(told.before && { before: { ...told.before, link: keep(`before image${whose}`, told.before.link) } }),
    ...(told.diff && { diff: { ...told.diff, link: keep(`diff image${whose}`, told.diff.link) } }),
    ...(told.after && { after: { ...told.after, link: keep(`after image${whose}`, told.after.link) } }),
  });
  const kept = keepAll(shot, '');
  const capture = shot.capture && { ...shot.capture, link: keep('captured image', shot.capture.link) };
  const attempts = shot.attempts.map((attempt, index) => keepAll(attempt, ` of attempt ${index + 1}`));
  return { ...kept, capture, attempts, warnings: [...shot.warnings, ...lost.values()] };
}

type Pictures = Pick<ShotRecord, 'before' | 'after' | 'diff'>;

async function swap(partial: string, target: string): Promise<void> {
  const replaced = replacedFolder(target);
  await remove(replaced);
  const hadOne = await exists(target);
  if (hadOne) await rename(target, replaced);
  try {
    await rename(partial, target);
  } catch (cause) {
    if (hadOne) await rename(replaced, target);
    throw cause;
  }
  // The run is in its place: what is left of the last one is no reason to fail.
  await remove(replaced).catch(messageOf);
}

/** Retries: Windows keeps files for a moment when something looks at them. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (cause) => {
      if (codeOf(cause) === 'ENOENT') return false;
      throw cause;
    },
  );
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}

function unwritable(where: string, found: string, advice: string): ProofsheetError {
  return new ProofsheetError({ code: 'report-unwritable', where, found, advice });
}

import { copyFileSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Warning } from '../model/capture.js';
import { messageOf, ProofsheetError } from '../model/errors.js';
import { resolveLink } from '../model/links.js';
import { renderJson } from '../model/plain-text.js';
import type { RunRecord, ShotRecord } from '../model/run-record.js';
import { isTemporary, replaceFile } from './atomic-write.js';
import { INDEX_FILE, partialFolder, REPORT_ENTRIES, RESULTS_FILE, replacedFolder, SUMMARY_FILE } from './paths.js';

/** An image of a report, as a file path or as bytes; null if it is missing. */
export interface StagedImage {
  readonly link: string;
  readonly from: string | Buffer | null;
}

/** The rendered pages of a run. */
export interface RunPages {
  readonly index: string;
  readonly summary: string;
}

/**
 * Replaces the report of the previous run. Builds the new report in a sibling folder and then swaps the folders, so that after a
 * crash one of both is complete. If an image is missing, its link becomes null and the shot gets a warning.
 *
 * @param render renders the pages of the written record.
 * @returns the record as it was written.
 * @throws ProofsheetError `report-unwritable`. The previous report is not changed.
 */
export async function writeRun(
  folder: string,
  run: RunRecord,
  images: readonly StagedImage[],
  render: (run: RunRecord) => RunPages,
): Promise<RunRecord> {
  // If the folder is a symbolic link, replace its target.
  const target = await realpath(folder).catch(() => resolve(folder));
  const partial = partialFolder(target);
  try {
    await restore(target);
    await refuseOtherFolder(target);
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
 * Rewrites the record and the pages of a report after its run. Each file is written atomically.
 *
 * @throws ProofsheetError `report-unwritable`
 */
export async function rewriteRun(folder: string, run: RunRecord, pages: RunPages): Promise<void> {
  try {
    for (const [name, text] of filesOf(run, pages)) await replaceFile(join(folder, name), text);
  } catch (cause) {
    throw unwritable(
      folder,
      `the report cannot be written (${messageOf(cause)})`,
      'Check the permissions of the folder.',
    );
  }
}

function filesOf(run: RunRecord, { index, summary }: RunPages): [name: string, text: string][] {
  return [
    [RESULTS_FILE, `${renderJson(run, 2)}\n`],
    [SUMMARY_FILE, summary],
    [INDEX_FILE, index],
  ];
}

const ADVICE_DISK =
  'Check the permissions of the folder and the free disk space, or set outputFolder of proofsheet/reporter.';
const ADVICE_OTHER_FOLDER =
  'Nothing was removed. Set outputFolder of proofsheet/reporter to a folder that contains only the report.';

/** Files that file managers create in folders. */
const SYSTEM_FILES = ['.DS_Store', 'Thumbs.db', 'desktop.ini'];

/** Errors that affect all images, not a single one. */
const DISK_ERRORS = ['ENOSPC', 'EROFS', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE'];

/** Restores the previous report after a crash between the two renames of {@link swap}. */
async function restore(target: string): Promise<void> {
  const replaced = replacedFolder(target);
  if ((await exists(replaced)) && !(await exists(target))) await rename(replaced, target);
}

async function refuseOtherFolder(target: string): Promise<void> {
  if (!(await exists(target))) return;
  if (!(await stat(target)).isDirectory())
    throw unwritable(target, 'this is a file; expected a folder', ADVICE_OTHER_FOLDER);
  const entries = (await readdir(target)).filter((entry) => !SYSTEM_FILES.includes(entry) && !isTemporary(entry));
  if (entries.length === 0) return;
  const unexpected = entries.sort().find((entry) => !REPORT_ENTRIES.includes(entry));
  if (unexpected)
    throw unwritable(
      target,
      `the folder contains ${unexpected}, which does not belong to a report`,
      ADVICE_OTHER_FOLDER,
    );
  if (!(await isRunRecord(join(target, RESULTS_FILE)))) {
    throw unwritable(target, `the folder is not empty and has no ${RESULTS_FILE} of proofsheet`, ADVICE_OTHER_FOLDER);
  }
}

async function isRunRecord(resultsFile: string): Promise<boolean> {
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
  const losses = new Map(images.map(({ link, from }) => [link, placeImage(partial, link, from)]));
  const written = { ...run, shots: run.shots.map((shot) => dropLostLinks(shot, losses)) };
  for (const [name, text] of filesOf(written, render(written))) await writeFile(join(partial, name), text);
  return written;
}

/**
 * Links or writes an image. A report can have hundreds of images, and synchronous calls take about half the time.
 *
 * @returns why the image is missing, or null
 */
function placeImage(partial: string, link: string, from: string | Buffer | null): string | null {
  const path = resolveLink(partial, link);
  if (path === null) return 'the link points outside the report';
  if (from === null) return 'the test result does not contain the image';
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (typeof from === 'string') linkOrCopy(from, path);
    else writeFileSync(path, from);
    return null;
  } catch (cause) {
    if (DISK_ERRORS.includes(codeOf(cause))) throw cause;
    return messageOf(cause);
  }
}

/** Creates a hard link, which moves no bytes. Copies the file if the file system has no such links, or if it is on another one. */
function linkOrCopy(from: string, path: string): void {
  try {
    linkSync(from, path);
  } catch (cause) {
    messageOf(cause);
    copyFileSync(from, path);
  }
}

/** Sets the links of missing images to null and adds a warning for each. */
function dropLostLinks(shot: ShotRecord, losses: ReadonlyMap<string, string | null>): ShotRecord {
  const lost = new Map<string, Warning>();
  const linkOrNull = (what: string, link: string | null): string | null => {
    if (link === null) return null;
    const loss = losses.has(link) ? losses.get(link) : 'the test did not attach the image';
    if (!loss) return link;
    // Warn once per file, even if several images of the shot share it.
    if (!lost.has(link))
      lost.set(link, { code: 'image-missing', message: `the ${what} is not in the report: ${loss}` });
    return null;
  };
  const dropLinks = <T extends Partial<Pictures>>(images: T, whose: string): T => ({
    ...images,
    ...(images.before && {
      before: { ...images.before, link: linkOrNull(`before image${whose}`, images.before.link) },
    }),
    ...(images.diff && { diff: { ...images.diff, link: linkOrNull(`diff image${whose}`, images.diff.link) } }),
    ...(images.after && { after: { ...images.after, link: linkOrNull(`after image${whose}`, images.after.link) } }),
  });
  const withLinks = dropLinks(shot, '');
  const capture = shot.capture && { ...shot.capture, link: linkOrNull('screenshot', shot.capture.link) };
  const attempts = shot.attempts.map((attempt, index) => dropLinks(attempt, ` of attempt ${index + 1}`));
  return { ...withLinks, capture, attempts, warnings: [...shot.warnings, ...lost.values()] };
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
  // The new report is in place: do not fail because of remains of the previous one.
  await remove(replaced).catch(messageOf);
}

/** Removes a folder. Retries, because Windows locks files briefly while another process reads them. */
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

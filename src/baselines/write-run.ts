import { copyFileSync, linkSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  adviseFileError,
  codeOf,
  failure,
  IMAGES_FOLDER,
  messageOf,
  ProofsheetError,
  type RunRecord,
  renderJson,
  resolveLink,
  type ShotRecord,
  type Warning,
} from '../model/index.js';
import { renderHtml, renderMarkdown } from '../report/index.js';
import { renameOver, replaceFile, sweep } from './atomic-write.js';
import { readInlineImages, rereadInlineImages, type StagedImage } from './inline-images.js';
import { isLockFile, isTemporary, temporaryName, withLock } from './locks.js';
import { DECISIONS_FOLDER, INDEX_FILE, RESULTS_FILE, SUMMARY_FILE } from './names.js';

/**
 * Replaces the report of the previous run: adds the images, replaces the pages and then the record that names the images, and removes what
 * only the previous report had. The folder itself may be a mount point, which cannot be renamed. After a crash, one of both reports is
 * complete. If an image is missing, its link becomes null and the shot gets a warning.
 *
 * @param options - `singleFile`: `index.html` has images in it
 * @returns the record as it was written
 * @throws ProofsheetError `report-unwritable`, `lock-held`
 */
export async function writeRun(
  folder: string,
  run: RunRecord,
  images: readonly StagedImage[],
  { singleFile = false }: { readonly singleFile?: boolean } = {},
): Promise<RunRecord> {
  try {
    await refuseOtherFolder(folder);
    await mkdir(dirname(folder), { recursive: true });
    // Not recursive: on a file system that takes no folders, such as /proc, that does not end.
    await mkdir(folder).catch(unless('EEXIST'));
    return await lockReport(folder, async () => {
      // If the first run fails, this says that its images are those of a report.
      writeFileSync(join(folder, temporaryName()), '');
      const folders = new Set([folder]);
      makeFolder(join(folder, IMAGES_FOLDER), folders);
      const losses = new Map(images.map(({ link, from }) => [link, placeImage(folder, link, from, folders)]));
      const written = { ...run, shots: run.shots.map((shot) => dropLostLinks(shot, losses)) };
      await writeFiles(folder, written, singleFile ? readInlineImages(written.shots, images) : null);
      await removeOthers(join(folder, IMAGES_FOLDER), new Set(images.map(({ link }) => resolveLink(folder, link))));
      await rm(join(folder, DECISIONS_FOLDER), REMOVAL).catch(() => {});
      // Those of this run and of killed ones: no other process writes here now.
      const temporary = (await readdir(folder)).filter((name) => isTemporary(name) && !isLockFile(name));
      for (const name of temporary) await rm(join(folder, name), REMOVAL).catch(() => {});
      await sweep([folder]);
      return written;
    });
  } catch (cause) {
    if (cause instanceof ProofsheetError) throw cause;
    throw unwritable(folder, cause, ', or set outputFolder of proofsheet/reporter.');
  }
}

/** Runs an action that reads and changes a report, or the baselines that it decides on, while no other process does. */
export function lockReport<T>(folder: string, action: () => Promise<T>): Promise<T> {
  return withLock(folder, 'report', action);
}

/**
 * Rewrites the record and the pages of a report after its run. Each file is written atomically. The caller holds {@link lockReport}.
 *
 * @throws ProofsheetError `report-unwritable`
 */
export async function rewriteRun(folder: string, run: RunRecord): Promise<void> {
  try {
    await writeFiles(folder, run, await rereadInlineImages(folder, run));
  } catch (cause) {
    throw unwritable(folder, cause, '.');
  }
}

/** Writes the record last: it names the images. */
async function writeFiles(folder: string, run: RunRecord, images: ReadonlyMap<string, Buffer> | null): Promise<void> {
  await replaceFile(join(folder, INDEX_FILE), renderHtml(run, { images }));
  await replaceFile(join(folder, SUMMARY_FILE), renderMarkdown(run));
  await replaceFile(join(folder, RESULTS_FILE), `${renderJson(run, 2)}\n`);
}

/** The top-level entries of a report folder. A folder with other entries must not be replaced. */
const REPORT_ENTRIES = [RESULTS_FILE, SUMMARY_FILE, INDEX_FILE, IMAGES_FOLDER, DECISIONS_FOLDER];

/** Files that file managers create in folders, and the folder that a file system of its own can have. */
const SYSTEM_FILES = ['.DS_Store', 'Thumbs.db', 'desktop.ini', 'lost+found'];

/** Errors that affect all images, not a single one. */
const DISK_ERRORS = ['ENOSPC', 'EROFS', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE'];

async function refuseOtherFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(unless('ENOENT'));
  if (!found) return;
  if (!found.isDirectory()) throw otherFolder(folder, 'this is a file; expected a folder');
  const all = await readdir(folder);
  const entries = all.filter((name) => !SYSTEM_FILES.includes(name) && !isTemporary(name));
  const unexpected = entries.sort().find((name) => !REPORT_ENTRIES.includes(name));
  if (unexpected) throw otherFolder(folder, `the folder contains ${unexpected}, which does not belong to a report`);
  // Without a record, the images are those of a first report that was killed: its temporary file remains.
  const isOwn = entries.length === 0 || all.some(isTemporary) || (await isRunRecord(join(folder, RESULTS_FILE)));
  if (!isOwn) throw otherFolder(folder, `the folder is not empty and has no ${RESULTS_FILE} of proofsheet`);
}

async function isRunRecord(resultsFile: string): Promise<boolean> {
  try {
    return JSON.parse(await readFile(resultsFile, 'utf8')).tool.name === 'proofsheet';
  } catch {
    return false;
  }
}

/** Returns why an image is missing, or null. A report can have hundreds of images, and synchronous calls take about half the time. */
function placeImage(folder: string, link: string, from: string | Buffer | null, folders: Set<string>): string | null {
  const path = resolveLink(folder, link);
  if (path === null) return 'the link points outside the report';
  if (from === null) return 'the test result does not contain the image';
  try {
    makeFolder(dirname(path), folders);
    const temporary = join(dirname(path), temporaryName());
    if (typeof from === 'string') linkOrCopy(from, temporary);
    else writeFileSync(temporary, from);
    renameOver(temporary, path);
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
  } catch {
    copyFileSync(from, path);
  }
}

function dropLostLinks(shot: ShotRecord, losses: ReadonlyMap<string, string | null>): ShotRecord {
  // One warning per file, even if several images of the shot share it.
  const warnings = new Map<string, Warning>();
  const linked = mapLinks(shot, (link, name) => {
    const loss = losses.has(link) ? losses.get(link) : 'the test did not attach the image';
    if (!loss) return link;
    const message = `the ${name} is not in the report: ${loss}`;
    if (!warnings.has(link)) warnings.set(link, { code: 'image-missing', message });
    return null;
  });
  return { ...linked, warnings: [...shot.warnings, ...warnings.values()] };
}

/** Returns a shot with other links of its images. @param map - gets a link, and a name such as `after image of attempt 2` */
export function mapLinks(shot: ShotRecord, map: (link: string, name: string) => string | null): ShotRecord {
  const mapImages = <T extends Partial<Pick<ShotRecord, (typeof IMAGES)[number]>>>(images: T, whose = ''): T => {
    const mapped = IMAGES.flatMap((name) => {
      const image = images[name];
      return image ? [[name, { ...image, link: image.link && map(image.link, `${name} image${whose}`) }] as const] : [];
    });
    return { ...images, ...Object.fromEntries(mapped) };
  };
  return {
    ...mapImages(shot),
    attempts: shot.attempts.map((attempt, index) => mapImages(attempt, ` of attempt ${index + 1}`)),
  };
}

const IMAGES = ['before', 'diff', 'after', 'capture'] as const;

/** Creates a folder and its parents, except those made before. Replaces a symbolic link: no file may be written or removed through it. */
export function makeFolder(path: string, made: Set<string>): void {
  if (made.has(path)) return;
  makeFolder(dirname(path), made);
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    rmSync(path, { force: true });
    mkdirSync(path);
  }
  made.add(path);
}

/** Removes the files of a folder that are not kept, and empty folders. Errors are ignored: the new report is in place. */
async function removeOthers(folder: string, kept: ReadonlySet<string | null>): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeOthers(path, kept);
    else if (!kept.has(path)) await rm(path, REMOVAL).catch(() => {});
  }
  await rmdir(folder).catch(() => {});
}

/** With retries, because Windows locks files briefly while another process reads them. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5 };

function unless(code: string) {
  return (cause: unknown): null => {
    if (codeOf(cause) === code) return null;
    throw cause;
  };
}

function otherFolder(where: string, found: string): ProofsheetError {
  const advice =
    'Nothing was removed. Set outputFolder of proofsheet/reporter to a folder that contains only the report.';
  return failure('report-unwritable', where, found, advice);
}

function unwritable(where: string, cause: unknown, end: string): ProofsheetError {
  const found = `the report cannot be written (${messageOf(cause)})`;
  return failure('report-unwritable', where, found, `${adviseFileError(cause)}${end}`);
}

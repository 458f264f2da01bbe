import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { findImage, INDEX_FILE, RESULTS_FILE, readRun, SUMMARY_FILE, sha256 } from '../baselines/index.js';
import { IMAGES_FOLDER, mediaTypeOf, type RunRecord, renderJson, type ShotRecord } from '../model/index.js';
import { linksOf, renderPages } from '../report/index.js';

/** A file of a published report. */
export interface PublicFile {
  /** Relative to the place of all published reports. */
  readonly path: string;
  readonly contentType: string;
  /** Whether the path depends on the content, so that the file never changes. */
  readonly isFixed: boolean;
  read(): Promise<Buffer>;
}

/**
 * Lists the files of a published report, in the order to upload them: each image once, the smallest first, then the record, and the page last. All
 * reports share the images, which their hash names. A page is rendered from the record, because the `index.html` of a report from elsewhere is
 * untrusted.
 *
 * @param name - the folder of the report
 * @throws ProofsheetError `run-missing`, `record-invalid`
 */
export async function assembleReport(folder: string, name: string): Promise<{ run: RunRecord; files: PublicFile[] }> {
  const run = await readRun(folder);
  const images = new Map<string, PublicFile & { readonly size: number }>();
  const links = new Map<string, string>();
  for (const link of new Set(run.shots.flatMap(linksOf))) {
    const path = await findImage(folder, link);
    const contentType = mediaTypeOf(extname(link).slice(1));
    if (path === null || contentType === null) continue;
    const bytes = await readFile(path);
    const shared = `${IMAGES_FOLDER}/${sha256(bytes)}${extname(link)}`;
    links.set(link, `../${shared}`);
    const image = { path: shared, contentType, isFixed: true, size: bytes.length, read: () => readFile(path) };
    images.set(shared, image);
  }
  const record = { ...run, shots: run.shots.map((shot) => relink(shot, (link) => links.get(link) ?? null)) };
  const { index, summary } = renderPages(record);
  const fileOf = (file: string, contentType: string, text: string): PublicFile => {
    const read = async () => Buffer.from(text);
    return { path: `${name}/${file}`, contentType: `${contentType}; charset=utf-8`, isFixed: false, read };
  };
  return {
    run,
    files: [
      ...[...images.values()].sort((a, b) => a.size - b.size),
      fileOf(RESULTS_FILE, 'application/json', `${renderJson(record, 2)}\n`),
      fileOf(SUMMARY_FILE, 'text/markdown', summary),
      fileOf(INDEX_FILE, 'text/html', index),
    ],
  };
}

/** Returns a shot with other links of its images. */
function relink(shot: ShotRecord, linkOf: (link: string) => string | null): ShotRecord {
  const replace = <T extends Partial<Pick<ShotRecord, 'before' | 'after' | 'diff'>>>(images: T): T => {
    const { before, after, diff } = images;
    return {
      ...images,
      ...(before && { before: { ...before, link: before.link && linkOf(before.link) } }),
      ...(after && { after: { ...after, link: after.link && linkOf(after.link) } }),
      ...(diff && { diff: { ...diff, link: diff.link && linkOf(diff.link) } }),
    };
  };
  return { ...replace(shot), attempts: shot.attempts.map(replace) };
}

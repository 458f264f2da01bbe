import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findImage, INDEX_FILE, readRun, rewriteRun } from '../baselines/index.js';
import { messageOf, type RunRecord } from '../model/index.js';
import { linksOf, renderPages } from '../report/index.js';
import { readInlineImages } from './publish-run.js';

/**
 * Applies a change to the report of a finished run. The change is applied to the record on the disk, because another process may
 * have changed it. If the report is now of another run, it is not changed.
 *
 * @returns the record with the change, and why the change is not in the report; null if it is
 */
export async function amendRun(
  folder: string,
  run: RunRecord,
  change: (run: RunRecord) => RunRecord,
): Promise<{ readonly record: RunRecord; readonly failure: string | null }> {
  try {
    const now = await readRun(folder);
    if (now.startedAt !== run.startedAt) return { record: change(run), failure: 'another run replaced the report' };
    const record = change(now);
    await rewriteRun(folder, record, await rerenderPages(folder, record));
    return { record, failure: null };
  } catch (error) {
    return { record: change(run), failure: messageOf(error) };
  }
}

/** Renders the pages of a finished run again. If the current `index.html` has inlined images, the new one has them too. */
async function rerenderPages(folder: string, record: RunRecord): Promise<ReturnType<typeof renderPages>> {
  const index = await readFile(join(folder, INDEX_FILE), 'utf8').catch(() => '');
  if (!HAS_INLINE_IMAGES.test(index)) return renderPages(record);
  const links = record.shots.flatMap(linksOf);
  const images = links.map(async (link) => ({ link, from: await findImage(folder, link) }));
  return renderPages(record, { images: readInlineImages(record.shots, await Promise.all(images)) });
}

const HAS_INLINE_IMAGES = /<script type="(image|application)\/(?!json)/;

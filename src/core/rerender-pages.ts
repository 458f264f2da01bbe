import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunRecord } from '../model/record.js';
import { INDEX_FILE } from '../record/paths.js';
import { findImage } from '../record/read-run.js';
import { linksOf } from '../report/inline.js';
import { renderPages } from '../report/render-pages.js';
import { readInlineImages } from './inline-images.js';

/** Renders the pages of a finished run anew, in the form they have: where `index.html` holds its images, it goes on to. */
export async function rerenderPages(folder: string, record: RunRecord): Promise<ReturnType<typeof renderPages>> {
  const index = await readFile(join(folder, INDEX_FILE), 'utf8').catch(() => '');
  if (!HOLDS_IMAGES.test(index)) return renderPages(record);
  const links = record.shots.flatMap(linksOf);
  const images = links.map(async (link) => ({ link, from: await findImage(folder, link) }));
  return renderPages(record, { images: readInlineImages(record.shots, await Promise.all(images)) });
}

const HOLDS_IMAGES = /<script type="(image|application)\/(?!json)/;

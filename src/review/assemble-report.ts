import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { findImage, INDEX_FILE, RESULTS_FILE, readRun, SUMMARY_FILE, sha256 } from '../baselines/index.js';
import { IMAGES_FOLDER, mediaTypeOf, renderJson, type ShotRecord } from '../model/index.js';
import { groupBy, linksOf, listPictured, renderPages, type Thumbnail } from '../report/index.js';
import { type Cut, cropsOf, cutPictures, thumbnailsOf } from './pictures.js';

/** A file of a published report. */
export interface PublicFile {
  /** Relative to the place of all published reports. */
  readonly path: string;
  readonly contentType: string;
  /** Whether the path depends on the content, so that the file never changes. */
  readonly isFixed: boolean;
  readonly bytes: Buffer;
}

/** The files of a published report, in the order to write them: the pages last, so that no page is there before its images. */
export type PublicReport = Awaited<ReturnType<typeof assembleReport>>;

/**
 * Assembles a published report. All reports share the images, which their hash names: the images of the report, the thumbnails of its cards, and
 * the crops for the comment on a pull request. A page is rendered from the record, because the `index.html` of a report from elsewhere is
 * untrusted.
 *
 * @param name - the folder of the report
 * @throws ProofsheetError `run-missing`, `record-invalid`
 */
export async function assembleReport(folder: string, name: string) {
  const run = await readRun(folder);
  const thumbnails = thumbnailsOf(run);
  const crops = listPictured(run).flatMap(({ first }) => Object.values(cropsOf(first)));
  const cuts = groupBy([...thumbnails.values(), ...crops.flatMap((cut) => cut ?? [])], ({ link }) => link);
  const links = new Map<string, string>();
  const cards = new Map<Cut, Thumbnail>();
  return {
    /** Reads the images, each once, the smallest first. Many loops can share the generator. */
    async *images(): AsyncGenerator<PublicFile> {
      const written = new Set<string>();
      for (const { link, path, contentType } of await findImages(folder, run.shots)) {
        const bytes = await readFile(path);
        const shared = `${IMAGES_FOLDER}/${sha256(bytes)}${extname(link)}`;
        links.set(link, `../${shared}`);
        const files: Omit<PublicFile, 'isFixed'>[] = [{ path: shared, contentType, bytes }];
        const wanted = cuts.get(link) ?? [];
        for (const [index, picture] of (await cutPictures(bytes, wanted)).entries()) {
          const cut = wanted[index];
          // A thumbnail is for speed: a small image is its own.
          const isSmall = crops.includes(cut ?? null) || (picture?.bytes.length ?? 0) < bytes.length;
          if (!picture || !cut || !isSmall) continue;
          files.unshift({ path: picture.path, contentType: 'image/webp', bytes: picture.bytes });
          cards.set(cut, { href: `../${picture.path}`, ...picture.place });
        }
        for (const file of files) {
          if (written.has(file.path)) continue;
          written.add(file.path);
          yield { ...file, isFixed: true };
        }
      }
    },
    /** Renders the record, the summary and the page. Only images that were read before have a link. */
    pages() {
      const shots = run.shots.map((shot) => relink(shot, (link) => links.get(link) ?? null));
      const published = run.shots.flatMap((shot, index): [ShotRecord, Thumbnail][] => {
        const [cut, relinked] = [thumbnails.get(shot), shots[index]];
        const thumbnail = cut && cards.get(cut);
        return relinked && thumbnail ? [[relinked, thumbnail]] : [];
      });
      const record = { ...run, shots };
      const { index, summary } = renderPages(record, { thumbnails: new Map(published) });
      return [
        page(`${name}/${RESULTS_FILE}`, 'application/json', `${renderJson(record, 2)}\n`),
        page(`${name}/${SUMMARY_FILE}`, 'text/markdown', summary),
        page(`${name}/${INDEX_FILE}`, 'text/html', index),
      ];
    },
  };
}

function page(path: string, contentType: string, text: string): PublicFile {
  return { path, contentType: `${contentType}; charset=utf-8`, isFixed: false, bytes: Buffer.from(text) };
}

/** Finds the images of shots, the smallest first. */
async function findImages(folder: string, shots: readonly ShotRecord[]) {
  const found: { link: string; path: string; contentType: string; size: number }[] = [];
  for (const link of new Set(shots.flatMap(linksOf))) {
    const path = await findImage(folder, link);
    const contentType = mediaTypeOf(extname(link).slice(1));
    if (path !== null && contentType !== null) found.push({ link, path, contentType, size: (await stat(path)).size });
  }
  return found.sort((a, b) => a.size - b.size);
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

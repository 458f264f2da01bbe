import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { findImage, INDEX_FILE, mapLinks, RESULTS_FILE, readRun, SUMMARY_FILE, sha256 } from '../baselines/index.js';
import { cropPixels, decodeImage, encodeWebp, readImageHeader, shrinkPixels } from '../image/index.js';
import {
  IMAGES_FOLDER,
  mediaTypeOf,
  type Pixels,
  type Rectangle,
  type RunRecord,
  renderJson,
  type ShotRecord,
  type Size,
} from '../model/index.js';
import {
  type ChangePictures,
  chooseCardImage,
  createView,
  groupBy,
  inReviewOrder,
  linksOf,
  listPictured,
  renderHtml,
  renderMarkdown,
  type Thumbnail,
} from '../report/index.js';

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
    /** Reads the images, each once. Many loops can share the generator. */
    async *images(): AsyncGenerator<PublicFile> {
      const written = new Set<string>();
      for (const link of new Set(run.shots.flatMap(linksOf))) {
        const found = await findImage(folder, link);
        const contentType = mediaTypeOf(extname(link).slice(1));
        if (found === null || contentType === null) continue;
        const bytes = await readFile(found);
        const path = `${IMAGES_FOLDER}/${sha256(bytes)}${extname(link)}`;
        links.set(link, `../${path}`);
        const files: Omit<PublicFile, 'isFixed'>[] = [];
        for (const [cut, picture] of await cutPictures(bytes, cuts.get(link) ?? [])) {
          files.push({ path: picture.path, contentType: 'image/webp', bytes: picture.bytes });
          cards.set(cut, { href: `../${picture.path}`, ...picture.place });
        }
        for (const file of [...files, { path, contentType, bytes }]) {
          if (written.has(file.path)) continue;
          written.add(file.path);
          yield { ...file, isFixed: true };
        }
      }
    },
    /** Renders the record, the summary and the page. Only images that were read before have a link. */
    pages() {
      const shots = run.shots.map((shot) => mapLinks(shot, (link) => links.get(link) ?? null));
      const published = run.shots.flatMap((shot, index): [ShotRecord, Thumbnail][] => {
        const [cut, relinked] = [thumbnails.get(shot), shots[index]];
        const thumbnail = cut && cards.get(cut);
        return relinked && thumbnail ? [[relinked, thumbnail]] : [];
      });
      const record = { ...run, shots };
      return [
        page(`${name}/${RESULTS_FILE}`, 'application/json', `${renderJson(record, 2)}\n`),
        page(`${name}/${SUMMARY_FILE}`, 'text/markdown', renderMarkdown(record)),
        page(`${name}/${INDEX_FILE}`, 'text/html', renderHtml(record, { thumbnails: new Map(published) })),
      ];
    },
  };
}

function page(path: string, contentType: string, text: string): PublicFile {
  return { path, contentType: `${contentType}; charset=utf-8`, isFixed: false, bytes: Buffer.from(text) };
}

/** A part of an image to cut out. The record of a report is untrusted: the part can be outside of the image. */
export interface Cut {
  readonly link: string;
  readonly place: Rectangle;
  /** The picture is not larger: it is scaled down. */
  readonly max: Size;
}

export interface Picture {
  /** Relative to the place of all published reports. The name is the hash, so the same picture is one file. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly size: Size;
  readonly place: Rectangle;
}

/** Room around the region of a crop, and the smallest and the largest part of an image that a crop shows, in pixels. */
const CROP = { margin: 48, min: { width: 400, height: 160 }, max: { width: 1280, height: 800 } };
const MAX_CROP: Size = { width: 640, height: 400 };

/**
 * Returns the crops of the before and the after image around the first region, of the same size. Content that only moved counts as a region.
 * Without a region, the crops show the top of the images.
 */
export function cropsOf(shot: ShotRecord): { readonly before: Cut | null; readonly after: Cut | null } {
  const [region] = shot.regionPlaces;
  const move = shot.events?.find(({ kind }) => kind === 'moved');
  const placeOn = (side: 'before' | 'after') =>
    region?.[side] ?? region?.after ?? region?.before ?? move?.[side] ?? null;
  const places = [placeOn('before'), placeOn('after')].flatMap((place) => place ?? []);
  const lengthOf = (axis: 'width' | 'height') => {
    const needed =
      places.length === 0 ? CROP.max[axis] : Math.max(...places.map((place) => place[axis])) + 2 * CROP.margin;
    return Math.min(CROP.max[axis], Math.max(CROP.min[axis], needed));
  };
  const size = { width: lengthOf('width'), height: lengthOf('height') };
  const cropOf = (side: 'before' | 'after'): Cut | null => {
    const { link = null } = shot[side] ?? {};
    const place = placeOn(side) ?? { x: 0, y: 0, width: 0, height: 0 };
    return link === null ? null : { link, place: around(place, size), max: MAX_CROP };
  };
  return { before: cropOf('before'), after: cropOf('after') };
}

/** Returns a rectangle of a size with a place in its center. Of a place that is larger, it has the top left corner. */
function around({ x, y, width, height }: Rectangle, size: Size): Rectangle {
  const start = (from: number, length: number, room: number) =>
    Math.round(from - Math.max(CROP.margin / 2, (room - length) / 2));
  return { x: start(x, width, size.width), y: start(y, height, size.height), ...size };
}

/** A thumbnail is as wide as a card on a large screen, and square, because a card of any width shows less. */
const MAX_THUMBNAIL: Size = { width: 480, height: 480 };
/** To decode an image takes about 50 ms. The cards behind these load the images themselves. */
const MAX_THUMBNAILS = 500;

/** Returns what the first cards of the overview show: one for each shot or group to review. */
export function thumbnailsOf(run: RunRecord): ReadonlyMap<ShotRecord, Cut> {
  const shots = inReviewOrder(run.shots);
  const groups = new Set<string>();
  const cuts = createView(run, null).shots.flatMap((view, index): [ShotRecord, Cut][] => {
    const shot = shots[index];
    const card = chooseCardImage(view);
    if (!shot || !card || !view.needsReview || (view.group !== undefined && groups.has(view.group))) return [];
    if (view.group !== undefined) groups.add(view.group);
    const { link, width } = shot[card.side] ?? {};
    const top = Math.max(0, Math.round(card.center - (width ?? 0) / 2));
    return link && width ? [[shot, { link, place: { x: 0, y: top, width, height: width }, max: MAX_THUMBNAIL }]] : [];
  });
  return new Map(cuts.slice(0, MAX_THUMBNAILS));
}

/** Cuts the pictures for the comment on a pull request. They are those of the published report, because equal pixels give equal files. */
export async function cutCrops(folder: string, run: RunRecord): Promise<Map<ShotRecord, ChangePictures>> {
  const pictures = new Map<ShotRecord, ChangePictures>();
  for (const { first } of listPictured(run)) {
    const { before, after } = cropsOf(first);
    pictures.set(first, { before: await cutFile(folder, before), after: await cutFile(folder, after) });
  }
  return pictures;
}

async function cutFile(folder: string, cut: Cut | null): Promise<Picture | null> {
  const path = cut && (await findImage(folder, cut.link));
  return path ? ((await cutPictures(await readFile(path), [cut])).get(cut) ?? null) : null;
}

/** Cuts parts out of an image, and decodes it once. A PDF and a damaged image have no pictures, nor has a part outside of the image. */
export async function cutPictures(bytes: Buffer, cuts: readonly Cut[]): Promise<Map<Cut, Picture>> {
  const pictures = new Map<Cut, Picture>();
  const header = cuts.length === 0 ? null : readImageHeader(bytes);
  if (!header?.size || header.codec === 'pdf') return pictures;
  const pixels = await decodeImage({ codec: header.codec, size: header.size, bytes }).catch(() => null);
  if (!pixels) return pictures;
  for (const cut of cuts) {
    const picture = await cutPicture(pixels, cut);
    if (picture) pictures.set(cut, picture);
  }
  return pictures;
}

async function cutPicture(pixels: Pixels, { place, max }: Cut): Promise<Picture | null> {
  const within = clamp(place, pixels);
  if (within.width < 1 || within.height < 1) return null;
  const cropped = cropPixels(pixels, within);
  const scale = Math.min(1, max.width / cropped.width, max.height / cropped.height);
  const size = { width: scaled(cropped.width, scale), height: scaled(cropped.height, scale) };
  const bytes = await encodeWebp(scale < 1 ? shrinkPixels(cropped, size) : cropped);
  return { path: `${IMAGES_FOLDER}/${sha256(bytes)}.webp`, bytes, size, place: within };
}

function scaled(length: number, scale: number): number {
  return Math.max(1, Math.round(length * scale));
}

function clamp({ x, y, width, height }: Rectangle, image: Size): Rectangle {
  const size = { width: Math.min(width, image.width), height: Math.min(height, image.height) };
  const inside = (start: number, length: number, room: number) => Math.max(0, Math.min(start, room - length));
  return { x: inside(x, size.width, image.width), y: inside(y, size.height, image.height), ...size };
}

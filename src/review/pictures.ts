import { readFile } from 'node:fs/promises';
import { findImage, sha256 } from '../baselines/index.js';
import { cropPixels, decodeImage, encodeWebp, readImageHeader, shrinkPixels } from '../image/index.js';
import {
  IMAGES_FOLDER,
  type Pixels,
  type Rectangle,
  type RunRecord,
  type ShotRecord,
  type Size,
} from '../model/index.js';
import { type ChangePictures, chooseCardImage, createView, inReviewOrder, listPictured } from '../report/index.js';

/** A part of an image to cut out. The record of a report is untrusted: the part can be outside of the image. */
export interface Cut {
  /** The link of the image in the report. */
  readonly link: string;
  readonly place: Rectangle;
  /** The picture is not larger: it is scaled down. */
  readonly max: Size;
}

/** A small WebP file that shows a part of an image. */
export interface Picture {
  /** Relative to the place of all published reports. The name is the hash, so the same picture is one file. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly size: Size;
  /** The part of the image that it shows. */
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
  return path ? ((await cutPictures(await readFile(path), [cut]))[0] ?? null) : null;
}

/** Cuts parts out of an image, and decodes it once. Null for a PDF, a damaged image, and a part outside of the image. */
export async function cutPictures(bytes: Buffer, cuts: readonly Cut[]): Promise<(Picture | null)[]> {
  const header = cuts.length === 0 ? null : readImageHeader(bytes);
  if (!header?.size || header.codec === 'pdf') return cuts.map(() => null);
  const image = { codec: header.codec, size: header.size, bytes };
  const pixels = await decodeImage(image).catch(() => null);
  return Promise.all(cuts.map((cut) => pixels && cutPicture(pixels, cut)));
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

/** Moves a rectangle into an image, and cuts off what does not fit. */
function clamp({ x, y, width, height }: Rectangle, image: Size): Rectangle {
  const size = { width: Math.min(width, image.width), height: Math.min(height, image.height) };
  const inside = (start: number, length: number, room: number) => Math.max(0, Math.min(start, room - length));
  return { x: inside(x, size.width, image.width), y: inside(y, size.height, image.height), ...size };
}

import { randomUUID } from 'node:crypto';
import type { CompareResponse } from '../../model/compare-response.js';
import { ProofsheetError } from '../../model/errors.js';
import type { CompareSource, CompareV3 } from '../../model/service-request.js';
import { resolveSettings } from '../../plan/resolve-shot.js';
import { openImage } from '../../record/image-file.js';
import { captureLink, comparisonLink, isLink } from '../../record/paths.js';
import { type ComparedImage, type ComparedImages, type ComparedLinks, compareSides } from '../compare-sides.js';
import { type Side, sideOfImage, valuesOf } from '../read-sources.js';
import { fieldsOf, keep, warningsOf } from './capture.js';
import { fetchImage } from './fetch-image.js';
import { type Call, captureOutside, type ServiceRoom } from './service-room.js';

/**
 * Compares as `POST /api/v3/compare` asks for it: both sides are captured, or fetched, at once; the images are kept.
 *
 * @throws ProofsheetError, or an AggregateError of two: what keeps them from being compared.
 */
export async function compareForService(
  { before, after, threshold }: CompareV3,
  room: ServiceRoom,
  call: Call,
): Promise<CompareResponse> {
  const ends = await Promise.allSettled([before, after].map((source) => readSide(source, room, call)));
  call.signal.throwIfAborted();
  const [first, second] = valuesOf(ends);
  if (!first || !second) throw new Error('a comparison has two sides');
  const { compare } = resolveSettings({ threshold });
  // The v3 interface has no such field: pixels that differ only by anti-aliasing are always set apart.
  const settings = { ...compare, antialiasing: 'ignore' } as const;
  // Of the browser, nothing is told in the answer.
  const sides = { before: first, after: second, headless: 'unknown', notice: null } as const;
  return compareSides(sides, { settings, ignore: [], alwaysDiff: true, maxPixels: room.maxPixels }, (images) =>
    keepImages(images, sides, room, call),
  );
}

async function readSide(source: CompareSource, room: ServiceRoom, call: Call): Promise<Side> {
  const { url, imageUrl } = source;
  if (imageUrl !== undefined) {
    const link = ownLink(imageUrl, call);
    return link === null ? fetchImage(imageUrl, room.outside, call.signal) : readStored(imageUrl, link, room);
  }
  if (url === undefined) throw new Error('a side is a page or an image');
  const request = {
    url,
    fields: fieldsOf({ ...source, url, format: 'png' }),
    takes: { anyStatus: false, anyAddress: true },
  };
  return captureOutside(request, room, call, async (page, result) => {
    const { capture } = result;
    return { bytes: capture.image.bytes, capture: { ...capture, warnings: warningsOf(page, url, result) } };
  });
}

/** Gives the link of a URL that begins with what the service's own links begin with; null: it leads elsewhere. */
function ownLink(url: string, { urlOf }: Call): string | null {
  const base = new URL(urlOf('')).href;
  // Parsed, so that `..` and `%2e%2e` are resolved before the link is cut out.
  const { href } = new URL(url.replace(/[?#].*$/s, ''));
  const link = href.slice(base.length);
  return href.startsWith(base) && isLink(link) ? link : null;
}

/** Reads a capture of the service itself: no request leads to it where private addresses are refused. */
async function readStored(url: string, link: string, { storage }: ServiceRoom): Promise<Side> {
  const stored = await storage.get(link);
  if (stored) return sideOfImage(openImage(stored.bytes, url), url);
  throw new ProofsheetError({
    code: 'image-unreachable',
    where: url,
    found: 'the service has no such capture, or no longer',
    advice: 'Capture it again.',
  });
}

async function keepImages(
  images: ComparedImages,
  { before, after }: { readonly before: Side; readonly after: Side },
  room: ServiceRoom,
  { urlOf }: Call,
): Promise<ComparedLinks> {
  const now = Date.now();
  const keepSide = ({ bytes, extension }: ComparedImage, { capture }: Side) =>
    keep(room, captureLink(capture.url, randomUUID(), capture.takenAt, extension), bytes);
  const [first, second, diff] = await Promise.all([
    keepSide(images.before, before),
    keepSide(images.after, after),
    images.diff && keep(room, comparisonLink(randomUUID(), now, images.diff.extension), images.diff.bytes),
  ]);
  return { before: urlOf(first), after: urlOf(second), diff: diff && urlOf(diff) };
}

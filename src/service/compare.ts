import { randomUUID } from 'node:crypto';
import { captureLink, comparisonLink, isLink, ProofsheetError } from '../model/index.js';
import type { Call, CallContext } from './call-context.js';
import { fieldsOf, store } from './capture.js';
import {
  type ComparedImage,
  type ComparedImages,
  type ComparedLinks,
  compareByThreshold,
} from './captures/compare-sides.js';
import { fetchImage } from './captures/fetch-image.js';
import { type Side, sideOfBytes, valuesOf } from './captures/read-sources.js';
import type { CompareSource, CompareV3 } from './protocol/requests.js';
import type { CompareResponse } from './protocol/responses.js';

/**
 * Performs a `POST /api/v3/compare` request. Captures or fetches both sides in parallel and stores the images.
 *
 * @throws ProofsheetError if one side cannot be read; an AggregateError if both sides cannot be read.
 */
export async function compareForService(
  { before, after, threshold }: CompareV3,
  context: CallContext,
  call: Call,
): Promise<CompareResponse> {
  const results = await Promise.allSettled([before, after].map((source) => readSide(source, context, call)));
  call.signal.throwIfAborted();
  const [first, second] = valuesOf(results);
  if (!first || !second) throw new Error('a comparison has two sides');
  const sides = { before: first, after: second };
  return compareByThreshold(sides, { threshold, maxPixels: context.maxPixels }, (images) =>
    storeImages(images, sides, context, call),
  );
}

async function readSide(source: CompareSource, context: CallContext, call: Call): Promise<Side> {
  const { url, imageUrl } = source;
  if (imageUrl !== undefined) {
    const link = ownLink(imageUrl, call);
    return link === null
      ? fetchImage(imageUrl, context.captures.fetch, call.signal)
      : readStored(imageUrl, link, context);
  }
  if (url === undefined) throw new Error('a side needs a page or an image');
  const request = { url, fields: fieldsOf({ ...source, url, format: 'png' }), html: false };
  const { capture, warnings } = await context.captures.capture(request, call.signal);
  return { bytes: capture.image.bytes, capture: { ...capture, warnings } };
}

/** Returns the link of a URL below the service's own base URL; null if the URL is on another server. */
function ownLink(url: string, { urlOf }: Call): string | null {
  const base = new URL(urlOf('')).href;
  // Parse first: this resolves `..` and `%2e%2e` before the base is removed.
  const { href } = new URL(url.replace(/[?#].*$/s, ''));
  const link = href.slice(base.length);
  return href.startsWith(base) && isLink(link) ? link : null;
}

/** Reads a capture from the storage. An HTTP request would fail if the service refuses private addresses. */
async function readStored(url: string, link: string, { storage }: CallContext): Promise<Side> {
  const stored = await storage.get(link);
  if (stored) return sideOfBytes(stored.bytes, url);
  throw new ProofsheetError({
    code: 'image-unreachable',
    where: url,
    found: 'the capture does not exist, or it expired',
    advice: 'Capture the page again.',
  });
}

async function storeImages(
  images: ComparedImages,
  { before, after }: { readonly before: Side; readonly after: Side },
  context: CallContext,
  { urlOf }: Call,
): Promise<ComparedLinks> {
  const now = Date.now();
  const storeSide = ({ bytes, extension }: ComparedImage, { capture }: Side) =>
    store(context, captureLink(capture.url, randomUUID(), capture.takenAt, extension), bytes);
  const [first, second, diff] = await Promise.all([
    storeSide(images.before, before),
    storeSide(images.after, after),
    images.diff && store(context, comparisonLink(randomUUID(), now, images.diff.extension), images.diff.bytes),
  ]);
  return { before: urlOf(first), after: urlOf(second), diff: diff && urlOf(diff) };
}

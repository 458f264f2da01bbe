import { randomUUID } from 'node:crypto';
import { openImage } from '../baselines/image-file.js';
import type { Egress } from '../browser/egress/egress.js';
import {
  type ComparedImage,
  type ComparedImages,
  type ComparedLinks,
  compareSides,
} from '../core/adhoc/compare-sides.js';
import { type Side, sideOfImage, valuesOf } from '../core/adhoc/read-sources.js';
import { messageOf, ProofsheetError } from '../model/errors.js';
import { captureLink, comparisonLink, isLink } from '../model/links.js';
import type { CompareSource, CompareV3 } from '../model/service/requests.js';
import type { CompareResponse } from '../model/service/responses.js';
import { resolveSettings } from '../page-list/resolve/resolve-shot.js';
import { type Call, type CallContext, captureWithEgress } from './call-context.js';
import { fieldsOf, store, warningsOf } from './capture.js';

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
  const { compare } = resolveSettings({ threshold });
  // The v3 API has no `antialiasing` field. It always ignores pixels that differ only by anti-aliasing.
  const settings = { ...compare, antialiasing: 'ignore' } as const;
  // The response contains no browser details.
  const sides = { before: first, after: second, headless: 'unknown', notice: null } as const;
  return compareSides(sides, { settings, ignore: [], alwaysDiff: true, maxPixels: context.maxPixels }, (images) =>
    storeImages(images, sides, context, call),
  );
}

async function readSide(source: CompareSource, context: CallContext, call: Call): Promise<Side> {
  const { url, imageUrl } = source;
  if (imageUrl !== undefined) {
    const link = ownLink(imageUrl, call);
    return link === null ? fetchImage(imageUrl, context.egress, call.signal) : readStored(imageUrl, link, context);
  }
  if (url === undefined) throw new Error('a side is a page or an image');
  const request = {
    url,
    fields: fieldsOf({ ...source, url, format: 'png' }),
    takes: { anyStatus: false, anyAddress: true },
  };
  return captureWithEgress(request, context, call, async (page, result) => {
    const { capture } = result;
    return { bytes: capture.image.bytes, capture: { ...capture, warnings: warningsOf(page, url, result) } };
  });
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
  if (stored) return sideOfImage(await openImage(stored.bytes, url), url);
  throw new ProofsheetError({
    code: 'image-unreachable',
    where: url,
    found: 'the service has no such capture, or no longer',
    advice: 'Capture it again.',
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

/** Limits of a fetched image: file size in bytes and number of redirects. */
const IMAGE_LIMITS = { bytes: 64 * 1024 * 1024, redirects: 5 };

/**
 * Fetches an image as a side of a comparison.
 *
 * @throws ProofsheetError `image-unreachable`, `image-damaged`, `image-too-large`, or an error of the address policy.
 */
export async function fetchImage(url: string, egress: Egress, signal: AbortSignal): Promise<Side> {
  let address = url;
  for (let redirects = 0; redirects <= IMAGE_LIMITS.redirects; redirects++) {
    await egress.checkTarget(address);
    const response = await fetchOnce(address, egress, signal);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) {
      return sideOfImage(await openImage(await readBody(url, response, signal), url), url);
    }
    await response.body?.cancel();
    address = targetOf(url, location, address);
  }
  throw unreachable(url, `it led elsewhere more than ${IMAGE_LIMITS.redirects} times`);
}

async function fetchOnce(url: string, egress: Egress, signal: AbortSignal): Promise<Response> {
  try {
    return await egress.fetch(url, { signal });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ProofsheetError) throw cause;
    throw unreachable(url, cause instanceof Error && cause.cause ? messageOf(cause.cause) : messageOf(cause));
  }
}

function targetOf(url: string, location: string, base: string): string {
  if (URL.canParse(location, base) && /^https?:$/.test(new URL(location, base).protocol)) {
    return new URL(location, base).href;
  }
  throw unreachable(url, 'it leads to what is neither http nor https');
}

async function readBody(url: string, { ok, status, body }: Response, signal: AbortSignal): Promise<Buffer> {
  if (!ok || body === null) {
    await body?.cancel();
    throw unreachable(url, `it answered ${status}`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > IMAGE_LIMITS.bytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw unreachable(url, messageOf(cause));
  }
  if (length <= IMAGE_LIMITS.bytes) return Buffer.concat(chunks);
  throw new ProofsheetError({
    code: 'image-too-large',
    where: url,
    found: `the file has more than ${IMAGE_LIMITS.bytes / 1024 / 1024} MB`,
    advice: 'Compare smaller images.',
  });
}

function unreachable(where: string, why: string): ProofsheetError {
  return new ProofsheetError({
    code: 'image-unreachable',
    where,
    found: `the image cannot be fetched (${why})`,
    advice: 'Give the URL of an image that answers 200.',
  });
}

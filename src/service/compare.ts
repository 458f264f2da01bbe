import { randomUUID } from 'node:crypto';
import { openImage } from '../baselines/image-file.js';
import { captureLink, comparisonLink, isLink } from '../baselines/paths.js';
import type { Egress } from '../browser/egress/egress.js';
import {
  type ComparedImage,
  type ComparedImages,
  type ComparedLinks,
  compareSides,
} from '../core/adhoc/compare-sides.js';
import { type Side, sideOfImage, valuesOf } from '../core/adhoc/read-sources.js';
import { messageOf, ProofsheetError } from '../model/errors.js';
import type { CompareSource, CompareV3 } from '../model/service/requests.js';
import type { CompareResponse } from '../model/service/responses.js';
import { resolveSettings } from '../page-list/resolve/resolve-shot.js';
import { type Call, type CallContext, captureWithEgress } from './call-context.js';
import { fieldsOf, keep, warningsOf } from './capture.js';

/**
 * Compares as `POST /api/v3/compare` asks for it: both sides are captured, or fetched, at once; the images are kept.
 *
 * @throws ProofsheetError, or an AggregateError of two: what keeps them from being compared.
 */
export async function compareForService(
  { before, after, threshold }: CompareV3,
  room: CallContext,
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

async function readSide(source: CompareSource, room: CallContext, call: Call): Promise<Side> {
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
  return captureWithEgress(request, room, call, async (page, result) => {
    const { capture } = result;
    return { bytes: capture.image.bytes, capture: { ...capture, warnings: warningsOf(page, url, result) } };
  });
}

/** Returns the link of a URL that begins with what the service's own links begin with; null: it leads elsewhere. */
function ownLink(url: string, { urlOf }: Call): string | null {
  const base = new URL(urlOf('')).href;
  // Parsed, so that `..` and `%2e%2e` are resolved before the link is cut out.
  const { href } = new URL(url.replace(/[?#].*$/s, ''));
  const link = href.slice(base.length);
  return href.startsWith(base) && isLink(link) ? link : null;
}

/** Reads a capture of the service itself: no request leads to it where private addresses are refused. */
async function readStored(url: string, link: string, { storage }: CallContext): Promise<Side> {
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
  room: CallContext,
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

/** What an image may have at most, and how often its address may lead elsewhere. */
const MOST = { bytes: 64 * 1024 * 1024, redirects: 5 };

/**
 * Fetches an image as a side of a comparison.
 *
 * @throws ProofsheetError `image-unreachable`, `image-damaged`, `image-too-large`, or what the way outside refuses.
 */
export async function fetchImage(url: string, outside: Egress, signal: AbortSignal): Promise<Side> {
  let address = url;
  for (let redirects = 0; redirects <= MOST.redirects; redirects++) {
    await outside.checkTarget(address);
    const answer = await ask(address, outside, signal);
    const next = answer.headers.get('location');
    if (answer.status < 300 || answer.status > 399 || next === null) {
      return sideOfImage(openImage(await readBody(url, answer, signal), url), url);
    }
    await answer.body?.cancel();
    address = targetOf(url, next, address);
  }
  throw unreachable(url, `it led elsewhere more than ${MOST.redirects} times`);
}

async function ask(url: string, outside: Egress, signal: AbortSignal): Promise<Response> {
  try {
    return await outside.fetch(url, { signal });
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
      if (length > MOST.bytes) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw unreachable(url, messageOf(cause));
  }
  if (length <= MOST.bytes) return Buffer.concat(chunks);
  throw new ProofsheetError({
    code: 'image-too-large',
    where: url,
    found: `the file has more than ${MOST.bytes / 1024 / 1024} MB`,
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

import { randomUUID } from 'node:crypto';
import { resolveSettings } from '../../list/index.js';
import { captureLink, comparisonLink, isLink, messageOf, ProofsheetError, parseUrl } from '../../model/index.js';
import { readBody } from '../egress/egress.js';
import type { CompareSource, CompareV3 } from '../protocol/requests.js';
import type { CompareResponse } from '../protocol/responses.js';
import type { Call, CallContext } from '../service.js';
import { compareSides, type Side } from './compare-sides.js';
import { sideOfBytes, sideOfCapture, valuesOf } from './compare-sources.js';
import { fieldsOf } from './screenshot.js';

/**
 * Captures or fetches both sides in parallel, compares them, and stores the images. The request has no `antialiasing` field:
 * pixels that differ only by anti-aliasing are always ignored.
 *
 * @throws ProofsheetError if one side cannot be read; an AggregateError if both sides cannot be read.
 */
export async function compare(request: CompareV3, context: CallContext, call: Call): Promise<CompareResponse> {
  const { before, after, threshold } = request;
  const results = await Promise.allSettled([before, after].map((source) => readSide(source, context, call)));
  call.signal.throwIfAborted();
  const [first, second] = valuesOf(results);
  if (!first || !second) throw new Error('a comparison has two sides');
  const sides = { before: first, after: second };
  const settings = { ...resolveSettings({ threshold }).compare, antialiasing: 'ignore' } as const;
  const rules = { settings, ignore: [], alwaysDiff: true, maxPixels: context.maxPixels };
  return compareSides(sides, rules, async (role, bytes, extension) => {
    const link =
      role === 'diff'
        ? comparisonLink(randomUUID(), Date.now(), extension)
        : captureLink(sides[role].source, randomUUID(), sides[role].takenAt, extension);
    await context.storage.put(link, bytes);
    return call.urlOf(link);
  });
}

async function readSide(source: CompareSource, context: CallContext, call: Call): Promise<Side> {
  const { url, imageUrl } = source;
  if (imageUrl !== undefined) {
    const link = ownLink(imageUrl, call);
    const bytes = link === null ? fetchImage(imageUrl, context, call.signal) : readStored(imageUrl, link, context);
    return sideOfBytes(await bytes, imageUrl);
  }
  if (url === undefined) throw new Error('a side needs a page or an image');
  const request = { url, fields: fieldsOf(source), html: false };
  const { capture, warnings } = await context.captures.capture(request, call.signal);
  return sideOfCapture({ ...capture, warnings });
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
async function readStored(url: string, link: string, { storage }: CallContext): Promise<Buffer> {
  const stored = await storage.get(link);
  if (stored) return stored.bytes;
  throw new ProofsheetError({
    code: 'image-unreachable',
    where: url,
    found: 'the capture does not exist, or it expired',
    advice: 'Capture the page again.',
  });
}

/** Limits of a fetched image: file size in bytes and number of redirects. */
const IMAGE_LIMITS = { bytes: 64 * 1024 * 1024, redirects: 5 };

async function fetchImage(url: string, { captures }: CallContext, signal: AbortSignal): Promise<Buffer> {
  try {
    let address = url;
    for (let redirects = 0; redirects <= IMAGE_LIMITS.redirects; redirects++) {
      const { status, ok, headers, body } = await captures.fetch(address, { signal });
      const location = headers.get('location');
      if (ok && body) return (await readBody(body, IMAGE_LIMITS.bytes)) ?? tooLarge(url);
      await body?.cancel();
      if (status < 300 || status > 399 || location === null) throw new Error(`the HTTP status is ${status}`);
      const next = parseUrl(location, address);
      if (!next || !/^https?:$/.test(next.protocol))
        throw new Error('the redirect target is not an http:// or https:// URL');
      address = next.href;
    }
    throw new Error(`more than ${IMAGE_LIMITS.redirects} redirects`);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ProofsheetError) throw cause;
    throw new ProofsheetError({
      code: 'image-unreachable',
      where: url,
      found: `the image cannot be fetched (${messageOf(cause)})`,
      advice: 'Use the URL of an image that returns the HTTP status 200.',
    });
  }
}

function tooLarge(where: string): never {
  const found = `the file is larger than ${IMAGE_LIMITS.bytes / 1024 / 1024} MB`;
  throw new ProofsheetError({ code: 'image-too-large', where, found, advice: 'Use smaller images.' });
}

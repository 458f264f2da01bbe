import { randomUUID } from 'node:crypto';
import { resolveSettings } from '../../list/index.js';
import { captureLink, comparisonLink, failure, isLink, messageOf, ProofsheetError } from '../../model/index.js';
import { readBody } from '../egress/egress.js';
import {
  type CompareSource,
  type CompareV3,
  fieldsOf,
  type ScreenshotV1,
  type ScreenshotV2,
} from '../protocol/requests.js';
import type { CompareResponse, ScreenshotV2Response } from '../protocol/responses.js';
import type { Call, CallContext } from '../service.js';
import { responseOf } from './capture-url.js';
import { allOf, compareSides, type Side, sideOfBytes, sideOfCapture } from './compare-sides.js';

const MB = 1024 * 1024;

/** Maximum length of a document, in characters. The response contains the whole document. */
const MAX_DOCUMENT = 32 * MB;

/** Limits of a fetched image: file size in bytes and number of redirects. */
const IMAGE_LIMITS = { bytes: 64 * MB, redirects: 5 };

/** Captures a page and stores the file. @throws ProofsheetError if it cannot be captured or stored */
export async function screenshot(
  request: ScreenshotV2 | ScreenshotV1,
  { captures, storage }: CallContext,
  { signal, urlOf }: Call,
): Promise<ScreenshotV2Response> {
  const { url, format } = request;
  const asked = { url, fields: fieldsOf(request), html: format === 'html' };
  const { capture, warnings, html } = await captures.capture(asked, signal);
  const { image, takenAt } = capture;
  if (html !== null && html.length > MAX_DOCUMENT)
    throw failure('page-size', url, `the document is larger than ${MAX_DOCUMENT / MB} MB`, 'Capture it as an image.');
  const link = captureLink(url, randomUUID(), takenAt, format === 'base64' ? 'png' : format);
  await storage.put(link, html === null ? image.bytes : Buffer.from(html));
  return {
    ...responseOf(url, capture, urlOf(link)),
    error: false,
    image: format === 'base64' ? image.bytes.toString('base64') : null,
    html,
    warnings,
  };
}

/**
 * Captures or fetches both sides in parallel, compares them, and stores the images. Pixels that differ only by anti-aliasing are
 * ignored.
 *
 * @throws AggregateError of the sides that cannot be read
 */
export async function compare(request: CompareV3, context: CallContext, call: Call): Promise<CompareResponse> {
  const { before: first, after: second } = request;
  const [before, after] = await allOf([readSide(first, context, call), readSide(second, context, call)]);
  const sides = { before, after };
  const settings = { ...resolveSettings({ threshold: request.threshold }).compare, antialiasing: 'ignore' } as const;
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

async function readSide(source: CompareSource, { captures, storage }: CallContext, call: Call): Promise<Side> {
  const { url, imageUrl } = source;
  if (imageUrl === undefined) {
    if (url === undefined) throw new Error('a side needs a page or an image');
    const { capture, warnings } = await captures.capture({ url, fields: fieldsOf(source), html: false }, call.signal);
    return sideOfCapture({ ...capture, warnings });
  }
  const link = ownLink(imageUrl, call);
  if (link === null) return sideOfBytes(await fetchImage(imageUrl, captures, call.signal), imageUrl);
  // An HTTP request would fail if the service refuses private addresses.
  const stored = await storage.get(link);
  if (stored) return sideOfBytes(stored.bytes, imageUrl);
  const found = 'the capture does not exist, or it expired';
  throw failure('image-unreachable', imageUrl, found, 'Capture the page again.');
}

/** Returns the link of a URL below the service's own base URL; null if the URL is on another server. */
function ownLink(url: string, { urlOf }: Call): string | null {
  const base = new URL(urlOf('')).href;
  // Parse first: this resolves `..` and `%2e%2e` before the base is removed.
  const { href } = new URL(url.replace(/[?#].*$/s, ''));
  const link = href.slice(base.length);
  return href.startsWith(base) && isLink(link) ? link : null;
}

async function fetchImage(where: string, { fetch }: CallContext['captures'], signal: AbortSignal): Promise<Buffer> {
  try {
    let address = where;
    for (let redirects = 0; redirects <= IMAGE_LIMITS.redirects; redirects++) {
      const answer = await fetch(address, signal);
      const { statusCode: status = 0, headers } = answer;
      if (status >= 200 && status <= 299) {
        const found = `the file is larger than ${IMAGE_LIMITS.bytes / MB} MB`;
        const bytes = await readBody(answer, IMAGE_LIMITS.bytes);
        if (bytes) return bytes;
        throw failure('image-too-large', where, found, 'Use smaller images.');
      }
      answer.destroy();
      const { location } = headers;
      if (status < 300 || status > 399 || location === undefined) throw new Error(`the HTTP status is ${status}`);
      address = new URL(location, address).href;
    }
    throw new Error(`more than ${IMAGE_LIMITS.redirects} redirects`);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ProofsheetError) throw cause;
    const found = `the image cannot be fetched (${messageOf(cause)})`;
    throw failure('image-unreachable', where, found, 'Use the URL of an image that returns the HTTP status 200.');
  }
}

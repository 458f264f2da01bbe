import { messageOf, ProofsheetError, parseUrl } from '../../model/index.js';
import { type Side, sideOfBytes } from './read-sources.js';

/** Fetches a URL and follows no redirects. Throws a ProofsheetError if the address is not allowed. */
export type FetchUrl = (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>;

/** Limits of a fetched image: file size in bytes and number of redirects. */
const IMAGE_LIMITS = { bytes: 64 * 1024 * 1024, redirects: 5 };

/**
 * Fetches an image as a side of a comparison.
 *
 * @throws ProofsheetError `image-unreachable`, `image-damaged`, `image-too-large`, or an error of the address policy.
 */
export async function fetchImage(url: string, fetchUrl: FetchUrl, signal: AbortSignal): Promise<Side> {
  let address = url;
  for (let redirects = 0; redirects <= IMAGE_LIMITS.redirects; redirects++) {
    const response = await fetchOnce(address, fetchUrl, signal);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) {
      return sideOfBytes(await readBody(url, response, signal), url);
    }
    await response.body?.cancel();
    address = targetOf(url, location, address);
  }
  throw unreachable(url, `more than ${IMAGE_LIMITS.redirects} redirects`);
}

async function fetchOnce(url: string, fetchUrl: FetchUrl, signal: AbortSignal): Promise<Response> {
  try {
    return await fetchUrl(url, { signal });
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ProofsheetError) throw cause;
    throw unreachable(url, cause instanceof Error && cause.cause ? messageOf(cause.cause) : messageOf(cause));
  }
}

function targetOf(url: string, location: string, base: string): string {
  if (parseUrl(location, base) !== null && /^https?:$/.test(new URL(location, base).protocol)) {
    return new URL(location, base).href;
  }
  throw unreachable(url, 'the redirect target is not an http:// or https:// URL');
}

async function readBody(url: string, { ok, status, body }: Response, signal: AbortSignal): Promise<Buffer> {
  if (!ok || body === null) {
    await body?.cancel();
    throw unreachable(url, `the HTTP status is ${status}`);
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
    found: `the file is larger than ${IMAGE_LIMITS.bytes / 1024 / 1024} MB`,
    advice: 'Use smaller images.',
  });
}

function unreachable(where: string, why: string): ProofsheetError {
  return new ProofsheetError({
    code: 'image-unreachable',
    where,
    found: `the image cannot be fetched (${why})`,
    advice: 'Use the URL of an image that returns the HTTP status 200.',
  });
}

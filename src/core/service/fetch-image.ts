import type { Outside } from '../../browser/outside.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import { openImage } from '../../record/image-file.js';
import { type Side, sideOfImage } from '../read-sources.js';

/** What an image may have at most, and how often its address may lead elsewhere. */
const MOST = { bytes: 64 * 1024 * 1024, redirects: 5 };

/**
 * Fetches an image as a side of a comparison.
 *
 * @throws ProofsheetError `image-unreachable`, `image-damaged`, `image-too-large`, or what the way outside refuses.
 */
export async function fetchImage(url: string, outside: Outside, signal: AbortSignal): Promise<Side> {
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

async function ask(url: string, outside: Outside, signal: AbortSignal): Promise<Response> {
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

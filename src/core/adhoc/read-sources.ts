import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ImageFile, readImageFile } from '../../baselines/image-file.js';
import type { Capture } from '../../model/capture.js';
import type { Environment } from '../../model/environment.js';
import { messageOf, ProofsheetError } from '../../model/errors.js';
import { checkUrl } from './capture-url.js';

/** One side of a comparison. */
export interface Side {
  /** Of a file, what is known of it as of a capture: its `url` is its path. */
  readonly capture: Capture;
  /** The image as it is to be written. */
  readonly bytes: Buffer;
}

/** Both sides, and what was found out about the browser that captured the pages among them. */
export interface Sides {
  readonly before: Side;
  readonly after: Side;
  readonly headless: Environment['headless'];
  readonly notice: string | null;
}

/**
 * Reads both sides of a comparison: files from the disk, pages from the web, two of these at once.
 *
 * @throws ProofsheetError, or an AggregateError of several.
 */
export async function readSources({ before, after }: { before: string; after: string }): Promise<Sides> {
  const sources = [before, after];
  // A page need not be captured where a file is missing.
  const files = valuesOf(await Promise.allSettled(sources.map((source) => (isPage(source) ? null : readFile(source)))));
  const pages = await capturePages(sources.filter(isPage));
  const captured = valuesOf(pages.captures);
  const [first, second] = files.flatMap((file) => file ?? captured.shift() ?? []);
  if (!first || !second) throw new Error('a comparison has two sides');
  return { before: first, after: second, headless: pages.headless, notice: pages.notice };
}

/** Returns what several came to. @throws AggregateError of what went wrong with any of them */
export function valuesOf<T>(ends: readonly PromiseSettledResult<T>[]): T[] {
  const errors = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, errors.map(messageOf).join('\n'));
  return ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
}

/** Checks whether a source is a page's URL, not a file. */
export function isPage(source: string): boolean {
  return /^https?:/i.test(source);
}

async function readFile(source: string): Promise<Side> {
  const path = source.startsWith('file://') ? fileURLToPath(source) : source;
  const file = await readImageFile(path).catch((error) => {
    throw isHostLike(source) && !existsSync(path) ? pageMeant(source) : error;
  });
  return sideOfImage(file, path);
}

/** Makes a side of an image of the user's. @param url - where it comes from: a path, or a URL */
export function sideOfImage({ image, bytes, warnings }: ImageFile, url: string): Side {
  return {
    bytes,
    capture: {
      ...{ image, masks: [], ignored: [], viewport: image.size, takenAt: Date.now(), url, shots: 1, warnings },
      environment: { os: '', arch: '', browser: 'unknown', browserVersion: 'unknown', scale: 1, fonts: null },
    },
  };
}

/** `example.com/shop` and `localhost:3000` are URLs to who types them. */
function isHostLike(source: string): boolean {
  return /^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/|$)/.test(source) && !/\.(png|jpe?g|webp|pdf)$/i.test(source);
}

function pageMeant(source: string): ProofsheetError {
  return new ProofsheetError({
    code: 'image-missing',
    where: source,
    found: 'there is no such file',
    advice: `For the page write http://${source} or https://${source}.`,
  });
}

/** The browser is loaded only where there is a page. */
async function capturePages(urls: readonly string[]) {
  if (urls.length === 0) return { captures: [], headless: 'unknown', notice: null } as const;
  const { captureUrls } = await import('./capture-urls.js');
  const { captures, ...rest } = await captureUrls(urls.map((url) => ({ url: checkUrl(url), fields: {} })));
  const sides = captures.map((end) => {
    return end.status === 'rejected' ? end : { ...end, value: { capture: end.value, bytes: end.value.image.bytes } };
  });
  return { captures: sides, ...rest };
}

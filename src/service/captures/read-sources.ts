import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ImageFile, openImage, readImageFile } from '../../baselines/index.js';
import { type Capture, checkUrl, messageOf, ProofsheetError } from '../../model/index.js';
import { exchangeStructures } from '../../shot/index.js';

/** One side of a comparison. */
export interface Side {
  /** The capture. For a file, it contains the known data, and `url` is the path. */
  readonly capture: Capture;
  /** The bytes of the image file to write. */
  readonly bytes: Buffer;
}

/** Both sides, with data about the browser if at least one side is a page. */
export interface Sides {
  readonly before: Side;
  readonly after: Side;
  readonly notice: string | null;
}

/**
 * Reads both sides of a comparison. Files are read from the disk. Pages are captured concurrently.
 *
 * @throws ProofsheetError, or an AggregateError of several.
 */
export async function readSources({ before, after }: { before: string; after: string }): Promise<Sides> {
  const sources = [before, after];
  // Files first: if one is missing, no page has to be captured.
  const files = valuesOf(await Promise.allSettled(sources.map((source) => (isPage(source) ? null : readFile(source)))));
  const pages = await capturePages(sources.filter(isPage));
  const captured = valuesOf(pages.captures);
  const [first, second] = files.flatMap((file) => file ?? captured.shift() ?? []);
  if (!first || !second) throw new Error('a comparison must have two sides');
  return { before: first, after: second, notice: pages.notice };
}

/** Returns the values of settled promises. @throws AggregateError of all rejections */
export function valuesOf<T>(results: readonly PromiseSettledResult<T>[]): T[] {
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, errors.map(messageOf).join('\n'));
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Checks whether a source is a page's URL, not a file. */
export function isPage(source: string): boolean {
  return /^https?:/i.test(source);
}

async function readFile(source: string): Promise<Side> {
  const path = source.startsWith('file://') ? fileURLToPath(source) : source;
  const file = await readImageFile(path).catch((error) => {
    throw isHostLike(source) && !existsSync(path) ? schemeMissing(source) : error;
  });
  return sideOfImage(file, path);
}

/**
 * Creates a side from the bytes of an image file.
 *
 * @param url the source of the bytes.
 * @throws ProofsheetError `image-damaged`, `image-too-large`
 */
export async function sideOfBytes(bytes: Buffer, url: string): Promise<Side> {
  return sideOfImage(await openImage(bytes, url), url);
}

const UNKNOWN_ENVIRONMENT: Capture['environment'] = {
  ...{ os: '', arch: '', browser: 'unknown', browserVersion: 'unknown' },
  ...{ headless: 'unknown', scale: 1, fonts: null },
};

function sideOfImage({ image, bytes, warnings }: ImageFile, url: string): Side {
  return {
    bytes,
    capture: {
      ...{
        image,
        masks: [],
        ignored: [],
        viewport: image.size,
        takenAt: Date.now(),
        url,
        attempts: 1,
        missingResponses: [],
        lostResponses: [],
        time: 'real',
        warnings,
        structure: null,
      },
      environment: UNKNOWN_ENVIRONMENT,
    },
  };
}

/** Checks whether a source looks like a URL without its scheme, such as `example.com/shop` or `localhost:3000`. */
function isHostLike(source: string): boolean {
  return /^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/|$)/.test(source) && !/\.(png|jpe?g|webp|pdf)$/i.test(source);
}

function schemeMissing(source: string): ProofsheetError {
  return new ProofsheetError({
    code: 'image-missing',
    where: source,
    found: 'the file does not exist',
    advice: `For a page, use http://${source} or https://${source}.`,
  });
}

/** Captures pages. Launches the browser only if there is a page. */
async function capturePages(urls: readonly string[]) {
  if (urls.length === 0) return { captures: [], notice: null } as const;
  // Only two pages can be explained, not a page and a file.
  const exchange = urls.length === 2 ? exchangeStructures((text) => text) : null;
  const structures = exchange ? [{ structure: exchange.before }, { structure: exchange.after }] : [];
  const requests = urls.map((url, index) => ({ url: checkUrl(url), fields: {}, ...structures[index] }));
  // Imported here, because a comparison of files does not need the browser.
  const { captureUrls } = await import('./capture-url.js');
  const { captures, ...rest } = await captureUrls(requests, () => exchange?.end());
  const sides = captures.map((result) => {
    return result.status === 'rejected'
      ? result
      : { ...result, value: { capture: result.value, bytes: result.value.image.bytes } };
  });
  return { captures: sides, ...rest };
}

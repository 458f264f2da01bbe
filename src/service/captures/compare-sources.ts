import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readOptions, resolveSettings } from '../../list/index.js';
import {
  type Capture,
  type CompareSettings,
  checkUrl,
  messageOf,
  ProofsheetError,
  type Rectangle,
  resolveAntialiasing,
} from '../../model/index.js';
import { exchangeStructures } from '../../shot/index.js';
import type { CompareResponse } from '../protocol/responses.js';
import { compareSides, type Side, type Sides } from './compare-sides.js';
import { type ImageFile, openComparedFolder, openImage, readImageFile } from './image-file.js';

/** The limits of a comparison. */
export interface CompareOptions {
  readonly settings: CompareSettings;
  /** Areas that are not compared, in image pixels. */
  readonly ignore: readonly Rectangle[];
}

/**
 * Reads the options of a comparison by the rules for lists, and fills in the defaults.
 *
 * @param where - the caller, for the message
 * @throws ProofsheetError `options-invalid` with the first problem
 */
export function readCompareOptions(options: object, where: string): CompareOptions {
  const { compare, capture } = resolveSettings(readOptions(options, where));
  return { settings: compare, ignore: capture.ignore.areas };
}

/**
 * Compares two image files or pages, and writes before, after and diff into a folder. A source is a path, or a URL that starts with
 * http:// or https://.
 *
 * @returns the response, and a notice about the browser for the user, or null.
 * @throws ProofsheetError, or an AggregateError of several, if the two cannot be compared or the images cannot be written.
 */
export async function compareSources(
  before: string,
  after: string,
  folder: string,
  { settings, ignore }: CompareOptions,
): Promise<{ readonly response: CompareResponse; readonly notice: string | null }> {
  const { notice, ...sides } = await readSources(before, after);
  // The same browser captures both pages. The environment of a file is unknown.
  const antialiasing = resolveAntialiasing(settings.antialiasing, isPage(before) && isPage(after));
  const rules = { settings: { ...settings, antialiasing }, ignore, alwaysDiff: false };
  let opened: ReturnType<typeof openComparedFolder> | undefined;
  const response = await compareSides(sides, rules, async (role, bytes, extension) => {
    opened ??= openComparedFolder(folder);
    return (await opened)(`${role}.${extension}`, bytes);
  });
  return { response, notice };
}

/** Reads both sides of a comparison. Files are read from the disk. Pages are captured concurrently. */
async function readSources(before: string, after: string): Promise<Sides & { readonly notice: string | null }> {
  const sources = [before, after];
  // Files first: if one is missing, no page has to be captured.
  const files = valuesOf(await Promise.allSettled(sources.map((source) => (isPage(source) ? null : readFile(source)))));
  const pages = await capturePages(sources.filter(isPage));
  const captured = valuesOf(pages.captures).map(sideOfCapture);
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

function isPage(source: string): boolean {
  return /^https?:/i.test(source);
}

async function readFile(source: string): Promise<Side> {
  const path = source.startsWith('file://') ? fileURLToPath(source) : source;
  const file = await readImageFile(path).catch((error) => {
    throw isHostLike(source) && !existsSync(path) ? schemeMissing(source) : error;
  });
  return sideOfImage(file, path);
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

/**
 * Creates a side from the bytes of an image file.
 *
 * @throws ProofsheetError `image-damaged`, `image-too-large`
 */
export async function sideOfBytes(bytes: Buffer, source: string): Promise<Side> {
  return sideOfImage(await openImage(bytes, source), source);
}

function sideOfImage({ image, bytes, warnings }: ImageFile, source: string): Side {
  return { image, bytes, source, warnings, takenAt: Date.now(), structure: null };
}

/** Creates a side from a captured page. */
export function sideOfCapture({ image, url, takenAt, warnings, structure }: Capture): Side {
  return { image, bytes: image.bytes, source: url, takenAt, warnings, structure };
}

async function capturePages(urls: readonly string[]) {
  if (urls.length === 0) return { captures: [], notice: null };
  // Only two pages can be explained, not a page and a file.
  const exchange = urls.length === 2 ? exchangeStructures((text) => text) : null;
  const structures = exchange ? [{ structure: exchange.before }, { structure: exchange.after }] : [];
  const requests = urls.map((url, index) => ({ url: checkUrl(url), fields: {}, ...structures[index] }));
  // Imported here, because a comparison of files does not need the browser.
  const { captureUrls } = await import('./capture-url.js');
  return captureUrls(requests, () => exchange?.end());
}

import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  adviseFileError,
  type CompareSettings,
  checkUrl,
  codecOf,
  codeOf,
  type EncodedImage,
  messageOf,
  ProofsheetError,
  type Rectangle,
  resolveAntialiasing,
  SHOT_FORMATS,
  type Warning,
} from '../../model/index.js';
import { exchangeStructures } from '../../shot/index.js';
import type { CompareResponse } from '../protocol/responses.js';
import { compareSides, IMAGE_ADVICE, type Side, sideOfBytes, sideOfCapture, valuesOf } from './compare-sides.js';

/** The limits of a comparison. */
interface CompareOptions {
  readonly settings: CompareSettings;
  /** Areas that are not compared, in image pixels. */
  readonly ignore: readonly Rectangle[];
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
  const { notice, ...sides } = await readSources([before, after]);
  // The same browser captures both pages. The environment of a file is unknown.
  const antialiasing = resolveAntialiasing(settings.antialiasing, isPage(before) && isPage(after));
  const rules = { settings: { ...settings, antialiasing }, ignore, alwaysDiff: false };
  let opened: ReturnType<typeof openFolder> | undefined;
  const response = await compareSides(sides, rules, async (role, bytes, extension) => {
    opened ??= openFolder(folder);
    return (await opened)(`${role}.${extension}`, bytes);
  });
  return { response, notice };
}

/** Reads both sides of a comparison. Files are read from the disk. Pages are captured concurrently. */
async function readSources(sources: readonly string[]) {
  // Files first: if one is missing, no page has to be captured.
  const files = valuesOf(await Promise.allSettled(sources.map((source) => (isPage(source) ? null : readFrom(source)))));
  const pages = await capturePages(sources.filter(isPage));
  const captured = valuesOf(pages.captures).map(sideOfCapture);
  const [before, after] = files.flatMap((file) => file ?? captured.shift() ?? []);
  if (!before || !after) throw new Error('a comparison must have two sides');
  return { before, after, notice: pages.notice };
}

function isPage(source: string): boolean {
  return /^https?:/i.test(source);
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

const MAX_MB = 512;

async function readFrom(source: string): Promise<Side> {
  const path = source.startsWith('file://') ? fileURLToPath(source) : source;
  const refuse = (code: 'image-missing' | 'image-too-large', found: string, advice = IMAGE_ADVICE) =>
    new ProofsheetError({ code, where: path, found, advice });
  if (isHostLike(source) && !existsSync(path))
    throw refuse('image-missing', 'the file does not exist', `For a page, use http://${source} or https://${source}.`);
  const unreadable = (cause: unknown) => {
    const isMissing = codeOf(cause) === 'ENOENT';
    throw refuse(
      'image-missing',
      isMissing ? 'the file does not exist' : `the file cannot be read (${messageOf(cause)})`,
    );
  };
  const { size } = await stat(path).catch(unreadable);
  if (size > MAX_MB * 1024 * 1024)
    throw refuse('image-too-large', `the file is larger than ${MAX_MB} MB`, 'Use smaller images.');
  const side = await sideOfBytes(await readFile(path).catch(unreadable), path);
  return { ...side, warnings: nameWarnings(path, side.image) };
}

/** Checks whether a source looks like a URL without its scheme, such as `example.com/shop` or `localhost:3000`. */
function isHostLike(source: string): boolean {
  return /^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/|$)/.test(source) && !/\.(png|jpe?g|webp|pdf)$/i.test(source);
}

function nameWarnings(path: string, { codec }: EncodedImage): Warning[] {
  const format = SHOT_FORMATS.find((name) => extname(path).toLowerCase() === `.${name}`);
  if (format === undefined || codecOf(format) === codec) return [];
  return [
    { code: 'image-extension', message: `${path} is ${codec}, but its file extension is that of ${codecOf(format)}` },
  ];
}

/**
 * Opens a folder for the images of a comparison, and removes the diff image of an earlier one.
 *
 * @returns a function that writes an image under a name, and returns its absolute URI
 * @throws ProofsheetError `report-unwritable`; the function throws it, too
 */
async function openFolder(folder: string) {
  const attempt = <T>(work: Promise<T>) =>
    work.catch((cause) => {
      throw new ProofsheetError({
        code: 'report-unwritable',
        where: folder,
        found: `the images cannot be written (${messageOf(cause)})`,
        advice: `${adviseFileError(cause)}, or use another folder with --output.`,
      });
    });
  await attempt(mkdir(folder, { recursive: true }));
  await attempt(rm(join(folder, 'diff.png'), { force: true }));
  return async (name: string, bytes: Buffer): Promise<string> => {
    const path = join(resolve(folder), name);
    await attempt(writeFile(path, bytes));
    return pathToFileURL(path).href;
  };
}

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  adviseFileError,
  type CompareSettings,
  checkUrl,
  codecOf,
  codeOf,
  type EncodedImage,
  failure,
  messageOf,
  type Rectangle,
  resolveAntialiasing,
  SHOT_FORMATS,
  type Warning,
} from '../../model/index.js';
import { exchangeStructures } from '../../shot/index.js';
import { allOf, compareSides, IMAGE_ADVICE, type Side, sideOfBytes, sideOfCapture } from './compare-sides.js';

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
  { settings, ignore }: { readonly settings: CompareSettings; readonly ignore: readonly Rectangle[] },
) {
  const { notice, ...sides } = await readSources([before, after]);
  // The same browser captures both pages. The environment of a file is unknown.
  const antialiasing = resolveAntialiasing(settings.antialiasing, isPage(before) && isPage(after));
  const rules = { settings: { ...settings, antialiasing }, ignore, alwaysDiff: false };
  const response = await compareSides(sides, rules, async (role, bytes, extension) => {
    const path = join(resolve(folder), `${role}.${extension}`);
    try {
      await mkdir(folder, { recursive: true });
      // Of an earlier comparison. The diff image is saved last.
      await rm(join(folder, 'diff.png'), { force: true });
      await writeFile(path, bytes);
    } catch (cause) {
      const found = `the images cannot be written (${messageOf(cause)})`;
      const advice = `${adviseFileError(cause)}, or use another folder with --output.`;
      throw failure('report-unwritable', folder, found, advice);
    }
    return pathToFileURL(path).href;
  });
  return { response, notice };
}

async function readSources(sources: readonly string[]) {
  // Files first: if one is missing, no page has to be captured.
  const files = await allOf(sources.map((source) => (isPage(source) ? null : readFrom(source))));
  const pages = await capturePages(sources.filter(isPage));
  const captured = (await allOf(pages.captures)).map(sideOfCapture);
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

async function readFrom(source: string): Promise<Side> {
  const path = source.startsWith('file://') ? fileURLToPath(source) : source;
  const bytes = await readFile(path).catch((cause) => {
    const isMissing = codeOf(cause) === 'ENOENT';
    const found = isMissing ? 'the file does not exist' : `the file cannot be read (${messageOf(cause)})`;
    throw failure('image-missing', path, found, IMAGE_ADVICE);
  });
  const side = await sideOfBytes(bytes, path);
  return { ...side, warnings: nameWarnings(path, side.image) };
}

function nameWarnings(path: string, { codec }: EncodedImage): Warning[] {
  const format = SHOT_FORMATS.find((name) => extname(path).toLowerCase() === `.${name}`);
  if (format === undefined || codecOf(format) === codec) return [];
  return [
    { code: 'image-extension', message: `${path} is ${codec}, but its file extension is that of ${codecOf(format)}` },
  ];
}

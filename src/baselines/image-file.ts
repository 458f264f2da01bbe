import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeDefect, extractText, inspectFile } from '../image/index.js';
import {
  adviseFileError,
  codecOf,
  codeOf,
  type EncodedImage,
  type ErrorCode,
  messageOf,
  ProofsheetError,
  SHOT_FORMATS,
  type Warning,
} from '../model/index.js';

/** An image file of the user. It is not decoded. */
export interface ImageFile {
  /** The image without an embedded baseline record. */
  readonly image: EncodedImage;
  /** The bytes of the file. */
  readonly bytes: Buffer;
  readonly warnings: readonly Warning[];
}

const MAX_MB = 512;

/**
 * Reads an image file. Detects PNG, JPEG, WebP or PDF from the content, not from the name.
 *
 * @throws ProofsheetError `image-missing`, `image-damaged`, `image-too-large`
 */
export async function readImageFile(path: string): Promise<ImageFile> {
  const bytes = await readBytes(path);
  const file = await openImage(bytes, path);
  return { ...file, warnings: nameWarnings(path, file.image) };
}

/**
 * Parses the bytes of an image file.
 *
 * @param where - the source of the bytes, for messages
 * @throws ProofsheetError `image-damaged`, `image-too-large`
 */
export async function openImage(bytes: Buffer, where: string): Promise<ImageFile> {
  const inspection = await inspectFile(bytes);
  if (inspection.kind === 'image') {
    const { image } = inspection;
    return { image: { ...image, bytes: extractText(bytes, image.codec).bare }, bytes, warnings: [] };
  }
  const { found, advice } = describeDefect(inspection, 'the file', 'PNG, JPEG, WebP or PDF');
  throw refused(inspection.kind === 'too-large' ? 'image-too-large' : 'image-damaged', where, found, advice);
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size <= MAX_MB * 1024 * 1024) return await readFile(path);
  } catch (cause) {
    const isMissing = codeOf(cause) === 'ENOENT';
    const found = isMissing ? 'the file does not exist' : `the file cannot be read (${messageOf(cause)})`;
    throw refused('image-missing', path, found);
  }
  throw refused('image-too-large', path, `the file is larger than ${MAX_MB} MB`, 'Use smaller images.');
}

function refused(code: ErrorCode, where: string, found: string, advice = ADVICE): ProofsheetError {
  return new ProofsheetError({ code, where, found, advice });
}

const ADVICE = 'Pass the path of an image file, or an http:// or https:// URL.';

function nameWarnings(path: string, { codec }: EncodedImage): Warning[] {
  const format = SHOT_FORMATS.find((name) => extname(path).toLowerCase() === `.${name}`);
  if (format === undefined || codecOf(format) === codec) return [];
  return [
    { code: 'image-extension', message: `${path} is ${codec}, but its file extension is that of ${codecOf(format)}` },
  ];
}

interface ComparedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

interface ComparedFiles {
  readonly before: ComparedFile;
  readonly after: ComparedFile;
  readonly diff: ComparedFile | null;
}

const DIFF = 'diff.png';

/** Returns the file names of a comparison. @param extensions - without dots */
export function comparedNames(extensions: { before: string; after: string }) {
  return { before: `before.${extensions.before}`, after: `after.${extensions.after}`, diff: DIFF };
}

/** Returns the absolute URI of a file in a folder. */
export function fileLink(folder: string, name: string): string {
  return pathToFileURL(join(resolve(folder), name)).href;
}

/**
 * Writes the images of a comparison into a folder, and replaces those of an earlier one.
 *
 * @throws ProofsheetError `report-unwritable`
 */
export async function writeCompared(folder: string, { before, after, diff }: ComparedFiles): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    for (const file of [before, after, ...(diff ? [diff] : [])]) await writeFile(join(folder, file.name), file.bytes);
    if (!diff) await rm(join(folder, DIFF), { force: true });
  } catch (cause) {
    throw new ProofsheetError({
      code: 'report-unwritable',
      where: folder,
      found: `the images cannot be written (${messageOf(cause)})`,
      advice: `${adviseFileError(cause)}, or use another folder with --output.`,
    });
  }
}

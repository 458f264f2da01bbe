import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeDefect, extractText, inspectFile } from '../../image/index.js';
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
} from '../../model/index.js';

/** An image file of the user. It is not decoded. */
export interface ImageFile {
  /** The image without an embedded baseline record. */
  readonly image: EncodedImage;
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

/**
 * Opens a folder for the images of a comparison, and removes the diff image of an earlier one.
 *
 * @returns a function that writes an image under a name, and returns its absolute URI
 * @throws ProofsheetError `report-unwritable`; the function throws it, too
 */
export async function openComparedFolder(folder: string) {
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

import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { type FileInspection, inspectFile } from '../image/inspect-file.js';
import { extractText } from '../image/metadata.js';
import type { Warning } from '../model/capture.js';
import { type ErrorCode, messageOf, ProofsheetError } from '../model/errors.js';
import { codecOf, type EncodedImage, SHOT_FORMATS } from '../model/image.js';

/** An image file of the user. It is not decoded. */
export interface ImageFile {
  /** The image without an embedded baseline record. */
  readonly image: EncodedImage;
  /** The bytes of the file. */
  readonly bytes: Buffer;
  readonly warnings: readonly Warning[];
}

/** Maximum size of an image file, in bytes. */
const MAX_BYTES = 512 * 1024 * 1024;

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
 * @param where the source of the bytes, for messages.
 * @throws ProofsheetError `image-damaged`, `image-too-large`
 */
export async function openImage(bytes: Buffer, where: string): Promise<ImageFile> {
  const image = imageOf(await inspectFile(bytes), where);
  return { image: { ...image, bytes: extractText(bytes, image.codec).bare }, bytes, warnings: [] };
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size <= MAX_BYTES) return await readFile(path);
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw refused(
      'image-missing',
      path,
      isMissing ? 'there is no such file' : `it cannot be read (${messageOf(cause)})`,
    );
  }
  throw refused(
    'image-too-large',
    path,
    `the file has more than ${MAX_BYTES / 1024 / 1024} MB`,
    'Compare smaller images.',
  );
}

function imageOf(inspection: FileInspection, path: string): EncodedImage {
  switch (inspection.kind) {
    case 'image':
      return inspection.image;
    case 'empty':
      throw refused('image-damaged', path, 'the file is empty (0 bytes)');
    case 'truncated':
      throw refused('image-damaged', path, `the file is cut off: its ${inspection.codec} data does not end`);
    case 'lfs-pointer':
      throw refused('image-damaged', path, 'the file is a Git LFS pointer, not an image', 'Run: git lfs pull');
    case 'damaged':
      throw refused('image-damaged', path, `the file is a PDF that cannot be read (${inspection.reason})`);
    case 'unknown':
      throw refused('image-damaged', path, 'the file is not an image, expected PNG, JPEG, WebP or PDF');
    case 'too-large': {
      const { width, height } = inspection.size;
      throw refused('image-too-large', path, `it says it is ${width}x${height}, larger than can be compared`);
    }
    default:
      return inspection satisfies never;
  }
}

function refused(code: ErrorCode, where: string, found: string, advice = ADVICE): ProofsheetError {
  return new ProofsheetError({ code, where, found, advice });
}

const ADVICE = 'Give the path of a whole image, or a URL that begins with http:// or https://.';

function nameWarnings(path: string, { codec }: EncodedImage): Warning[] {
  const format = SHOT_FORMATS.find((name) => extname(path).toLowerCase() === `.${name}`);
  if (format === undefined || codecOf(format) === codec) return [];
  return [{ code: 'image-extension', message: `${path} is ${codec}, its name says ${codecOf(format)}` }];
}

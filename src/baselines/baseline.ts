import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readImageHeader } from '../image/headers.js';
import { maxPixelsOf } from '../image/inspect.js';
import { type FileInspection, inspectFile } from '../image/inspect-file.js';
import { embedText, extractText } from '../image/metadata.js';
import { type BaselineRecord, decodeBaselineRecord, encodeBaselineRecord } from '../model/environment.js';
import { type ErrorCode, messageOf, ProofsheetError } from '../model/errors.js';
import { codecOf, type EncodedImage, type ShotFormat } from '../model/image.js';
import { replaceFile } from './atomic-write.js';

/** The content of a baseline path. */
export type Baseline =
  | { readonly kind: 'missing' }
  | {
      readonly kind: 'image';
      /** The captured image, without the record, so that a capture can equal its bytes. */
      readonly image: EncodedImage;
      /** The embedded record; null if there is none or this version cannot read it. */
      readonly record: BaselineRecord | null;
      /** The packed structure of the page; null if there is none. `unpackStructure` reads it. */
      readonly structure: Buffer | null;
      /** Hash of the file on the disk. */
      readonly sha256: string;
    }
  /** The file exists, but is not an image of the format that its name says. */
  | { readonly kind: 'damaged'; readonly error: ProofsheetError };

/**
 * Reads a baseline without decoding it.
 *
 * @param shownPath the path in messages.
 */
export async function readBaseline(path: string, format: ShotFormat, shownPath: string): Promise<Baseline> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    if (isMissing(cause)) return { kind: 'missing' };
    return {
      kind: 'damaged',
      error: damaged('baseline-unreadable', shownPath, `the baseline cannot be read (${messageOf(cause)})`),
    };
  }
  const inspection = await inspectFile(bytes);
  const error = damageOf(inspection, format, shownPath);
  if (error) return { kind: 'damaged', error };
  if (inspection.kind !== 'image') throw new Error('expected an image');
  const { text, data, bare } = extractText(bytes, inspection.image.codec);
  return {
    kind: 'image',
    image: { ...inspection.image, bytes: bare },
    record: text === null ? null : decodeBaselineRecord(text),
    structure: data,
    sha256: sha256(bytes),
  };
}

/**
 * Writes a baseline atomically, with the record and the packed structure embedded in it.
 *
 * @param bytes - the image as it was captured
 * @returns the sha256 of the file
 * @throws ProofsheetError `baseline-unwritable`; `image-damaged` if the image cannot hold the record. The old baseline is not
 *   changed.
 */
export async function writeBaseline(
  path: string,
  bytes: Buffer,
  record: BaselineRecord | null,
  shownPath: string,
  structure: Buffer | null = null,
): Promise<string> {
  const content = record ? embedRecord(bytes, record, shownPath, structure) : bytes;
  try {
    await replaceFile(path, content);
  } catch (cause) {
    throw new ProofsheetError({
      code: 'baseline-unwritable',
      where: shownPath,
      found: `the baseline cannot be written (${messageOf(cause)})`,
      advice: 'Nothing was changed. Check the permissions of the folder and the free disk space.',
    });
  }
  return sha256(content);
}

/**
 * Returns the bytes of a baseline: a captured image with the record embedded in it, and in a PNG the packed structure.
 *
 * @param where - how errors name the image
 * @throws ProofsheetError `image-damaged` if the image cannot hold the record.
 */
export function embedRecord(
  bytes: Buffer,
  record: BaselineRecord,
  where: string,
  structure: Buffer | null = null,
): Buffer {
  const header = readImageHeader(bytes);
  if (!header) throw new Error('expected a captured image');
  return embedText(bytes, header.codec, encodeBaselineRecord(record), where, structure);
}

/** Returns the SHA-256 hash of bytes, in hexadecimal. */
export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function damageOf(inspection: FileInspection, format: ShotFormat, path: string): ProofsheetError | null {
  const expected = codecOf(format);
  switch (inspection.kind) {
    case 'empty':
      return damaged('baseline-empty', path, 'the baseline is empty (0 bytes)');
    case 'truncated':
      return damaged(
        'baseline-truncated',
        path,
        `the baseline is truncated: its ${inspection.codec} data is incomplete`,
      );
    case 'lfs-pointer':
      return damaged(
        'baseline-lfs-pointer',
        path,
        'the baseline is a Git LFS pointer, not an image',
        'Run: git lfs pull',
      );
    case 'damaged':
      return damaged('baseline-unreadable', path, `the baseline is a PDF that cannot be read (${inspection.reason})`);
    case 'unknown':
      return damaged('baseline-format', path, `the baseline is not an image; expected ${expected}`);
    case 'too-large': {
      const { width, height } = inspection.size;
      return damaged(
        'image-too-large',
        path,
        `the baseline is ${width}x${height}; the maximum is ${maxPixelsOf(inspection.codec) / 1e6} million pixels`,
      );
    }
    case 'image': {
      const { codec } = inspection.image;
      return codec === expected
        ? null
        : damaged('baseline-format', path, `the baseline is ${codec}, but its file extension is that of ${expected}`);
    }
    default:
      return inspection satisfies never;
  }
}

const RESTORE = 'Restore it from version control, or create it again: npx playwright test --update-snapshots';

function damaged(code: ErrorCode, where: string, found: string, advice = RESTORE): ProofsheetError {
  return new ProofsheetError({ code, where, found, advice });
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { readImageHeader } from '../image/headers.js';
import { type Defect, describeDefect, inspectFile } from '../image/inspect-file.js';
import { embedText, extractText } from '../image/metadata.js';
import { type BaselineRecord, decodeBaselineRecord, encodeBaselineRecord } from '../model/environment.js';
import { adviseFileError, codeOf, type ErrorCode, messageOf, ProofsheetError } from '../model/errors.js';
import { codecOf, type EncodedImage, type FileCodec, SHOT_FORMATS, type ShotFormat } from '../model/image.js';
import { replaceFile } from './atomic-write.js';
import { withLock } from './locks.js';
import {
  baselineOfStructure,
  isInside,
  listStructureFiles,
  removeStructureFiles,
  structurePath,
} from './structure-part.js';

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
    // In one piece: `readFile` takes several times as long for a file of this size.
    bytes = readFileSync(path);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return { kind: 'missing' };
    return {
      kind: 'damaged',
      error: damaged('baseline-unreadable', shownPath, `the baseline cannot be read (${messageOf(cause)})`),
    };
  }
  const inspection = await inspectFile(bytes);
  const expected = codecOf(format);
  if (inspection.kind !== 'image') return { kind: 'damaged', error: errorOf(inspection, expected, shownPath) };
  const { codec } = inspection.image;
  if (codec !== expected) {
    const found = `the baseline is ${codec}, but its file extension is that of ${expected}`;
    return { kind: 'damaged', error: damaged('baseline-format', shownPath, found) };
  }
  const { text, data, bare } = extractText(bytes, codec);
  const record = text === null ? null : decodeBaselineRecord(text);
  return {
    kind: 'image',
    image: { ...inspection.image, bytes: bare },
    record,
    structure: record?.structure === undefined ? data : await readStructureFile(path, record.structure),
    sha256: sha256(bytes),
  };
}

/** Returns null if the file does not exist, or if it has another hash: it is damaged, or Git LFS did not download it. */
async function readStructureFile(baseline: string, hash: string): Promise<Buffer | null> {
  const packed = await readFile(structurePath(baseline, hash)).catch(() => null);
  return packed && sha256(packed) === hash ? packed : null;
}

/** The content of the files of a baseline. */
export interface BaselineFiles {
  /** The image, with its record. */
  readonly image: Buffer;
  /** The structure file beside the image; null if there is none. */
  readonly structure: Buffer | null;
}

/**
 * Creates the files of a baseline: embeds the record in the image, and the packed structure where it takes at most a quarter of the size
 * of the image. A larger structure becomes a file of its own, and the record contains its hash.
 *
 * @param bytes - the image as it was captured
 * @param where - how errors name the image
 * @throws ProofsheetError `image-damaged` if the image cannot hold the record.
 */
export function createBaseline(
  bytes: Buffer,
  record: BaselineRecord,
  where: string,
  structure: Buffer | null = null,
): BaselineFiles {
  if (!structure || isInside(structure, bytes)) {
    return { image: embedRecord(bytes, record, where, structure), structure: null };
  }
  return { image: embedRecord(bytes, { ...record, structure: sha256(structure) }, where), structure };
}

/** Reads the files of a baseline as they are, to restore them. @throws the error of the file system */
export async function readBaselineFiles(path: string, baseline: Baseline): Promise<BaselineFiles> {
  const isBeside = baseline.kind === 'image' && baseline.record?.structure !== undefined;
  return { image: await readFile(path), structure: isBeside ? baseline.structure : null };
}

/**
 * Writes a baseline. Each file is written atomically. The structure file comes first, and those of earlier images are removed last: the
 * image names its structure, so the baseline is complete at each moment.
 *
 * @returns the sha256 of the image file
 * @throws ProofsheetError `baseline-unwritable`, `lock-held`. The old baseline is not changed.
 */
export async function writeBaseline(
  path: string,
  { image, structure }: BaselineFiles,
  shownPath: string,
): Promise<string> {
  const structureFile = structure && structurePath(path, sha256(structure));
  try {
    await mkdir(dirname(path), { recursive: true });
    await lockBaseline(path, async () => {
      if (structureFile) await replaceFile(structureFile, structure);
      await replaceFile(path, image);
      await removeStructureFiles(path, structureFile);
    });
  } catch (cause) {
    if (cause instanceof ProofsheetError) throw cause;
    throw new ProofsheetError({
      code: 'baseline-unwritable',
      where: shownPath,
      found: `the baseline cannot be written (${messageOf(cause)})`,
      advice: `Nothing was changed. ${adviseFileError(cause)}.`,
    });
  }
  return sha256(image);
}

/** Removes a baseline with its structure. @throws the error of the file system, and ProofsheetError `lock-held` */
export async function removeBaseline(path: string): Promise<void> {
  await lockBaseline(path, async () => {
    await rm(path);
    await removeStructureFiles(path, null);
  });
}

/** Another process must not write between the two files: each removes the structure files that its own image does not name. */
function lockBaseline(path: string, action: () => Promise<void>): Promise<void> {
  return withLock(dirname(path), basename(path), action);
}

/**
 * Removes the structure files of a folder that no baseline names: those of images that were deleted by hand, and of writes that were
 * killed. A file whose baseline cannot be read stays.
 *
 * @param untilMs - newer files stay, because a run may be writing their baselines; in milliseconds since 1970
 */
export async function removeUnusedStructures(folder: string, untilMs: number): Promise<void> {
  for (const path of await listStructureFiles(folder)) {
    const owner = baselineOfStructure(path) ?? '';
    await lockBaseline(owner, async () => {
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      if (mtimeMs <= untilMs && !(await isUsed(path, owner))) await rm(path, { force: true }).catch(messageOf);
    });
  }
}

async function isUsed(path: string, owner: string): Promise<boolean> {
  const format = SHOT_FORMATS.find((name) => owner.endsWith(`.${name}`)) ?? 'png';
  const baseline = await readBaseline(owner, format, owner);
  if (baseline.kind !== 'image') return baseline.kind === 'damaged';
  const hash = baseline.record?.structure;
  return hash !== undefined && structurePath(owner, hash) === path;
}

/**
 * Returns a captured image with the record and the packed structure embedded in it, whatever their size: the image of a report, which
 * {@link createBaseline} converts to a baseline.
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

function errorOf(defect: Defect, expected: FileCodec, path: string): ProofsheetError {
  const { found, advice } = describeDefect(defect, 'the baseline', expected);
  return damaged(DEFECT_CODES[defect.kind], path, found, advice);
}

const DEFECT_CODES = {
  empty: 'baseline-empty',
  truncated: 'baseline-truncated',
  'lfs-pointer': 'baseline-lfs-pointer',
  damaged: 'baseline-unreadable',
  unknown: 'baseline-format',
  'too-large': 'image-too-large',
} satisfies Record<Defect['kind'], ErrorCode>;

const RESTORE = 'Restore it from version control, or create it again: npx playwright test --update-snapshots';

function damaged(code: ErrorCode, where: string, found: string, advice = RESTORE): ProofsheetError {
  return new ProofsheetError({ code, where, found, advice });
}

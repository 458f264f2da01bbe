import { readFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { type Defect, describeDefect, embedText, extractText, inspectFile, readImageHeader } from '../image/index.js';
import {
  adviseFileError,
  type BaselineRecord,
  codecOf,
  codeOf,
  decodeBaselineRecord,
  type EncodedImage,
  type ErrorCode,
  encodeBaselineRecord,
  failure,
  messageOf,
  type ProofsheetError,
  type ShotFormat,
  type Structure,
  structureSchema,
} from '../model/index.js';
import { replaceFile } from './atomic-write.js';
import { sha256 } from './names.js';

export type Baseline =
  | { readonly kind: 'missing' }
  | {
      readonly kind: 'image';
      /** Without the record, so that a capture can equal its bytes. */
      readonly image: EncodedImage;
      /** The embedded record; null if there is none or this version cannot read it. */
      readonly record: BaselineRecord | null;
      /** The packed structure of the page; null if there is none. `unpackStructure` reads it. */
      readonly structure: Buffer | null;
      readonly sha256: string;
    }
  /** The file exists, but is not an image of the format that its name says. */
  | { readonly kind: 'damaged'; readonly error: ProofsheetError };

/**
 * Reads a baseline without decoding it.
 *
 * @param shownPath - the path in messages
 */
export async function readBaseline(path: string, format: ShotFormat, shownPath: string): Promise<Baseline> {
  let bytes: Buffer;
  try {
    // In one piece: `readFile` takes several times as long for a file of this size.
    bytes = readFileSync(path);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return { kind: 'missing' };
    return damaged('baseline-unreadable', shownPath, `the baseline cannot be read (${messageOf(cause)})`);
  }
  const inspection = await inspectFile(bytes);
  const expected = codecOf(format);
  if (inspection.kind !== 'image') {
    const { found, advice } = describeDefect(inspection, 'the baseline', expected);
    return damaged(DEFECT_CODES[inspection.kind], shownPath, found, advice);
  }
  const { codec } = inspection.image;
  if (codec !== expected) {
    const found = `the baseline is ${codec}, but its file extension is that of ${expected}`;
    return damaged('baseline-format', shownPath, found);
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

/**
 * Writes a baseline, atomically.
 *
 * @param image - the image with its record: {@link embedRecord}
 * @returns the sha256 of the file
 * @throws ProofsheetError `baseline-unwritable`. The old baseline is not changed.
 */
export async function writeBaseline(path: string, image: Buffer, shownPath: string): Promise<string> {
  try {
    await replaceFile(path, image);
  } catch (cause) {
    const found = `the baseline cannot be written (${messageOf(cause)})`;
    throw failure('baseline-unwritable', shownPath, found, `Nothing was changed. ${adviseFileError(cause)}.`);
  }
  await removeStructureFiles(path);
  return sha256(image);
}

export async function removeBaseline(path: string): Promise<void> {
  await rm(path);
  await removeStructureFiles(path);
}

/**
 * Returns a captured image with the record and the packed structure embedded in it: the file of a baseline, and the image of a report that
 * can be approved.
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

const DEFECT_CODES = {
  empty: 'baseline-empty',
  truncated: 'baseline-truncated',
  'lfs-pointer': 'baseline-lfs-pointer',
  damaged: 'baseline-unreadable',
  unknown: 'baseline-format',
  'too-large': 'image-too-large',
} satisfies Record<Defect['kind'], ErrorCode>;

const RESTORE = 'Restore it from version control, or create it again: npx playwright test --update-snapshots';

function damaged(code: ErrorCode, where: string, found: string, advice = RESTORE): Baseline {
  return { kind: 'damaged', error: failure(code, where, found, advice) };
}

/** Maximum size of a structure as JSON, in bytes. A structure of 15,000 elements takes about 5 MB. */
const MAX_BYTES = 32_000_000;

/** Compresses a structure. Equal structures give equal bytes. */
export function packStructure(structure: Structure): Buffer {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  return brotliCompressSync(JSON.stringify(structureSchema.parse(structure)), { params });
}

/** Reads a structure. Returns null if it is damaged, or if another version wrote it. */
export function unpackStructure(packed: Buffer): Structure | null {
  try {
    const json: unknown = JSON.parse(brotliDecompressSync(packed, { maxOutputLength: MAX_BYTES }).toString());
    const structure = structureSchema.parse(json);
    // Parents come before their children: walks up the tree end.
    return structure.elements.every(({ parent }, index) => parent < index) ? structure : null;
  } catch {
    return null;
  }
}

/** An earlier version wrote the structure into a file beside the image. */
async function readStructureFile(baseline: string, hash: string): Promise<Buffer | null> {
  const packed = await readFile(`${baseline}.${hash.slice(0, 12)}.structure`).catch(() => null);
  return packed && sha256(packed) === hash ? packed : null;
}

async function removeStructureFiles(baseline: string): Promise<void> {
  const [folder, name] = [dirname(baseline), basename(baseline)];
  for (const file of await readdir(folder).catch(() => [])) {
    const isOfBaseline = file.startsWith(name) && /^\.[\da-f]{12}\.structure$/.test(file.slice(name.length));
    if (isOfBaseline) await rm(join(folder, file), { force: true }).catch(() => {});
  }
}

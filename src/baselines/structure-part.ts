import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { messageOf } from '../model/errors.js';
import { type Structure, structureSchema } from '../model/structure.js';

/** Maximum share of an image that its structure may add to the file. A larger structure is in a file beside it. */
const MAX_SHARE = 0.25;

/** Maximum size of a structure as JSON, in bytes. A structure of 15,000 elements takes about 5 MB. */
const MAX_BYTES = 32_000_000;

/** Compresses a structure. Equal structures give equal bytes. */
export function packStructure(structure: Structure): Buffer {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  return brotliCompressSync(JSON.stringify(structureSchema.parse(structure)), { params });
}

/** Checks whether the file of a baseline contains the structure of its page. @param image - the captured image */
export function isInside(packed: Buffer, image: Buffer): boolean {
  return packed.length <= image.length * MAX_SHARE;
}

/** Reads a structure. Returns null if it is damaged, or if another version wrote it. */
export function unpackStructure(packed: Buffer): Structure | null {
  try {
    const json: unknown = JSON.parse(brotliDecompressSync(packed, { maxOutputLength: MAX_BYTES }).toString());
    return isConsistent(structureSchema.parse(json));
  } catch {
    return null;
  }
}

/** Parents come before their children: walks up the tree end. */
function isConsistent(structure: Structure): Structure | null {
  return structure.elements.every(({ parent }, index) => parent < index) ? structure : null;
}

/** The name of a structure file: that of its baseline, and the start of the hash of its content. */
const PATTERN = /^(?<baseline>.+\.(?:png|jpe?g|webp))\.[\da-f]{12}\.structure$/;

/** Returns the path of the structure file of a baseline. @param sha256 - hash of the content, which the record of the baseline has */
export function structurePath(baseline: string, sha256: string): string {
  return `${baseline}.${sha256.slice(0, 12)}.structure`;
}

/** Returns the path of the baseline that the name of a structure file contains; null if it is no such name. */
export function baselineOfStructure(path: string): string | null {
  const name = PATTERN.exec(basename(path))?.groups?.baseline;
  return name === undefined ? null : join(dirname(path), name);
}

/** Lists the structure files of a folder. Returns their paths. */
export async function listStructureFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => join(folder, name)).filter((path) => baselineOfStructure(path) !== null);
}

/** Removes the structure files of a baseline, except one. Errors are ignored: no baseline names the others. */
export async function removeStructureFiles(baseline: string, except: string | null): Promise<void> {
  const files = await listStructureFiles(dirname(baseline));
  const others = files.filter((path) => baselineOfStructure(path) === baseline && path !== except);
  await Promise.all(others.map((path) => rm(path, { force: true }).catch(messageOf)));
}

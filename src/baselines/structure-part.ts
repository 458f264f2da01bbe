import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { messageOf, type Structure, structureSchema } from '../model/index.js';

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
    return isConsistent(structureSchema.parse(json));
  } catch {
    return null;
  }
}

/** Parents come before their children: walks up the tree end. */
function isConsistent(structure: Structure): Structure | null {
  return structure.elements.every(({ parent }, index) => parent < index) ? structure : null;
}

/**
 * Reads the structure of a baseline of an earlier version, which was in a file beside the image. Returns null if it does not exist, or if it
 * has another hash.
 */
export async function readStructureFile(baseline: string, sha256: string): Promise<Buffer | null> {
  const packed = await readFile(`${baseline}.${sha256.slice(0, 12)}.structure`).catch(() => null);
  return packed && createHash('sha256').update(packed).digest('hex') === sha256 ? packed : null;
}

/** Removes the structure files of a baseline of an earlier version. Errors are ignored. */
export async function removeStructureFiles(baseline: string): Promise<void> {
  const names = await readdir(dirname(baseline)).catch(() => []);
  for (const name of names.filter((name) => name.startsWith(`${basename(baseline)}.`))) {
    const isStructure = /^\.[\da-f]{12}\.structure$/.test(name.slice(basename(baseline).length));
    if (isStructure) await rm(join(dirname(baseline), name), { force: true }).catch(messageOf);
  }
}

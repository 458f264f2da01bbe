import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { type Structure, structureSchema } from '../model/structure.js';

/** Maximum share of an image that its structure may add to the file. A larger structure is not kept. */
const MAX_SHARE = 0.25;

/** Maximum size of a structure as JSON, in bytes. A structure of 15,000 elements takes about 5 MB. */
const MAX_BYTES = 32_000_000;

/**
 * Compresses a structure for the file of a baseline. Equal structures give equal bytes.
 *
 * @param image - the captured image
 * @returns null if the structure is too large for the image
 */
export function packStructure(structure: Structure, image: Buffer): Buffer | null {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  const packed = brotliCompressSync(JSON.stringify(structureSchema.parse(structure)), { params });
  return packed.length <= image.length * MAX_SHARE ? packed : null;
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

import { promisify } from 'node:util';
import { constants, deflate } from 'node:zlib';
import type { Size } from '../model/image.js';
import { borrowBytes, returnBytes } from './lent-bytes.js';
import { encodePngChunk, PNG_SIGNATURE } from './png-chunks.js';
import { FILTER } from './png-rows.js';

/** An opaque colour, 0..255 each. */
export type Color = readonly [red: number, green: number, blue: number];

/** Pixels that are places in a palette, one byte each, rows from the top. Place 0 is transparent. */
export interface IndexedPixels extends Size {
  readonly data: Uint8Array;
  /** At most 256 colours; the first is never seen. */
  readonly palette: readonly Color[];
}

/** Encodes a PNG with a palette; the same pixels give the same bytes on every machine. */
export async function encodeIndexedPng({ width, height, data, palette }: IndexedPixels): Promise<Buffer> {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, PALETTE, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const isSeenThrough = Buffer.from(data.buffer, data.byteOffset, data.byteLength).includes(0);
  return Buffer.concat([
    PNG_SIGNATURE,
    encodePngChunk('IHDR', head),
    encodePngChunk('PLTE', Buffer.from(palette.flat())),
    ...(isSeenThrough ? [encodePngChunk('tRNS', Buffer.from([0]))] : []),
    encodePngChunk('IDAT', await packRows(width, height, data)),
    encodePngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** https://www.w3.org/TR/png-3/#3PNGcolourtype */
const PALETTE = 3;

// Runs only: the longer matches that zlib looks for by hashes may differ between CPUs and between its builds.
async function packRows(width: number, height: number, data: Uint8Array): Promise<Buffer> {
  const rows = borrowBytes(height * (width + 1));
  for (let y = 0; y < height; y++) {
    rows[y * (width + 1)] = FILTER.none;
    rows.set(data.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  const packed = await promisify(deflate)(rows, { strategy: constants.Z_RLE, chunkSize: 1 << 20 });
  returnBytes(rows);
  return packed;
}

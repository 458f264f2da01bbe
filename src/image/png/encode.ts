import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createDeflate, deflate } from 'node:zlib';
import { PNG } from 'pngjs';
import type { Pixels, Size } from '../../model/image.js';
import { borrowBytes, returnBytes } from '../buffer-pool.js';
import { isOpaque } from '../canvas.js';
import { encodePngChunk, PNG_SIGNATURE } from './chunks.js';
import { FILTER } from './rows.js';

const RGB = 2;
const RGBA = 6;
const FILTER_NONE = 0;
/** Stores the difference to the left pixel, so that areas of one color become runs. */
const FILTER_SUB = 1;

/** Encodes a PNG: RGB, or RGBA if a pixel is transparent. The same pixels give the same bytes on every machine. */
export function encodePng(pixels: Pixels): Buffer {
  return PNG.sync.write(toPng(pixels), {
    colorType: isOpaque(pixels) ? RGB : RGBA,
    filterType: FILTER_SUB,
    // Only run lengths, because the matches that zlib finds by hashing may differ between CPUs and builds.
    deflateStrategy: constants.Z_RLE,
  });
}

/** Encodes pixels as an uncompressed PNG. This is fast, and meant for a program on the same machine. */
export function storePng(pixels: Pixels): Buffer {
  return PNG.sync.write(toPng(pixels), { colorType: RGBA, filterType: FILTER_NONE, deflateLevel: 0 });
}

function toPng({ width, height, data }: Pixels): PNG {
  const png = new PNG({ width, height });
  png.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return png;
}

/**
 * Encodes a PNG from a stream of rows. Compression is optimized for speed, not size.
 *
 * @param channels - 3 for RGB, 4 for RGBA
 * @param rows - complete rows, each with its filter byte
 */
export async function encodeRows(size: Size, channels: 3 | 4, rows: AsyncIterable<Buffer>): Promise<Buffer> {
  const packed: Buffer[] = [];
  await pipeline(rows, createDeflate({ level: constants.Z_BEST_SPEED }), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) packed.push(piece);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size.width, 0);
  header.writeUInt32BE(size.height, 4);
  header.set([8, channels === 3 ? 2 : 6], 8);
  const chunks = [encodePngChunk('IHDR', header), ...packed.map((piece) => encodePngChunk('IDAT', piece))];
  return Buffer.concat([PNG_SIGNATURE, ...chunks, encodePngChunk('IEND', Buffer.alloc(0))]);
}

/** An opaque color, 0..255 per channel. */
export type Color = readonly [red: number, green: number, blue: number];

/** Pixels as palette indexes, one byte each, rows from the top. Index 0 is transparent. */
export interface IndexedPixels extends Size {
  readonly data: Uint8Array;
  /** At most 256 colors. The first one is not visible. */
  readonly palette: readonly Color[];
}

/** Encodes a PNG with a palette. The same pixels give the same bytes on every machine. */
export async function encodeIndexedPng({ width, height, data, palette }: IndexedPixels): Promise<Buffer> {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, PALETTE, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const hasTransparency = Buffer.from(data.buffer, data.byteOffset, data.byteLength).includes(0);
  return Buffer.concat([
    PNG_SIGNATURE,
    encodePngChunk('IHDR', head),
    encodePngChunk('PLTE', Buffer.from(palette.flat())),
    ...(hasTransparency ? [encodePngChunk('tRNS', Buffer.from([0]))] : []),
    encodePngChunk('IDAT', await packRows(width, height, data)),
    encodePngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** https://www.w3.org/TR/png-3/#3PNGcolortype */
const PALETTE = 3;

// Only run lengths, because the matches that zlib finds by hashing may differ between CPUs and builds.
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

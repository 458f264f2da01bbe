import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createDeflate, deflate, deflateSync } from 'node:zlib';
import type { Pixels, Size } from '../../model/image.js';
import { borrowBytes, returnBytes } from '../buffer-pool.js';
import { isOpaque } from '../canvas.js';
import { COLOR_TYPE, encodePngChunk, writePng } from './chunks.js';
import { FILTER } from './rows.js';

/** Encodes a PNG: RGB, or RGBA if a pixel is transparent. The same pixels give the same bytes on every machine. */
export function encodePng(pixels: Pixels): Buffer {
  const channels = isOpaque(pixels) ? 3 : 4;
  const rows = filterRows(pixels, channels, FILTER.sub);
  const packed = deflateSync(rows, { level: constants.Z_BEST_COMPRESSION, strategy: REPEATABLE });
  returnBytes(rows);
  return writePng({ ...pixels, colorType: colorTypeOf(channels), packed: [packed] });
}

/** Encodes pixels as an uncompressed PNG. This is fast, and meant for a program on the same machine. */
export function storePng(pixels: Pixels): Buffer {
  const rows = filterRows(pixels, 4, FILTER.none);
  const packed = deflateSync(rows, { level: constants.Z_NO_COMPRESSION });
  returnBytes(rows);
  return writePng({ ...pixels, colorType: COLOR_TYPE.rgba, packed: [packed] });
}

// Only run lengths, because the matches that zlib finds by hashing may differ between CPUs and builds.
const REPEATABLE = constants.Z_RLE;

function colorTypeOf(channels: 3 | 4) {
  return channels === 3 ? COLOR_TYPE.rgb : COLOR_TYPE.rgba;
}

/**
 * Returns rows with their filter bytes. `sub` stores the difference to the left pixel, so that areas of one color become runs.
 *
 * @returns a buffer of the pool
 */
function filterRows({ width, height, data }: Pixels, channels: 3 | 4, filter: 0 | 1): Uint8Array {
  const rows = borrowBytes(height * (1 + width * channels));
  let to = 0;
  for (let y = 0; y < height; y++) {
    rows[to++] = filter;
    for (let x = 0, from = y * width * 4; x < width; x++, from += 4) {
      for (let channel = from; channel < from + channels; channel++) {
        const left = filter === FILTER.none || x === 0 ? 0 : (data[channel - 4] ?? 0);
        rows[to++] = (data[channel] ?? 0) - left;
      }
    }
  }
  return rows;
}

/**
 * Encodes a PNG from a stream of rows. Compression is optimized for speed, not size.
 *
 * @param channels - 3 for RGB, 4 for RGBA
 * @param rows - complete rows, each with its filter byte
 */
export async function encodeRows(size: Size, channels: 3 | 4, rows: AsyncIterable<Buffer>): Promise<Buffer> {
  return writePng({ ...size, colorType: colorTypeOf(channels), packed: await packRows(rows) });
}

/** Compresses a stream of rows, optimized for speed. Returns the compressed rows in pieces. */
export async function packRows(rows: AsyncIterable<Buffer>): Promise<readonly Buffer[]> {
  const packed: Buffer[] = [];
  const compress = createDeflate({ level: constants.Z_BEST_SPEED, chunkSize: 1 << 20 });
  await pipeline(rows, compress, async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) packed.push(piece);
  });
  return packed;
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
  const hasTransparency = Buffer.from(data.buffer, data.byteOffset, data.byteLength).includes(0);
  const rows = borrowBytes(height * (width + 1));
  for (let y = 0; y < height; y++) {
    rows[y * (width + 1)] = FILTER.none;
    rows.set(data.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  const packed = await promisify(deflate)(rows, { strategy: REPEATABLE, chunkSize: 1 << 20 });
  returnBytes(rows);
  const extra = [
    encodePngChunk('PLTE', Buffer.from(palette.flat())),
    ...(hasTransparency ? [encodePngChunk('tRNS', Buffer.from([0]))] : []),
  ];
  return writePng({ width, height, colorType: COLOR_TYPE.palette, extra, packed: [packed] });
}

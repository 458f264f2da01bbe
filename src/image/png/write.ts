import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, crc32, createDeflate, deflate, deflateSync } from 'node:zlib';
import type { Pixels, Size } from '../../model/index.js';
import { borrowBytes, returnBytes } from '../buffer-pool.js';
import { isOpaque } from '../canvas.js';
import { FILTER, PNG_SIGNATURE, type PngRows, readPngRows, unpackRows, walkPng } from './read.js';

export function encodePngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), data.length + 8);
  return chunk;
}

const COLOR_TYPE = { 1: 3, 3: 2, 4: 6 } as const;
type Channels = keyof typeof COLOR_TYPE;

/** Writes a PNG with 8 bits per channel from compressed rows. `extra` are complete chunks before them. */
function writePng({ width, height }: Size, channels: Channels, packed: Buffer, extra: Buffer): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, COLOR_TYPE[channels], 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const [start, end] = [encodePngChunk('IHDR', header), encodePngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([PNG_SIGNATURE, start, extra, encodePngChunk('IDAT', packed), end]);
}

/** Encodes a PNG: RGB, or RGBA if a pixel is transparent. The same pixels give the same bytes on every machine. */
export function encodePng(pixels: Pixels): Buffer {
  return encodePixels(pixels, { level: constants.Z_BEST_COMPRESSION, strategy: REPEATABLE });
}

/** Encodes pixels as an uncompressed PNG. This is fast, and meant for a program on the same machine. */
export function storePng(pixels: Pixels): Buffer {
  return encodePixels(pixels, { level: constants.Z_NO_COMPRESSION });
}

// Only run lengths, because the matches that zlib finds by hashing may differ between CPUs and builds.
const REPEATABLE = constants.Z_RLE;

/** Stores the difference of each pixel to its left one, so that areas of one color become runs. */
function encodePixels(pixels: Pixels, options: Parameters<typeof deflateSync>[1]): Buffer {
  const { width, height, data } = pixels;
  const channels = isOpaque(pixels) ? 3 : 4;
  const rows = borrowBytes(height * (1 + width * channels));
  let to = 0;
  for (let y = 0; y < height; y++) {
    rows[to++] = FILTER.sub;
    for (let x = 0, from = y * width * 4; x < width; x++, from += 4) {
      for (let channel = from; channel < from + channels; channel++) {
        rows[to++] = (data[channel] ?? 0) - (x === 0 ? 0 : (data[channel - 4] ?? 0));
      }
    }
  }
  const packed = deflateSync(rows, options);
  returnBytes(rows);
  return writePng(pixels, channels, packed, Buffer.alloc(0));
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
export async function encodeIndexedPng(pixels: IndexedPixels): Promise<Buffer> {
  const { width, height, data, palette } = pixels;
  const rows = borrowBytes(height * (width + 1));
  for (let y = 0; y < height; y++) {
    rows[y * (width + 1)] = FILTER.none;
    rows.set(data.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  const packed = await promisify(deflate)(rows, { strategy: REPEATABLE, chunkSize: 1 << 20 });
  returnBytes(rows);
  const transparency = data.includes(0) ? [encodePngChunk('tRNS', Buffer.of(0))] : [];
  const colors = encodePngChunk('PLTE', Buffer.from(palette.flat()));
  return writePng(pixels, 1, packed, Buffer.concat([colors, ...transparency]));
}

/**
 * Joins PNG tiles vertically into one PNG, a few rows at a time. Requests a tile only after the tile above it is processed.
 *
 * @param tiles from the top: 8 bits per channel, RGB or RGBA, not interlaced, all of the same width and kind
 * @throws Error when there is no tile, or when a tile is damaged or of another kind. Errors of `tiles` are passed on.
 */
export async function joinPngs(tiles: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<Buffer> {
  let first: Tile | null = null;
  let height = 0;
  async function* rowsOf(): AsyncGenerator<Buffer> {
    for await (const bytes of tiles) {
      const tile = readTile(bytes);
      first ??= tile;
      const { rows, extra } = tile;
      if (rows.width !== first.rows.width || rows.channels !== first.rows.channels || !extra.equals(first.extra)) {
        throw new Error('images of different widths or formats cannot be joined');
      }
      height += rows.height;
      let isTop = true;
      for await (const block of unpackRows(bytes, rows)) {
        if (isTop) detachRow(block.subarray(0, rows.stride), rows);
        isTop = false;
        yield block;
      }
    }
  }
  const compress = createDeflate({ level: constants.Z_BEST_SPEED, chunkSize: 1 << 20 });
  const [packed] = await Promise.all([buffer(compress), pipeline(rowsOf(), compress)]);
  if (!first) throw new Error('no images to join');
  const { rows, extra }: Tile = first;
  return writePng({ width: rows.width, height }, rows.channels === 3 ? 3 : 4, packed, extra);
}

type Tile = ReturnType<typeof readTile>;

/** Reads the layout of a tile, and the chunks between IHDR and the pixels, such as color profiles. */
function readTile(bytes: Buffer) {
  const rows = readPngRows(bytes);
  if (!rows.isCommon) throw new Error('only 8-bit RGB or RGBA PNGs without interlacing can be joined');
  const chunks = [...walkPng(bytes)];
  const pixels = chunks.findIndex(({ type }) => type === 'IDAT');
  return { rows, extra: Buffer.concat(chunks.slice(1, pixels).map(({ start, end }) => bytes.subarray(start, end))) };
}

/**
 * Filters the first row of a tile again, in place, so that it does not depend on the row above. It was filtered against a row of zeros, for
 * which `Up` equals `None` and `Paeth` equals `Sub`. No other row depends on pixels outside the tile. Source:
 * https://www.w3.org/TR/png-3/#9Filter-types
 */
function detachRow(row: Buffer, { channels }: PngRows): void {
  if (row[0] === FILTER.up) row[0] = FILTER.none;
  if (row[0] === FILTER.paeth) row[0] = FILTER.sub;
  if (row[0] !== FILTER.average) return;
  row[0] = FILTER.none;
  for (let i = 1 + channels; i < row.length; i++) row[i] = (row[i] ?? 0) + ((row[i - channels] ?? 0) >> 1);
}

import { Readable } from 'node:stream';
import { crc32, createInflate, inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { type Pixels, renderCountOf, type Size } from '../../model/index.js';
import { borrowBytes } from '../buffer-pool.js';

/** The first eight bytes of every PNG. */
export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

export interface PngChunk {
  readonly type: string;
  readonly data: Buffer;
  /** The stored checksum over type and data. */
  readonly crc: number;
  /** File offsets of the start, including the length field, and of the end, including the checksum. */
  readonly start: number;
  readonly end: number;
}

/** Iterates over the chunks of a PNG by their lengths. Stops after IEND, or before the first truncated chunk. */
export function* walkPng(bytes: Buffer): Generator<PngChunk> {
  let offset = PNG_SIGNATURE.length;
  while (offset + 12 <= bytes.length) {
    const end = offset + 8 + bytes.readUInt32BE(offset);
    if (end + 4 > bytes.length) return;
    const type = bytes.toString('latin1', offset + 4, offset + 8);
    yield { type, data: bytes.subarray(offset + 8, end), crc: bytes.readUInt32BE(end), start: offset, end: end + 4 };
    if (type === 'IEND') return;
    offset = end + 4;
  }
}

export function isIntact({ type, data, crc }: PngChunk): boolean {
  return crc32(data, crc32(Buffer.from(type, 'latin1'))) === crc;
}

/** The layout of the rows of a PNG, which IHDR states: https://www.w3.org/TR/png-3/#11IHDR. */
export interface PngRows extends Size {
  readonly channels: number;
  /** Bytes per row, including the filter byte. */
  readonly stride: number;
  /** Of the kind that browsers write: RGB or RGBA with 8 bits per channel, not interlaced. */
  readonly isCommon: boolean;
  readonly isInterlaced: boolean;
}

/** @throws Error with the reason */
export function readPngRows(bytes: Buffer): PngRows {
  const { type, data }: Partial<PngChunk> = walkPng(bytes).next().value ?? {};
  if (type !== 'IHDR' || data?.length !== 13) throw new Error('the first chunk is not IHDR');
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const [depth = 0, colorType = 0, , , interlaced] = data.subarray(8);
  const { channels, depths } = COLOR_TYPES.get(colorType) ?? { channels: 0, depths: [] };
  if (!depths.includes(depth))
    throw new Error(`the color type ${colorType} with a depth of ${depth} bits is not valid`);
  const isInterlaced = interlaced !== 0;
  const isCommon = channels >= 3 && depth === 8 && !isInterlaced;
  const stride = 1 + Math.ceil((width * channels * depth) / 8);
  return { width, height, channels, stride, isCommon, isInterlaced };
}

/** Channels and bit depths of each color type: https://www.w3.org/TR/png-3/#table111. */
const COLOR_TYPES: ReadonlyMap<number, { readonly channels: number; readonly depths: readonly number[] }> = new Map([
  [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { channels: 3, depths: [8, 16] }],
  [3, { channels: 1, depths: [1, 2, 4, 8] }],
  [4, { channels: 2, depths: [8, 16] }],
  [6, { channels: 4, depths: [8, 16] }],
]);

/**
 * Decodes a PNG of any kind to RGBA. Rounds 16 bits to 8, and expands palettes and grey.
 *
 * @throws Error with the reason. Never allocates more pixels than the data can fill.
 */
export async function decodePng(bytes: Buffer): Promise<Pixels> {
  const rows = readPngRows(bytes);
  const chunks = [...walkPng(bytes)];
  const damaged = chunks.find((chunk) => !isIntact(chunk));
  if (damaged) throw new Error(`the checksum of the ${damaged.type} chunk is wrong`);
  if (chunks.at(-1)?.type !== 'IEND') throw new Error('the IEND chunk is missing');
  const packed = packedRowsOf(bytes);
  const packedLength = packed.reduce((sum, { length }) => sum + length, 0);
  const length = rows.height * rows.stride;
  if (length > packedLength * MAX_RATIO) {
    const [needed, found] = [length, packedLength].map((count) => renderCountOf(count, 'byte'));
    throw new Error(`the pixels need ${needed}; the compressed data has only ${found}`);
  }
  if (rows.isCommon && !chunks.some(({ type }) => type === 'tRNS')) return decodeRows(bytes, rows);
  assertLength(packed, rows);
  const { width, height, data } = PNG.sync.read(bytes);
  return { width, height, data };
}

/** Approximate maximum compression ratio of deflate: https://zlib.net/zlib_tech.html. */
const MAX_RATIO = 1040;

/**
 * Without this, pngjs fills missing rows with unrelated memory, and unpacks a small file to gigabytes. It checks interlaced rows itself.
 * They need less than twice the bytes.
 */
function assertLength(packed: readonly Buffer[], { height, stride, isInterlaced }: PngRows): void {
  const length = height * stride;
  const maxOutputLength = isInterlaced ? 2 * length + 64 : length + 1;
  const found = inflateSync(Buffer.concat(packed), { chunkSize: 1 << 20, maxOutputLength }).length;
  if (!isInterlaced && found !== length)
    throw new Error(`the data has ${renderCountOf(found, 'byte')}, expected ${renderCountOf(length, 'byte')}`);
}

/**
 * Unpacks the filtered rows of a PNG that is not interlaced, a few complete rows at a time, which the caller may change. A thread of zlib
 * unpacks them, so that two images are unpacked concurrently.
 *
 * @throws Error when the data is damaged, too short or too long
 */
export async function* unpackRows(bytes: Buffer, { height, stride }: PngRows): AsyncGenerator<Buffer> {
  const unpacked: AsyncIterable<Buffer> = Readable.from(compressedPieces(bytes)).pipe(
    createInflate({ chunkSize: PIECE }),
  );
  let missing = height * stride;
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of unpacked) {
    missing -= piece.length;
    if (missing < 0) break;
    const start = rest.length === 0 ? 0 : Math.min(piece.length, stride - rest.length);
    if (start > 0) rest = Buffer.concat([rest, piece.subarray(0, start)]);
    if (rest.length === stride) yield rest;
    else if (rest.length > 0) continue;
    const end = piece.length - ((piece.length - start) % stride);
    if (end > start) yield piece.subarray(start, end);
    rest = piece.subarray(end);
  }
  if (missing !== 0) throw new Error(`the PNG has ${missing > 0 ? 'fewer' : 'more'} rows than its header states`);
}

const PIECE = 1 << 18;

/** Yields the compressed data of several chunks at once: browsers write 4 KB each, and each piece costs an iteration of the event loop. */
function* compressedPieces(bytes: Buffer): Generator<Buffer> {
  const packed = packedRowsOf(bytes);
  for (let at = 0; at < packed.length; at += 16) yield Buffer.concat(packed.slice(at, at + 16));
}

function packedRowsOf(bytes: Buffer): Buffer[] {
  return [...walkPng(bytes)].flatMap(({ type, data }) => (type === 'IDAT' ? [data] : []));
}

/** The row filters: https://www.w3.org/TR/png-3/#9Filter-types. */
export const FILTER = { none: 0, sub: 1, up: 2, average: 3, paeth: 4 } as const;

async function decodeRows(bytes: Buffer, rows: PngRows): Promise<Pixels> {
  const { width, height, channels, stride } = rows;
  const data = borrowBytes(width * height * 4);
  const words = new Int32Array(data.buffer, data.byteOffset, width * height);
  const padding = channels === 3 ? OPAQUE : 0;
  const repeated = Buffer.alloc(stride).fill(FILTER.up, 0, 1);
  let above = new Int32Array(width).fill(padding);
  let start = 0;
  for await (const block of unpackRows(bytes, rows)) {
    for (let at = 0; at < block.length; at += stride, start += width) {
      const line = words.subarray(start, start + width);
      // Most rows of a page repeat the row above.
      if (repeated.compare(block, at, at + stride) === 0) line.set(above);
      else unfilterRow(block.subarray(at, at + stride), channels, line, above, padding);
      above = line;
    }
  }
  return { width, height, data };
}

const OPAQUE = 0xff << 24;

/**
 * Undoes the filter of a row, and expands it to one word per pixel, red in the lowest byte. All channels of a pixel are computed at once.
 *
 * @param padding - the pixel left of the first one
 */
function unfilterRow(row: Uint8Array, channels: number, line: Int32Array, above: Int32Array, padding: number): void {
  const filter = row[0] ?? 0;
  if (filter > FILTER.paeth) throw new Error(`the filter type ${filter} is not valid`);
  let [left, corner] = [padding, padding];
  for (let x = 0, at = 1; x < line.length; x++, at += channels) {
    const up = above[x] ?? 0;
    const alpha = channels === 4 ? (row[at + 3] ?? 0) << 24 : 0;
    const word = (row[at] ?? 0) | ((row[at + 1] ?? 0) << 8) | ((row[at + 2] ?? 0) << 16) | alpha;
    left = addBytes(word, filter === FILTER.none ? padding : predict(filter, left, up, corner));
    line[x] = left;
    corner = up;
  }
}

function addBytes(one: number, other: number): number {
  return ((one & 0x7f7f7f7f) + (other & 0x7f7f7f7f)) ^ ((one ^ other) & (0x80808080 | 0));
}

function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === FILTER.up) return up;
  if (filter === FILTER.sub) return left;
  // The mean of each byte, rounded down: the bits of both, and half of the bits of one.
  if (filter === FILTER.average) return ((left & up) + (((left ^ up) & (0xfefefefe | 0)) >>> 1)) | 0;
  if (left === corner) return up;
  if (up === corner) return left;
  let predicted = 0;
  for (let shift = 0; shift < 32; shift += 8) {
    predicted |= predictPaeth((left >>> shift) & 0xff, (up >>> shift) & 0xff, (corner >>> shift) & 0xff) << shift;
  }
  return predicted;
}

function predictPaeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

import { inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import type { Pixels } from '../../model/image.js';
import { renderCountOf } from '../../model/words.js';
import { borrowBytes } from '../buffer-pool.js';
import { isIntact, type PngHeader, readPngHeader, walkPng } from './chunks.js';
import { type PngRows, readPngRows, unpackRows } from './rows.js';
import { unfilterRows } from './unfilter.js';

/**
 * Decodes a PNG of any kind to RGBA. Rounds 16 bits to 8, and expands palettes and grey.
 *
 * @throws Error with the reason. Never allocates more pixels than the data can fill.
 */
export async function decodePng(bytes: Buffer): Promise<Pixels> {
  const { header, packedLength, hasColorKey } = checkPng(bytes);
  const length = lengthOfRows(header);
  if (length > packedLength * MAX_RATIO) {
    throw new Error(
      `the pixels need ${renderCountOf(length, 'byte')}; the compressed data has only ${renderCountOf(packedLength, 'byte')}`,
    );
  }
  const rows = hasColorKey ? null : readPngRows(bytes);
  return rows ? decodeRows(bytes, rows) : decodeRareKind(bytes, length);
}

/** Approximate maximum compression ratio of deflate: https://zlib.net/zlib_tech.html. */
const MAX_RATIO = 1040;

interface Checked {
  readonly header: PngHeader;
  readonly packedLength: number;
  readonly hasColorKey: boolean;
}

function checkPng(bytes: Buffer): Checked {
  let header: PngHeader | null = null;
  let packedLength = 0;
  let ended = false;
  let hasColorKey = false;
  for (const chunk of walkPng(bytes)) {
    if (!isIntact(chunk)) throw new Error(`the checksum of the ${chunk.type} chunk is wrong`);
    header ??= readPngHeader(chunk);
    if (chunk.type === 'IDAT') packedLength += chunk.data.length;
    if (chunk.type === 'tRNS') hasColorKey = true;
    if (chunk.type === 'IEND') ended = true;
  }
  if (!header) throw new Error('the first chunk is not IHDR');
  if (!ended) throw new Error('the IEND chunk is missing');
  return { header, packedLength, hasColorKey };
}

/** Decodes with pngjs. The length is checked first: pngjs allocates by the header, and fills short data with unrelated memory. */
function decodeRareKind(bytes: Buffer, length: number): Pixels {
  checkLength(bytes, length);
  const { width, height, data } = PNG.sync.read(bytes);
  return { width, height, data };
}

// `maxOutputLength` stops a small file from unpacking to gigabytes.
function checkLength(bytes: Buffer, length: number): void {
  const packed = [...walkPng(bytes)].filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  const rows = inflateSync(Buffer.concat(packed), { chunkSize: 1 << 20, maxOutputLength: length + 1 });
  if (rows.length !== length)
    throw new Error(`the data has ${renderCountOf(rows.length, 'byte')}, expected ${renderCountOf(length, 'byte')}`);
}

/** Channels and bit depths of each color type: https://www.w3.org/TR/png-3/#table111. */
const COLOR_TYPES = new Map([
  [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { channels: 3, depths: [8, 16] }],
  [3, { channels: 1, depths: [1, 2, 4, 8] }],
  [4, { channels: 2, depths: [8, 16] }],
  [6, { channels: 4, depths: [8, 16] }],
]);

function lengthOfRows({ width, height, depth, colorType, interlaced }: PngHeader): number {
  const type = COLOR_TYPES.get(colorType);
  if (!type?.depths.includes(depth))
    throw new Error(`the color type ${colorType} with a depth of ${depth} bits is not valid`);
  const { channels } = type;
  const length = (w: number, h: number) => (w === 0 ? 0 : h * (1 + Math.ceil((w * channels * depth) / 8)));
  if (!interlaced) return length(width, height);
  // https://www.w3.org/TR/png-3/#8Interlace
  const part = (whole: number, from: number, step: number) => Math.ceil(Math.max(0, whole - from) / step);
  return ADAM7.reduce((sum, [x, y, dx, dy]) => sum + length(part(width, x, dx), part(height, y, dy)), 0);
}

const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/**
 * Decodes the rows of a PNG of the kind browsers write. Unpacks a few rows at a time, in a thread of zlib, so that little
 * memory is needed in addition to pixels and file, and two images are unpacked concurrently.
 *
 * @throws Error when the data is damaged, too short or too long
 */
async function decodeRows(bytes: Buffer, rows: PngRows): Promise<Pixels> {
  const { width, height } = rows;
  const data = borrowBytes(width * height * 4);
  const pixels = new Int32Array(data.buffer, data.byteOffset, width * height);
  let row = 0;
  for await (const filtered of unpackRows(bytes, rows)) {
    unfilterRows(filtered, rows, pixels, row);
    row += filtered.length / rows.stride;
  }
  return { width, height, data };
}

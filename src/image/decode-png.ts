import { inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import type { Pixels } from '../model/image.js';
import { isIntact, type PngHeader, readPngHeader, walkPng } from './png-chunks.js';

/**
 * Decodes a PNG of any kind to RGBA: 16 bits are rounded to 8, palettes and grey are spread out.
 *
 * @throws Error that says what is wrong; no pixels are allocated before the data was found to be as long as it must be.
 */
export function decodePng(bytes: Buffer): Pixels {
  checkPng(bytes);
  const { width, height, data } = PNG.sync.read(bytes);
  return { width, height, data };
}

/**
 * Tells whether any decoder reads this PNG to the same opaque pixels: intact, at most 8 bits a channel, no transparency.
 * Cheap: nothing is decompressed.
 */
export function isPlainPng(bytes: Buffer): boolean {
  let header: PngHeader | null = null;
  for (const chunk of walkPng(bytes)) {
    header ??= readPngHeader(chunk);
    if (chunk.type === 'tRNS' || !isIntact(chunk)) return false;
    if (chunk.type === 'IEND') return header !== null && header.depth <= 8 && header.colorType < 4;
  }
  return false;
}

/** pngjs allocates what the head claims, and fills up data that is too short with whatever is in memory. */
function checkPng(bytes: Buffer): void {
  let header: PngHeader | null = null;
  let ended = false;
  const compressed: Buffer[] = [];
  for (const chunk of walkPng(bytes)) {
    if (!isIntact(chunk)) throw new Error(`the checksum of its ${chunk.type} chunk is wrong`);
    header ??= readPngHeader(chunk);
    if (chunk.type === 'IDAT') compressed.push(chunk.data);
    if (chunk.type === 'IEND') ended = true;
  }
  if (!header) throw new Error('it does not begin with an IHDR chunk');
  if (!ended) throw new Error('it ends before its IEND chunk');
  checkLength(Buffer.concat(compressed), lengthOfRows(header));
}

// The bound keeps a small file that unpacks to gigabytes from doing so.
function checkLength(compressed: Buffer, length: number): void {
  const rows = inflateSync(compressed, { chunkSize: 1 << 20, maxOutputLength: length + 1 });
  if (rows.length !== length) throw new Error(`its pixels take ${length} bytes, but it has ${rows.length}`);
}

/** Channels and depths of each colour type: https://www.w3.org/TR/png-3/#table111. */
const COLOR_TYPES = new Map([
  [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { channels: 3, depths: [8, 16] }],
  [3, { channels: 1, depths: [1, 2, 4, 8] }],
  [4, { channels: 2, depths: [8, 16] }],
  [6, { channels: 4, depths: [8, 16] }],
]);

function lengthOfRows({ width, height, depth, colorType, interlaced }: PngHeader): number {
  const type = COLOR_TYPES.get(colorType);
  if (!type?.depths.includes(depth)) throw new Error(`there is no colour type ${colorType} of ${depth} bits`);
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

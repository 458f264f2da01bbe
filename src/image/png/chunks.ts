import { crc32 } from 'node:zlib';
import type { Size } from '../../model/image.js';

/** The first eight bytes of every PNG. */
export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** One complete chunk of a PNG. */
export interface PngChunk {
  readonly type: string;
  readonly data: Buffer;
  /** The stored checksum over type and data. */
  readonly crc: number;
  /** File offsets of the start, including the length field, and of the end, including the checksum. */
  readonly start: number;
  readonly end: number;
}

/** The fields of IHDR: https://www.w3.org/TR/png-3/#11IHDR. */
export interface PngHeader extends Size {
  readonly depth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGBA. */
  readonly colorType: number;
  readonly interlaced: boolean;
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

/** Checks whether the chunks of a PNG reach IEND. */
export function isWholePng(bytes: Buffer): boolean {
  for (const { type } of walkPng(bytes)) if (type === 'IEND') return true;
  return false;
}

/** Checks whether the checksum of a chunk is correct. */
export function isIntact({ type, data, crc }: PngChunk): boolean {
  return crc32(data, crc32(Buffer.from(type, 'latin1'))) === crc;
}

/** Encodes a chunk with its length and checksum. */
export function encodePngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), data.length + 8);
  return chunk;
}

/** Reads IHDR. Returns null for another chunk, or for one of the wrong length. */
export function readPngHeader({ type, data }: PngChunk): PngHeader | null {
  if (type !== 'IHDR' || data.length !== 13) return null;
  return {
    width: data.readUInt32BE(0),
    height: data.readUInt32BE(4),
    depth: data.readUInt8(8),
    colorType: data.readUInt8(9),
    interlaced: data.readUInt8(12) !== 0,
  };
}

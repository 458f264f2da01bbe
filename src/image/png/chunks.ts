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

/** The color types that are written: https://www.w3.org/TR/png-3/#table111. */
export const COLOR_TYPE = { rgb: 2, palette: 3, rgba: 6 } as const;

/** The content of a PNG with 8 bits per channel, not interlaced. */
interface PngContent extends Size {
  readonly colorType: (typeof COLOR_TYPE)[keyof typeof COLOR_TYPE];
  /** Complete chunks between IHDR and the pixels. */
  readonly extra?: readonly Buffer[];
  /** The compressed rows, in pieces. */
  readonly packed: readonly Buffer[];
}

/** Writes a PNG file. All PNGs of this package are written here. */
export function writePng({ width, height, colorType, extra = [], packed }: PngContent): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, colorType, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    PNG_SIGNATURE,
    encodePngChunk('IHDR', header),
    ...extra,
    ...framePixels(packed),
    encodePngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Wraps the compressed pixels as one IDAT chunk without copying them. */
function framePixels(packed: readonly Buffer[]): readonly Buffer[] {
  const start = Buffer.from('\0\0\0\0IDAT', 'latin1');
  start.writeUInt32BE(packed.reduce((sum, piece) => sum + piece.length, 0));
  const end = Buffer.alloc(4);
  end.writeUInt32BE(packed.reduce((crc, piece) => crc32(piece, crc), crc32(start.subarray(4))));
  return [start, ...packed, end];
}

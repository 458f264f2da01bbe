import { crc32 } from 'node:zlib';
import type { Size } from '../../model/image.js';
import { encodePngChunk, PNG_SIGNATURE } from './chunks.js';

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

import { Readable } from 'node:stream';
import { createInflate } from 'node:zlib';
import type { Size } from '../../model/image.js';
import { COLOR_TYPE, readPngHeader, walkPng } from './chunks.js';

/** The row layout of a PNG of the kind that browsers write. */
export interface PngRows extends Size {
  /** Bytes per pixel: 3 or 4. */
  readonly channels: number;
  /** Bytes per row, including the filter byte. */
  readonly stride: number;
}

/** The row filters: https://www.w3.org/TR/png-3/#9Filter-types. */
export const FILTER = { none: 0, sub: 1, up: 2, average: 3, paeth: 4 } as const;

/** Reads the row layout of a PNG. Returns null unless it is RGB or RGBA with 8 bits per channel, not interlaced. */
export function readPngRows(bytes: Buffer): PngRows | null {
  const first = walkPng(bytes).next().value;
  const header = first ? readPngHeader(first) : null;
  if (header?.depth !== 8 || header.interlaced) return null;
  if (header.colorType !== COLOR_TYPE.rgb && header.colorType !== COLOR_TYPE.rgba) return null;
  const channels = header.colorType === COLOR_TYPE.rgb ? 3 : 4;
  const { width, height } = header;
  return { width, height, channels, stride: 1 + width * channels };
}

/**
 * Unpacks the filtered rows of a PNG. Yields a few complete rows at a time. Ending the iteration early stops the unpacking.
 *
 * @throws Error when the data is damaged, too short or too long
 */
export async function* unpackRows(bytes: Buffer, { height, stride }: PngRows): AsyncGenerator<Buffer> {
  const unpacked: AsyncIterable<Buffer> = Readable.from(compressedPieces(bytes)).pipe(
    createInflate({ chunkSize: PIECE }),
  );
  let missing = height * stride;
  let partialRow: Buffer = Buffer.alloc(0);
  for await (const piece of unpacked) {
    missing -= piece.length;
    if (missing < 0) break;
    const start = partialRow.length === 0 ? 0 : Math.min(piece.length, stride - partialRow.length);
    if (start > 0) {
      partialRow = Buffer.concat([partialRow, piece.subarray(0, start)]);
      if (partialRow.length < stride) continue;
      yield partialRow;
    }
    const end = piece.length - ((piece.length - start) % stride);
    if (end > start) yield piece.subarray(start, end);
    partialRow = piece.subarray(end);
  }
  if (missing !== 0) throw new Error(`the PNG has ${missing > 0 ? 'fewer' : 'more'} rows than its header states`);
}

const PIECE = 1 << 18;
const COMPRESSED_PIECE = 1 << 16;

/**
 * Yields the compressed data in pieces of similar size. Browsers write chunks of 4 KB, and each piece costs an iteration of the
 * event loop. Other programs write a single chunk, which would unpack more rows than needed.
 */
function* compressedPieces(bytes: Buffer): Generator<Buffer> {
  let chunks: Buffer[] = [];
  let length = 0;
  for (const { type, data } of walkPng(bytes)) {
    if (type !== 'IDAT') continue;
    for (let start = 0; start < data.length; start += COMPRESSED_PIECE) {
      const part = data.subarray(start, start + COMPRESSED_PIECE);
      chunks.push(part);
      length += part.length;
      if (length < COMPRESSED_PIECE) continue;
      yield Buffer.concat(chunks);
      chunks = [];
      length = 0;
    }
  }
  yield Buffer.concat(chunks);
}

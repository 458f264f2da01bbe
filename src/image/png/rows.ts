import { Readable } from 'node:stream';
import { createInflate } from 'node:zlib';
import type { Size } from '../../model/image.js';
import { readPngHeader, walkPng } from './chunks.js';

/** How the rows of a PNG lie that is of the kind browsers write. */
export interface PngRows extends Size {
  /** Bytes of one pixel: 3 or 4. */
  readonly channels: number;
  /** Bytes of one row, its filter included. */
  readonly stride: number;
}

/** The filters of a row: https://www.w3.org/TR/png-3/#9Filter-types. */
export const FILTER = { none: 0, sub: 1, up: 2, average: 3, paeth: 4 } as const;

/** Reads how the rows of a PNG lie; null when it is none, or not of 8 bits a channel, RGB or RGBA, without interlacing. */
export function readPngRows(bytes: Buffer): PngRows | null {
  const first = walkPng(bytes).next().value;
  const header = first ? readPngHeader(first) : null;
  if (header?.depth !== 8 || header.interlaced) return null;
  if (header.colorType !== RGB && header.colorType !== RGBA) return null;
  const channels = header.colorType === RGB ? 3 : 4;
  const { width, height } = header;
  return { width, height, channels, stride: 1 + width * channels };
}

/**
 * Unpacks the rows of a PNG, filters and all: a few at a time, each whole. Who stops asking stops the unpacking.
 *
 * @throws Error when the data is damaged, too short or too long
 */
export async function* unpackRows(bytes: Buffer, { height, stride }: PngRows): AsyncGenerator<Buffer> {
  const unpacked: AsyncIterable<Buffer> = Readable.from(compressedPieces(bytes)).pipe(
    createInflate({ chunkSize: PIECE }),
  );
  let missing = height * stride;
  let begun: Buffer = Buffer.alloc(0);
  for await (const piece of unpacked) {
    missing -= piece.length;
    if (missing < 0) break;
    const all = Buffer.concat([begun, piece]);
    const whole = all.length - (all.length % stride);
    if (whole > 0) yield all.subarray(0, whole);
    begun = all.subarray(whole);
  }
  if (missing !== 0) throw new Error(`the PNG has ${missing > 0 ? 'fewer' : 'more'} rows than its head says`);
}

const RGB = 2;
const RGBA = 6;
const PIECE = 1 << 18;
const COMPRESSED_PIECE = 1 << 16;

/**
 * Browsers cut their data into chunks of 4 KB, and to take each alone would cost a turn of the event loop; others write a
 * single chunk, and to take it whole would unpack more than is asked for.
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

import { pipeline } from 'node:stream/promises';
import { constants, createDeflate } from 'node:zlib';
import type { Size } from '../model/image.js';
import { encodePngChunk, PNG_SIGNATURE } from './png-chunks.js';

/**
 * Encodes a PNG from rows that come a few at a time, packed as they come, quickly rather than small.
 *
 * @param channels - 3 for RGB, 4 for RGBA
 * @param rows - whole rows, each with the byte of its filter
 */
export async function encodeRows(size: Size, channels: 3 | 4, rows: AsyncIterable<Buffer>): Promise<Buffer> {
  const packed: Buffer[] = [];
  await pipeline(rows, createDeflate({ level: constants.Z_BEST_SPEED }), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) packed.push(piece);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size.width, 0);
  header.writeUInt32BE(size.height, 4);
  header.set([8, channels === 3 ? 2 : 6], 8);
  const chunks = [encodePngChunk('IHDR', header), ...packed.map((piece) => encodePngChunk('IDAT', piece))];
  return Buffer.concat([PNG_SIGNATURE, ...chunks, encodePngChunk('IEND', Buffer.alloc(0))]);
}

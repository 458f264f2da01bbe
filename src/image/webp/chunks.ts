import type { Size } from '../../model/image.js';
import { readImageHeader } from '../headers.js';
import { decodeText, type Extracted, isMarked, MARK } from '../metadata-mark.js';

/**
 * Embeds a text as a custom chunk at the end, because readers skip unknown chunks. Only the extended format allows them, so a
 * simple file first gets the chunk that makes it extended. Returns null when the chunks of the file are invalid.
 *
 * Source: https://developers.google.com/speed/webp/docs/riff_container
 */
export function embedInWebp(bytes: Buffer, text: string): Buffer | null {
  const chunks = walkRiff(bytes);
  const size = readImageHeader(bytes)?.size;
  const end = chunks?.at(-1)?.end;
  if (!size || end === undefined) return null;
  const isSimple = chunks?.[0]?.type !== 'VP8X';
  const extended = isSimple ? encodeExtended(bytes, size) : Buffer.alloc(0);
  const ours = encodeChunk(OURS, Buffer.concat([MARK, isSimple ? WAS_SIMPLE : WAS_EXTENDED, Buffer.from(text)]));
  return withLength([bytes.subarray(0, HEAD), extended, bytes.subarray(HEAD, end), ours], bytes.subarray(end));
}

/** Returns the text of our chunk, and the file without it. A file that was simple becomes simple again. */
export function extractFromWebp(bytes: Buffer): Extracted {
  const chunks = walkRiff(bytes) ?? [];
  const [first, ours] = [chunks[0], chunks.at(-1)];
  if (!first || ours?.type !== OURS || !isMarked(ours.data)) return { text: null, bare: bytes };
  const wasSimple = ours.data[MARK.length] === WAS_SIMPLE[0] && first.type === 'VP8X';
  const rest = bytes.subarray(wasSimple ? first.end : HEAD, ours.start);
  return {
    text: decodeText(ours.data.subarray(MARK.length + 1)),
    bare: withLength([bytes.subarray(0, HEAD), rest], bytes.subarray(ours.end)),
  };
}

/** `RIFF`, length, `WEBP`. */
const HEAD = 12;
const OURS = 'PRSH';
const WAS_SIMPLE = Buffer.from('s');
const WAS_EXTENDED = Buffer.from('x');

export interface RiffChunk {
  readonly type: string;
  readonly data: Buffer;
  /** File offsets of the start, including the chunk header, and of the end, including the padding. */
  readonly start: number;
  readonly end: number;
}

/** Returns the chunks. Returns null when they do not exactly fill the length that the file header announces. */
export function walkRiff(bytes: Buffer): RiffChunk[] | null {
  const chunks: RiffChunk[] = [];
  const end = bytes.length < HEAD ? 0 : bytes.readUInt32LE(4) + 8;
  let start = HEAD;
  while (start + 8 <= Math.min(end, bytes.length)) {
    const length = bytes.readUInt32LE(start + 4);
    const data = bytes.subarray(start + 8, start + 8 + length);
    chunks.push({
      type: bytes.toString('latin1', start, start + 4),
      data,
      start,
      end: start + 8 + length + (length % 2),
    });
    start += 8 + length + (length % 2);
  }
  return start === end && end <= bytes.length ? chunks : null;
}

function encodeExtended(bytes: Buffer, size: Size): Buffer {
  const data = Buffer.alloc(10);
  // The lossless format has a bit for transparency. A simple lossy file has none.
  const hasAlpha =
    bytes.toString('latin1', HEAD, HEAD + 4) === 'VP8L' && (bytes.readUInt32LE(HEAD + 9) >>> 28) % 2 === 1;
  data.writeUInt8(hasAlpha ? 0x10 : 0, 0);
  data.writeUIntLE(size.width - 1, 4, 3);
  data.writeUIntLE(size.height - 1, 7, 3);
  return encodeChunk('VP8X', data);
}

function encodeChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(8 + data.length + (data.length % 2));
  chunk.write(type, 'latin1');
  chunk.writeUInt32LE(data.length, 4);
  data.copy(chunk, 8);
  return chunk;
}

/** Joins the parts of a RIFF file and updates its length field. Trailing bytes after the RIFF data do not count. */
function withLength(parts: readonly Buffer[], trailing: Buffer): Buffer {
  const file = Buffer.concat([...parts, trailing]);
  file.writeUInt32LE(file.length - trailing.length - 8, 4);
  return file;
}

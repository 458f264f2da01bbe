import type { Pixels, Size } from '../../model/image.js';
import { isOpaque } from '../canvas.js';
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

/**
 * Checks that a decoded WebP matches its header. When they differ, decoders differ too: libwebp uses the data it finds, and
 * Chromium uses the header or refuses the file.
 *
 * Source: https://developers.google.com/speed/webp/docs/riff_container
 *
 * @throws Error when chunks, transparency or color profile contradict the header
 */
export function checkWebp(bytes: Buffer, pixels: Pixels): void {
  const chunks = walkRiff(bytes);
  if (!chunks) throw new Error('its chunks do not fill it');
  // With a wrong length, data is read as a chunk header.
  if (!chunks.every(({ type }) => /^[\x20-\x7e]{4}$/.test(type))) throw new Error('one of its chunks has no name');
  const [head, ...rest] = chunks;
  if (head?.type === 'VP8X') checkExtended(head, rest);
  if (!announcesAlpha(bytes) && !isOpaque(pixels)) {
    throw new Error('its head says that it is opaque, but some of its pixels are transparent');
  }
}

function checkExtended({ data }: RiffChunk, chunks: readonly RiffChunk[]): void {
  if (hasFlag(data, RESERVED)) throw new Error('its head has flags that do not exist');
  const image = chunks.findIndex(({ type }) => type === 'VP8 ' || type === 'VP8L');
  const order = chunks.flatMap(({ type }) => (PARTS_OF_IMAGE.has(type) ? [type] : [])).join();
  if (!IMAGES.has(order)) throw new Error(`it has the parts ${order || 'of no image'}`);
  if (order === 'ALPH,VP8 ' && chunks[image - 1]?.type !== 'ALPH') throw new Error('its image is in two places');
  const hasProfile = chunks.some(({ type }) => type === 'ICCP');
  if (hasProfile && !hasFlag(data, PROFILE)) throw new Error('its head does not announce its color profile');
}

const PARTS_OF_IMAGE: ReadonlySet<string> = new Set(['VP8X', 'ALPH', 'VP8 ', 'VP8L']);
const IMAGES: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ALPH,VP8 ']);
const ALPHA = 0x10;
const PROFILE = 0x20;
const RESERVED = 0xc1;

function hasFlag(vp8x: Buffer, flag: number): boolean {
  return ((vp8x[0] ?? 0) & flag) !== 0;
}

/** Reads the alpha flag of the extended format, or the alpha bit of the lossless format. */
function announcesAlpha(bytes: Buffer): boolean {
  const type = bytes.toString('latin1', 12, 16);
  if (type === 'VP8X') return hasFlag(bytes.subarray(20), ALPHA);
  return type === 'VP8L' && ((bytes.readUInt32LE(21) >>> 28) & 1) === 1;
}

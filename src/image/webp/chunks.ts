import type { Pixels } from '../../model/index.js';
import { isOpaque } from '../canvas.js';

/** `RIFF`, length, `WEBP`. */
export const RIFF_HEAD = 12;

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
  const end = bytes.length < RIFF_HEAD ? 0 : bytes.readUInt32LE(4) + 8;
  let start = RIFF_HEAD;
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
  if (!chunks) throw new Error('the chunks do not fill the file');
  // With a wrong length, data is read as a chunk header.
  if (!chunks.every(({ type }) => /^[\x20-\x7e]{4}$/.test(type))) throw new Error('a chunk has no valid name');
  const [head, ...rest] = chunks;
  if (head?.type === 'VP8X') checkExtended(head, rest);
  if (!announcesAlpha(bytes) && !isOpaque(pixels)) {
    throw new Error('the header states an opaque image, but some pixels are transparent');
  }
}

function checkExtended({ data }: RiffChunk, chunks: readonly RiffChunk[]): void {
  if (hasFlag(data, RESERVED)) throw new Error('the header has reserved flags');
  const image = chunks.findIndex(({ type }) => type === 'VP8 ' || type === 'VP8L');
  const order = chunks.flatMap(({ type }) => (PARTS_OF_IMAGE.has(type) ? [type] : [])).join();
  if (!IMAGES.has(order)) throw new Error(`the image chunks are ${order || 'missing'}, expected one image`);
  if (order === 'ALPH,VP8 ' && chunks[image - 1]?.type !== 'ALPH') throw new Error('the image chunks are not adjacent');
  const hasProfile = chunks.some(({ type }) => type === 'ICCP');
  if (hasProfile && !hasFlag(data, PROFILE)) throw new Error('the header does not state the color profile');
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

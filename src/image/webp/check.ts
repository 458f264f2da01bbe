import type { Pixels } from '../../model/image.js';
import { isOpaque } from '../canvas.js';
import { type RiffChunk, walkRiff } from './chunks.js';

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

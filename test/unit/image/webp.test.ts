import { expect, test } from 'vitest';
import { decodeImage } from '../../../src/image/decode.js';
import { walkRiff } from '../../../src/image/webp/chunks.js';
import { craftIcc, PRIMARIES } from './craft-icc.js';
import { craftWebp, encodeWebp, VP8X_FLAGS, vp8x } from './craft-webp.js';
import { imageOf, plot } from './paint.js';

const [WIDTH, HEIGHT] = [24, 16];
const { alpha, profile } = VP8X_FLAGS;
const lossy = await chunkOf('VP8 ', 255);
const lossless = await chunkOf('VP8L', 255);
const sheer = await chunkOf('VP8L', 100);
const ICCP = ['ICCP', craftIcc(PRIMARIES.srgb)] as const;
const head = (flags: number) => vp8x(WIDTH, HEIGHT, flags);

type Chunk = readonly [type: string, data: Buffer];

/** Gives the chunk of a painted image, as the encoder writes it. */
async function chunkOf(type: 'VP8 ' | 'VP8L', opacity: number): Promise<Chunk> {
  const pixels = plot(WIDTH, HEIGHT, (x, y) => [x * 9, y * 9, 128, opacity]);
  const file = await encodeWebp(pixels, { lossless: type === 'VP8L' ? 1 : 0, exact: 1 });
  const chunk = walkRiff(file)?.find((found) => found.type === type);
  if (!chunk) throw new Error(`there is no ${type}`);
  return [type, chunk.data];
}

/** Says that a lossless image is opaque, whatever its pixels are. */
function withoutAlphaBit([type, data]: Chunk): Chunk {
  const opaque = Buffer.from(data);
  opaque.writeUInt32LE((opaque.readUInt32LE(1) & ~(1 << 28)) >>> 0, 1);
  return [type, opaque];
}

function withBrokenEnd(file: Buffer): Buffer {
  const broken = Buffer.from(file);
  broken.writeUInt32LE(broken.readUInt32LE(4) - 2, 4);
  return broken;
}

// Chromium takes the head at its word, or refuses the file; libwebp alone takes what it finds.
test.each([
  ['transparency that the head denies', craftWebp([head(0), sheer]), 'its head says that it is opaque'],
  ['transparency that a simple file denies', craftWebp([withoutAlphaBit(sheer)]), 'its head says that it is opaque'],
  ['a color profile that the head denies', craftWebp([head(0), ICCP, lossy]), 'does not announce its color profile'],
  ['two images', craftWebp([head(0), lossy, lossy]), 'it has the parts VP8 ,VP8 '],
  ['a chunk without a name', craftWebp([lossy, ['\x01abc', Buffer.alloc(2)]]), 'one of its chunks has no name'],
  ['two heads', craftWebp([head(0), head(0), lossy]), 'it has the parts VP8X,VP8 '],
  ['flags that do not exist', craftWebp([head(0x80), lossy]), 'flags that do not exist'],
  ['chunks of another length than the file', withBrokenEnd(craftWebp([head(0), lossy, ['XMP ', Buffer.alloc(2)]])), ''],
])('a WebP with %s is refused', async (_, file, reason) => {
  const error = await decodeImage(imageOf(file)).catch((cause) => cause);
  expect(error).toMatchObject({ code: 'image-damaged', message: expect.stringContaining(reason) });
});

test.each([
  ['an opaque image', [head(0), lossless], 255],
  ['an opaque image whose head allows transparency', [head(alpha), lossless], 255],
  ['transparency that the head announces', [head(alpha), sheer], 100],
  ['an unknown chunk', [head(0), ['ABCD', Buffer.alloc(3)], lossless], 255],
  ['a color profile that the head announces', [head(profile), ICCP, lossless], 255],
  ['a head that announces a color profile that is not there', [head(profile), lossless], 255],
] as const)('a WebP with %s is decoded', async (_, chunks, opacity) => {
  const { data } = await decodeImage(imageOf(craftWebp(chunks)));
  expect(data[3]).toBe(opacity);
});

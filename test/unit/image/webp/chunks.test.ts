import { expect, test } from 'vitest';
import { decodeImage } from '../../../../src/image/decode.js';
import { walkRiff } from '../../../../src/image/webp/chunks.js';
import { craftIcc, PRIMARIES } from '../craft-icc.js';
import { craftWebp, encodeWebp, VP8X_FLAGS, vp8x } from '../craft-webp.js';
import { imageOf, plot } from '../paint.js';

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

// Chromium uses the header or refuses the file. Only libwebp uses the data that it finds.
test.each([
  ['transparency that the header does not state', craftWebp([head(0), sheer]), 'the header states an opaque image'],
  [
    'transparency that a simple file does not state',
    craftWebp([withoutAlphaBit(sheer)]),
    'the header states an opaque image',
  ],
  [
    'a color profile that the header does not state',
    craftWebp([head(0), ICCP, lossy]),
    'does not state the color profile',
  ],
  ['two images', craftWebp([head(0), lossy, lossy]), 'the image chunks are VP8 ,VP8 '],
  ['a chunk without a name', craftWebp([lossy, ['\x01abc', Buffer.alloc(2)]]), 'a chunk has no valid name'],
  ['two headers', craftWebp([head(0), head(0), lossy]), 'the image chunks are VP8X,VP8 '],
  ['reserved flags', craftWebp([head(0x80), lossy]), 'the header has reserved flags'],
  ['chunks of another length than the file', withBrokenEnd(craftWebp([head(0), lossy, ['XMP ', Buffer.alloc(2)]])), ''],
])('a WebP with %s is refused', async (_, file, reason) => {
  const error = await decodeImage(imageOf(file)).catch((cause) => cause);
  expect(error).toMatchObject({ code: 'image-damaged', message: expect.stringContaining(reason) });
});

test.each([
  ['an opaque image', [head(0), lossless], 255],
  ['an opaque image whose header states transparency', [head(alpha), lossless], 255],
  ['transparency that the header states', [head(alpha), sheer], 100],
  ['an unknown chunk', [head(0), ['ABCD', Buffer.alloc(3)], lossless], 255],
  ['a color profile that the header states', [head(profile), ICCP, lossless], 255],
  ['a header that states a missing color profile', [head(profile), lossless], 255],
] as const)('a WebP with %s is decoded', async (_, chunks, opacity) => {
  const { data } = await decodeImage(imageOf(craftWebp(chunks)));
  expect(data[3]).toBe(opacity);
});

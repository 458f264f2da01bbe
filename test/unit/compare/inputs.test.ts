import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { decodeImage } from '../../../src/image/decode.js';
import type { EncodedImage } from '../../../src/model/image.js';
import { type Craft, craftPng } from '../image/craft-png.js';
import { fill, imageOf, plot, png, sheet } from '../image/paint.js';
import { settings } from './settings.js';

const specimen = (name: string) => imageOf(readFileSync(new URL(`../../../fixtures/images/${name}`, import.meta.url)));
const size = { width: 31, height: 23 };
/** One of 16 greys. */
const step = (x: number, y: number) => (x + 2 * y) % 16;
const painted = png(plot(size.width, size.height, (x, y) => Array.from({ length: 3 }, () => step(x, y) * 17)));
const plte = ['PLTE', Buffer.from(Array.from({ length: 16 }, (_, i) => [i * 17, i * 17, i * 17]).flat())] as const;
const srgb = [
  ['sRGB', Buffer.of(0)],
  ['gAMA', Buffer.of(0, 0, 0xb1, 0x8f)],
] as const;

/** What programs that make PNGs smaller write of the same picture. */
const OPTIMISED: readonly [string, Omit<Craft, 'width' | 'height'>][] = [
  ['a palette of 4 bits', { depth: 4, colorType: 3, extra: [plte], samplesAt: (x, y) => [step(x, y)] }],
  ['a palette of 8 bits', { depth: 8, colorType: 3, extra: [plte], samplesAt: (x, y) => [step(x, y)] }],
  ['grey of 4 bits', { depth: 4, colorType: 0, samplesAt: (x, y) => [step(x, y)] }],
  ['grey of 16 bits', { depth: 16, colorType: 0, samplesAt: (x, y) => [step(x, y) * 4369] }],
  ['grey with alpha', { depth: 8, colorType: 4, samplesAt: (x, y) => [step(x, y) * 17, 255] }],
  [
    'RGB with gamma',
    { depth: 8, colorType: 2, extra: srgb, samplesAt: (x, y) => Array.from({ length: 3 }, () => step(x, y) * 17) },
  ],
  [
    'RGBA of 16 bits',
    { depth: 16, colorType: 6, samplesAt: (x, y) => [...Array.from({ length: 3 }, () => step(x, y) * 4369), 65_535] },
  ],
];

describe('inputs', () => {
  const compare = (before: EncodedImage, after: EncodedImage) => compareImages(before, after, settings(), []);

  describe.each([false, true])('a picture that was optimized, interlaced: %s', (interlaced) => {
    test.each(OPTIMISED)('as %s is the same picture', async (_, craft) => {
      const optimized = imageOf(craftPng({ ...size, ...craft, interlaced }));
      const same = { kind: 'within-limit', counts: { mismatchPixels: 0, antialiasedPixels: 0 } };
      expect(await compare(painted, optimized)).toMatchObject(same);
      expect(await compare(optimized, painted)).toMatchObject(same);
    });
  });

  test('a palette in which one color is another is another picture', async () => {
    const colors = Buffer.from(plte[1]);
    colors[3 * 7] = 255;
    const other = imageOf(
      craftPng({ ...size, depth: 8, colorType: 3, extra: [['PLTE', colors]], samplesAt: (x, y) => [step(x, y)] }),
    );
    expect(await compare(painted, other)).toMatchObject({ kind: 'different' });
  });

  test('PNG and lossless WebP of one picture are equal, and so are JPEG and WebP to the PNG of their pixels', async () => {
    expect(await compare(specimen('chromium.png'), specimen('chromium-lossless.webp'))).toMatchObject({
      kind: 'within-limit',
      counts: { mismatchPixels: 0 },
    });
    for (const name of ['chromium.jpg', 'progressive.jpg', 'lossy.webp', 'half-transparent.webp']) {
      const copy = png(await decodeImage(specimen(name)));
      for (const pair of [[specimen(name), copy] as const, [copy, specimen(name)] as const]) {
        expect(await compare(...pair), name).toMatchObject({ kind: 'within-limit', counts: { mismatchPixels: 0 } });
      }
    }
  });

  test.each([
    ['chromium.png', 'chromium.jpg'],
    ['chromium.jpg', 'chromium-lossy.webp'],
    ['chromium-lossy.webp', 'chromium.png'],
  ])('%s against %s has a verdict', async (before, after) => {
    const { counts } = await compare(specimen(before), specimen(after));
    expect(counts).toMatchObject({ totalPixels: 16_000, sameDimensions: true });
  });

  test('an image of 1x1 is valid: all other pixels differ', async () => {
    expect(await compare(png(sheet(100, 50)), png(sheet(1, 1)))).toMatchObject({
      kind: 'different',
      counts: { mismatchPixels: 100 * 50 - 1, totalPixels: 100 * 50, sameDimensions: false },
    });
    expect(
      await compare(png(sheet(1, 1)), png(fill(sheet(1, 1), { x: 0, y: 0, width: 1, height: 1 }, '#000000'))),
    ).toMatchObject({
      kind: 'different',
      counts: { mismatchPixels: 1 },
    });
  });

  test('an image that cannot be decoded is named, and its side', async () => {
    const bytes = Buffer.from(painted.bytes);
    bytes[60] = (bytes[60] ?? 0) ^ 1;
    await expect(compare({ ...painted, bytes }, painted)).rejects.toMatchObject({
      code: 'image-damaged',
      message: expect.stringMatching(/^the before image: the png file \(\d+ bytes, 31x23 px\) is damaged: /),
    });
  });
});

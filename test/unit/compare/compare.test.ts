import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { decodeImage } from '../../../src/image/decode.js';
import { craftPng } from '../image/craft-png.js';
import { fill, imageOf, png, sheet } from '../image/paint.js';
import { settings } from './settings.js';

const specimen = (name: string) => imageOf(readFileSync(new URL(`../../../fixtures/images/${name}`, import.meta.url)));
const white = png(sheet(100, 80));
const dotted = png(fill(sheet(100, 80), { x: 10, y: 20, width: 5, height: 4 }, '#000000'));

describe('compareImages', () => {
  test('equal bytes are equal, though they be no image', async () => {
    const image = { ...white, bytes: Buffer.from('equal, whatever it is') };
    const other = { ...image, bytes: Buffer.from(image.bytes) };
    expect((await compareImages(image, other, settings(), [])).kind).toBe('equal');
  });

  test('other bytes with the same pixels are within the limit, with 0', async () => {
    const other = imageOf(
      craftPng({ width: 100, height: 80, depth: 16, colorType: 0, interlaced: true, samplesAt: () => [65535] }),
    );
    expect(await compareImages(white, other, settings({ threshold: 0 }), [])).toEqual({
      kind: 'within-limit',
      counts: { mismatchPixels: 0, antialiasedPixels: 0, totalPixels: 8000, sameDimensions: true },
      limitPixels: 0,
    });
  });

  test('returns the counts, the regions and the diff image', async () => {
    const comparison = await compareImages(white, dotted, settings(), []);
    expect(comparison).toMatchObject({
      kind: 'different',
      counts: { mismatchPixels: 20, antialiasedPixels: 0, totalPixels: 8000, sameDimensions: true },
      limitPixels: 0,
      regions: [{ x: 10, y: 20, width: 5, height: 4, pixels: 20 }],
      diffSize: { width: 100, height: 80 },
    });
    if (comparison.kind !== 'different') throw new Error('not reached');
    const { data, width } = await decodeImage(imageOf(comparison.diff));
    const magenta = Array.from({ length: 8000 }, (_, i) => i).filter(
      (i) => Buffer.from(data).toString('hex', i * 4, i * 4 + 4) === 'd60093ff',
    );
    const inPatch = (i: number) => i % width >= 10 && i % width < 15 && i >= 20 * width && i < 24 * width;
    expect(magenta.map(inPatch)).toEqual(Array.from({ length: 20 }, () => true));
  });

  test('both limits set: the smaller wins, and exactly the limit passes', async () => {
    const kinds = async (maxDiffPixels: number | null, maxDiffPixelRatio: number | null) => {
      const { kind, limitPixels } = await compareImages(
        white,
        dotted,
        settings({ maxDiffPixels, maxDiffPixelRatio }),
        [],
      );
      return [kind, limitPixels];
    };
    expect(await kinds(20, null)).toEqual(['within-limit', 20]);
    expect(await kinds(19, null)).toEqual(['different', 19]);
    expect(await kinds(null, 0.0025)).toEqual(['within-limit', 20]);
    expect(await kinds(null, 0.0024)).toEqual(['different', 19]);
    expect(await kinds(19, 1)).toEqual(['different', 19]);
    expect(await kinds(8000, 0.0024)).toEqual(['different', 19]);
  });

  test('another size is different whatever the limits allow, and the diff is on the canvas of both', async () => {
    const loose = settings({ threshold: 1, maxDiffPixels: 1e6, maxDiffPixelRatio: 1 });
    expect(await compareImages(png(sheet(100, 80)), png(sheet(120, 70)), loose, [])).toMatchObject({
      kind: 'different',
      counts: { mismatchPixels: 2400, totalPixels: 9600, sameDimensions: false },
      regions: [
        { x: 100, y: 0, width: 20, height: 70, pixels: 1400 },
        { x: 0, y: 70, width: 100, height: 10, pixels: 1000 },
      ],
      diffSize: { width: 120, height: 80 },
    });
  });

  test('each comparison of the same images has the same result', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => compareImages(white, dotted, settings(), [])));
    expect(one).toEqual(other);
  });

  test('images of all formats are compared by their pixels', async () => {
    const pairs = [[specimen('chromium.png'), specimen('chromium-lossless.webp')]];
    for (const name of ['chromium.jpg', 'progressive.jpg', 'lossy.webp', 'half-transparent.webp'])
      pairs.push([specimen(name), png(await decodeImage(specimen(name)))]);
    for (const [one = white, other = white] of [...pairs, ...pairs.map((pair) => pair.toReversed())]) {
      const same = { kind: 'within-limit', counts: { mismatchPixels: 0, antialiasedPixels: 0 } };
      expect(await compareImages(one, other, settings({ threshold: 0 }), [])).toMatchObject(same);
    }
    const lossy = await compareImages(specimen('chromium.png'), specimen('chromium.jpg'), settings(), []);
    expect(lossy).toMatchObject({ kind: 'different', counts: { totalPixels: 16_000, sameDimensions: true } });
  });

  test('an image of 1x1 is valid: all other pixels differ', async () => {
    const [pixel, black] = [png(sheet(1, 1)), png(sheet(1, 1, '#000000'))];
    expect((await compareImages(white, pixel, settings(), [])).counts.mismatchPixels).toBe(100 * 80 - 1);
    expect((await compareImages(pixel, black, settings(), [])).counts.mismatchPixels).toBe(1);
  });

  test('the error names the damaged image', async () => {
    const bad = Buffer.from(dotted.bytes);
    bad.writeUInt8(bad.readUInt8(bad.length - 20) ^ 1, bad.length - 20);
    const damaged = { ...dotted, bytes: bad };
    await expect(compareImages(damaged, white, settings(), [])).rejects.toMatchObject({
      code: 'image-damaged',
      message: expect.stringMatching(/^the before image: .*, 100x80 px\) is damaged: .*\. Restore the file/),
    });
    await expect(compareImages(white, damaged, settings(), [])).rejects.toMatchObject({
      code: 'image-damaged',
      message: expect.stringMatching(/^the after image: /),
    });
  });

  test('a canvas of both that is too large is refused before anything is decoded', async () => {
    const wide = { ...white, size: { width: 30_000, height: 10 } };
    const tall = { ...white, bytes: Buffer.from('not looked at'), size: { width: 10, height: 30_000 } };
    await expect(compareImages(wide, tall, settings(), [])).rejects.toMatchObject({
      code: 'image-too-large',
    });
  });
});

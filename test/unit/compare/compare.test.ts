import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { decodeImage } from '../../../src/image/decode.js';
import { mismatchPercentage } from '../../../src/model/comparison.js';
import { craftPng, joinChunks } from '../image/craft-png.js';
import { createRandom, fill, imageOf, png, sheet } from '../image/paint.js';
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

  test('the same image as PNG and as lossless WebP is within the limit, with 0', async () => {
    const pair = [specimen('chromium.png'), specimen('chromium-lossless.webp')] as const;
    const comparison = await compareImages(...pair, settings({ threshold: 0 }), []);
    expect(comparison).toMatchObject({ kind: 'within-limit', counts: { mismatchPixels: 0, antialiasedPixels: 0 } });
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

  test('a share that is not 0 is never 0 in the figures', async () => {
    const { counts } = await compareImages(
      white,
      png(fill(sheet(100, 80), { x: 0, y: 0, width: 1, height: 1 }, '#000000')),
      settings(),
      [],
    );
    expect(mismatchPercentage(counts)).toBe(100 / 8000);
  });

  test('JPEG against PNG: counted, not refused', async () => {
    const comparison = await compareImages(specimen('chromium.png'), specimen('chromium.jpg'), settings(), []);
    expect(comparison).toMatchObject({ kind: 'different', counts: { totalPixels: 16_000, sameDimensions: true } });
    const loose = settings({ threshold: 0.5 });
    expect((await compareImages(specimen('chromium.png'), specimen('chromium.jpg'), loose, [])).kind).toBe(
      'within-limit',
    );
  });

  test('the diff has the same bytes each time', async () => {
    const diffs = await Promise.all([1, 2].map(() => compareImages(white, dotted, settings(), [])));
    const [one, other] = diffs.map((comparison) =>
      comparison.kind === 'different' ? comparison.diff : Buffer.alloc(0),
    );
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true);
    expect(one?.length).toBeGreaterThan(0);
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

  test('a PNG with right checksums and too little data is damaged, not equal', async () => {
    const [half, rest] = [craftPng, craftPng].map((craft, i) =>
      craft({ width: 100, height: i === 0 ? 40 : 80, depth: 8, colorType: 2, samplesAt: () => [255, 255, 255] }),
    );
    if (!half || !rest) throw new Error('not reached');
    const short = joinChunks([
      ['IHDR', rest.subarray(16, 29)],
      ['IDAT', half.subarray(41, -16)],
      ['IEND', Buffer.alloc(0)],
    ]);
    await expect(compareImages(white, imageOf(short), settings(), [])).rejects.toMatchObject({
      code: 'image-damaged',
    });
    await expect(compareImages(imageOf(short), white, settings(), [])).rejects.toMatchObject({
      code: 'image-damaged',
    });
  });

  test('a canvas of both that is too large is refused before anything is decoded', async () => {
    const wide = { ...white, size: { width: 30_000, height: 10 } };
    const tall = { ...white, bytes: Buffer.from('not looked at'), size: { width: 10, height: 30_000 } };
    await expect(compareImages(wide, tall, settings(), [])).rejects.toMatchObject({
      code: 'image-too-large',
    });
  });

  test('damaged bytes end in a verdict or in a ProofsheetError', async () => {
    const random = createRandom(5);
    const original = specimen('chromium.png');
    for (let round = 0; round < 40; round++) {
      const bytes = Buffer.from(original.bytes);
      bytes[33 + Math.floor(random() * (bytes.length - 45))] = random() * 256;
      const outcome = await compareImages(original, { ...original, bytes }, settings(), []).then(
        ({ kind }) => kind,
        (error) => error.code,
      );
      expect(['equal', 'image-damaged']).toContain(outcome);
    }
  });
});

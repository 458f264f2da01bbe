import { describe, expect, test } from 'vitest';
import { decodeImage } from '../../../src/image/decode.js';
import { inspectFile, inspectImage } from '../../../src/image/inspect.js';
import { craftPdf, writeObjects } from './craft-pdf.js';
import { craftPng } from './craft-png.js';
import { createRandom, specimen } from './paint.js';

describe('inspectImage', () => {
  test.each([
    ['chromium.png', 'png', 160, 100],
    ['chromium.jpg', 'jpeg', 160, 100],
    ['progressive.jpg', 'jpeg', 24, 16],
    ['chromium-lossless.webp', 'webp', 160, 100],
    ['chromium-lossy.webp', 'webp', 160, 100],
    ['lossy.webp', 'webp', 24, 16],
    ['half-transparent.webp', 'webp', 24, 16],
  ])('reads codec and size of %s', (name, codec, width, height) => {
    const bytes = specimen(name);
    expect(inspectImage(bytes)).toEqual({ kind: 'image', image: { bytes, codec, size: { width, height } } });
  });

  test('recognizes a Git LFS pointer, and an empty file', () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n';
    expect(inspectImage(Buffer.from(pointer))).toEqual({ kind: 'lfs-pointer' });
    expect(inspectImage(Buffer.alloc(0))).toEqual({ kind: 'empty' });
  });

  test.each(['chromium.png', 'chromium.jpg', 'progressive.jpg', 'chromium-lossless.webp', 'lossy.webp'])(
    'sees that %s is cut off, wherever that is',
    (name) => {
      const bytes = specimen(name);
      const codec = name.endsWith('.png') ? 'png' : name.endsWith('.jpg') ? 'jpeg' : 'webp';
      for (let length = 12; length < bytes.length; length++) {
        expect(inspectImage(bytes.subarray(0, length)), `${length} bytes`).toEqual({ kind: 'truncated', codec });
      }
    },
  );

  test('does not take the end of a thumbnail in the head for the end of a JPEG', () => {
    const bytes = specimen('chromium.jpg');
    const thumbnail = Buffer.from([0xff, 0xe1, 0x00, 0x06, 0x00, 0x00, 0xff, 0xd9]);
    const whole = Buffer.concat([bytes.subarray(0, 2), thumbnail, bytes.subarray(2)]);
    expect(inspectImage(whole)).toMatchObject({ kind: 'image', image: { size: { width: 160, height: 100 } } });
    expect(inspectImage(whole.subarray(0, -2))).toEqual({ kind: 'truncated', codec: 'jpeg' });
  });

  test('accepts bytes after the end of a PNG', () => {
    expect(inspectImage(Buffer.concat([specimen('chromium.png'), Buffer.from('tail')])).kind).toBe('image');
  });

  test('refuses a size beyond the limit by the head alone', () => {
    const bytes = craftPng({ width: 1, height: 1, depth: 8, colorType: 2, samplesAt: () => [0, 0, 0] });
    bytes.writeUInt32BE(100_000, 16);
    bytes.writeUInt32BE(100_000, 20);
    const size = { width: 100_000, height: 100_000 };
    expect(inspectImage(bytes)).toEqual({ kind: 'too-large', codec: 'png', size });
    expect(inspectImage(bytes.subarray(0, 33))).toEqual({ kind: 'too-large', codec: 'png', size });
  });

  test('knows no image in text, in other formats, in noise, or in one without a size', () => {
    const noWidth = Buffer.from(specimen('chromium.png'));
    noWidth.writeUInt32BE(0, 16);
    const random = createRandom(7);
    const noise = Buffer.from(Array.from({ length: 999 }, () => random() * 256));
    for (const bytes of [Buffer.from('<html>'), Buffer.from('GIF89a~~~~~~~'), Buffer.of(0x89), noise, noWidth]) {
      expect(inspectImage(bytes)).toEqual({ kind: 'unknown' });
    }
  });
});

const CATALOG = '<</Type /Catalog /Pages 2 0 R>>';

async function sizeOf(bytes: Buffer): Promise<unknown> {
  const inspection = await inspectFile(bytes);
  return inspection.kind === 'image' ? inspection.image.size : inspection;
}

describe('inspectFile', () => {
  test('gives a PDF the size of its first page, in points', async () => {
    const bytes = craftPdf([
      { width: 594.96, height: 841.92 },
      { width: 9, height: 9 },
    ]);
    const size = { width: 595, height: 842 };
    expect(await inspectFile(bytes)).toEqual({ kind: 'image', image: { bytes, codec: 'pdf', size } });
  });

  test('follows a MediaBox that is an indirect reference', async () => {
    const bytes = writeObjects([
      CATALOG,
      '<</Type /Pages /Count 1 /Kids [3 0 R]>>',
      '<</Type /Page /Parent 2 0 R /MediaBox 4 0 R>>',
      '[10 20 310 420]',
    ]);
    expect(await sizeOf(bytes)).toEqual({ width: 300, height: 400 });
    const image = { bytes, codec: 'pdf', size: { width: 300, height: 400 } } as const;
    expect(await decodeImage(image)).toMatchObject({ width: 600, height: 800 });
  });

  test('takes the MediaBox that a page inherits, and not the first one in the file', async () => {
    const bytes = writeObjects([
      CATALOG,
      '<</Type /Pages /Count 1 /Kids [4 0 R] /MediaBox [0 0 200 100]>>',
      '<</Type /XObject /MediaBox [0 0 7 7]>>',
      '<</Type /Page /Parent 2 0 R>>',
    ]);
    expect(await sizeOf(bytes)).toEqual({ width: 200, height: 100 });
  });

  test('says why a PDF cannot be opened', async () => {
    const bytes = craftPdf([{}]);
    const torn = Buffer.from(bytes.toString('latin1').replaceAll(/obj|xref|trailer/g, '---'), 'latin1');
    expect(await inspectFile(torn)).toEqual({ kind: 'damaged', reason: 'PDFium error 3' });
    expect(await inspectFile(writeObjects([CATALOG, '<</Type /Pages /Count 0 /Kids []>>']))).toMatchObject({
      kind: 'damaged',
    });
    expect(await inspectFile(bytes.subarray(0, -9))).toEqual({ kind: 'truncated', codec: 'pdf' });
  });
});

import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeImage } from '../../../src/image/decode.js';
import { embedText, extractText } from '../../../src/image/metadata.js';
import type { FileCodec } from '../../../src/model/image.js';
import { renderCountOf } from '../../../src/model/text.js';
import { craftPng } from './craft-png.js';
import { createRandom, imageOf, specimen } from './paint.js';

const pdf = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox [0 0 595 842]>>endobj\nxref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n' +
    '0000000052 00000 n \n0000000101 00000 n \ntrailer<</Size 4/Root 1 0 R>>\nstartxref\n164\n%%EOF\n',
);

/** What Chromium makes of a half transparent red box, in the simple format. */
const lossless = Buffer.from('UklGRiQAAABXRUJQVlA4TBcAAAAvCAABEA8Q8x8DGAyBQBL4+ENE9D9oAAA=', 'base64');

/** Random bytes, the same in each run. */
function bytesOf(length: number): Buffer {
  const random = createRandom(length);
  return Buffer.from(Array.from({ length }, () => random() * 256));
}

const files: readonly (readonly [name: string, codec: FileCodec, bytes: Buffer])[] = [
  ['chromium.png', 'png', specimen('chromium.png')],
  [
    'a PNG with a text of another program',
    'png',
    craftPng({
      ...{ width: 5, height: 4, depth: 8, colorType: 6, samplesAt: (x, y) => [x, y, 7, 9] },
      extra: [['iTXt', Buffer.from('proof\0\0\0\0\0of another')]],
    }),
  ],
  ['chromium.jpg', 'jpeg', specimen('chromium.jpg')],
  ['chromium-lossy.webp', 'webp', specimen('chromium-lossy.webp')],
  ['a PDF', 'pdf', pdf],
  ['a PDF that ends without a line break', 'pdf', pdf.subarray(0, -1)],
];

const texts: readonly (readonly [what: string, text: string])[] = [
  ['nothing', ''],
  ['a letter', 'x'],
  ['JSON', JSON.stringify({ schemaVersion: 1, id: 'home', masks: [{ x: 1, y: 2, width: 3, height: 4 }] })],
  [
    'lines, signs and letters of all kinds',
    '\ufeffä\n%%EOF\r\n\n%proofsheet "x"\\ \u2028 \0 日本 🦊 startxref\n1\n%%EOF\n',
  ],
  ['200,000 bytes', 'äöü-'.repeat(28_572)],
];

// A PDF has no pixels, and carries no data.
describe.each(files.filter(([, codec]) => codec !== 'pdf'))('%s, an image', (_, codec, bytes) => {
  test.each([0, 1, 70_000, 200_001])('carries %i bytes of data beside a text', async (length) => {
    const data = bytesOf(length);
    const full = embedText(bytes, codec, 'text', 'image', data);
    expect(extractText(full, codec)).toEqual({ text: 'text', data, bare: bytes });
    expect(embedText(full, codec, 'text').equals(embedText(bytes, codec, 'text'))).toBe(true);
    const [marked, plain] = [await decodeImage(imageOf(full)), await decodeImage(imageOf(bytes))];
    expect(Buffer.compare(marked.data, plain.data)).toBe(0);
  });

  test('has no data if a bit of them is flipped, and the image is what it was', () => {
    const data = bytesOf(500);
    const full = embedText(bytes, codec, 'text', 'image', data);
    const at = full.indexOf(codec === 'png' ? data : data.toString('base64')) + 250;
    full.writeUInt8(full.readUInt8(at) ^ 1, at);
    expect(extractText(full, codec)).toMatchObject({ text: 'text', data: null, bare: bytes });
  });
});

describe.each(files)('%s', (_, codec, bytes) => {
  test.each(texts)('carries %s, and is the same to the byte without it', (_what, text) => {
    const copy = Buffer.from(bytes);
    const full = embedText(bytes, codec, text);
    expect(full.length).toBeGreaterThan(bytes.length + text.length);
    expect(extractText(full, codec)).toEqual({ text, data: null, bare: copy });
    expect(embedText(bytes, codec, text).equals(full)).toBe(true);
  });

  test('that is damaged gives only errors of ours, and an extracted file carries no text', () => {
    const random = createRandom(bytes.length);
    const full = embedText(bytes, codec, 'some text');
    for (let round = 0; round < 300; round++) {
      const bad = Buffer.from(full);
      for (let i = 0; i < 4; i++) bad[Math.floor(random() ** 2 * bad.length)] = random() * 256;
      const cut = bad.subarray(0, Math.floor(random() * 2 * bad.length));
      const { bare } = extractText(cut, codec);
      expect(bare.length).toBeLessThanOrEqual(cut.length);
      try {
        expect(extractText(embedText(cut, codec, 'more'), codec).text).toBe('more');
      } catch (error) {
        expect(error).toMatchObject({ code: 'image-damaged' });
      }
    }
  });
});

test('a truncated file has no place for a text, which is an error', () => {
  const message = (bytes: Buffer, codec: FileCodec) =>
    `shots/home: the ${codec} file (${renderCountOf(bytes.length, 'byte')}) is not complete. Capture the page again.`;
  for (const [, codec, bytes] of files) {
    for (const short of [bytes.subarray(0, bytes.length - 20), bytes.subarray(0, 10), Buffer.alloc(0)]) {
      if (codec === 'jpeg' && short.length > 10) continue; // Its scan has no length.
      expect(() => embedText(short, codec, 'text', 'shots/home')).toThrow(message(short, codec));
    }
  }
});

test('a text in a PDF is followed by its end, among the last bytes, however long the text is', () => {
  const full = embedText(pdf, 'pdf', 'x'.repeat(5000));
  expect(full.toString('latin1', full.length - 20)).toBe('startxref\n164\n%%EOF\n'.slice(-20));
});

/** Parts of a JPEG as an earlier version wrote them. */
function segments(marker: number, contents: readonly (Buffer | string)[]): Buffer {
  return Buffer.concat(
    contents.flatMap((content) => {
      const part = Buffer.concat([Buffer.from('proofsheet\0'), Buffer.from(content)]);
      const head = Buffer.of(0xff, marker, 0, 0);
      head.writeUInt16BE(2 + part.length, 2);
      return [head, part];
    }),
  );
}

describe('what an earlier version embedded is read, and replaced', () => {
  const jpeg = specimen('chromium.jpg');
  const scan = jpeg.indexOf(Buffer.of(0xff, 0xda));
  const data = bytesOf(500);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(data));
  const old = Buffer.concat([
    jpeg.subarray(0, scan),
    segments(0xef, [Buffer.concat([checksum, data.subarray(0, 300)]), data.subarray(300)]),
    segments(0xfe, ['a ', 'record']),
    jpeg.subarray(scan),
  ]);
  /** `lossless`, with the chunks that made it an extended file. */
  const oldWebp = Buffer.from(
    'UklGRnQAAABXRUJQVlA4WAoAAAAQAAAACAAABAAAVlA4TBcAAAAvCAABEA8Q8x8DGAyBQBL4+ENE9D9oAABQUlNEGgAAAHByb29mc2hlZXQAPIjY' +
      'gGEgc3RydWN0dXJlUFJTSBQAAABwcm9vZnNoZWV0AHNhIHJlY29yZA==',
    'base64',
  );
  const oldPdf = Buffer.concat([pdf, Buffer.from('\n%proofsheet "a record"\nstartxref\n164\n%%EOF\n')]);

  test.each<[FileCodec, Buffer, Buffer, Buffer | null]>([
    ['jpeg', old, jpeg, data],
    ['webp', oldWebp, lossless, Buffer.from('a structure')],
    ['pdf', oldPdf, pdf, null],
  ])('%s', (codec, full, bare, extra) => {
    expect(extractText(full, codec)).toEqual({ text: 'a record', data: extra, bare });
    expect(embedText(full, codec, 'new').equals(embedText(bare, codec, 'new'))).toBe(true);
  });

  test('damaged data is not read', () => {
    const bad = Buffer.from(old);
    bad.writeUInt8(bad.readUInt8(old.indexOf(data.subarray(10, 200))) ^ 1, old.indexOf(data.subarray(10, 200)));
    expect(extractText(bad, 'jpeg')).toEqual({ text: 'a record', data: null, bare: jpeg });
  });
});

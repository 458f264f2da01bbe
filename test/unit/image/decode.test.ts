import { describe, expect, test } from 'vitest';
import { decodeImage, solidColor } from '../../../src/image/decode.js';
import { inspectImage } from '../../../src/image/inspect.js';
import { renderCountOf } from '../../../src/model/text.js';
import { type Craft, craftPng, mendPng } from './craft-png.js';
import { imageOf, plot, png, sheet, specimen } from './paint.js';

const decode = (bytes: Buffer) => decodeImage(imageOf(bytes), 'the image');
/** The picture of most of these tests: 13x11, so that no pass and no byte comes out even. */
const size = { width: 13, height: 11 };
const shade = (x: number, y: number) => (x * 17 + y * 5) % 256;
type Samples = Craft['samplesAt'];

describe('decodeImage of PNG', () => {
  const palette = Array.from({ length: 16 }, (_, i) => [i * 16, 255 - i * 9, i]);
  const plte = ['PLTE', Buffer.from(palette.flat())] as const;
  const entry = (x: number, y: number) => palette[(x + y) % 16] ?? [];
  const index = (x: number, y: number) => [(x + y) % 16];
  const faded: Samples = (x, y) => [...entry(x, y), [0, 128][(x + y) % 16] ?? 255];
  const rgb: Samples = (x, y) => [shade(x, y), x, y];
  const rgba: Samples = (x, y) => [shade(x, y), x, y, x * 9];
  const rounded: Samples = (x) => [x * 257 + 128, x * 257 + 129, 65535];
  const profile = [['gAMA', Buffer.from([0, 0, 0xb1, 0x8f])] as const, ['sRGB', Buffer.of(0)] as const];
  const alpha = ['tRNS', Buffer.from([0, 128])] as const;

  describe.each([false, true])('interlaced: %s', (interlaced) => {
    test.each<[string, Craft['depth'], Craft['colorType'], Samples, expected: Samples, extra?: Craft['extra']]>([
      ['RGB', 8, 2, rgb, rgb],
      ['RGBA', 8, 6, rgba, rgba],
      ['grey', 8, 0, (x, y) => [shade(x, y)], (x, y) => grey(shade(x, y))],
      ['grey with alpha', 8, 4, (x, y) => [shade(x, y), y * 20], (x, y) => [...grey(shade(x, y)), y * 20]],
      ['grey of 1 bit', 1, 0, (x, y) => [(x + y) % 2], (x, y) => grey(((x + y) % 2) * 255)],
      ['grey of 2 bits', 2, 0, (x) => [x % 4], (x) => grey((x % 4) * 85)],
      ['grey of 16 bits', 16, 0, (x) => [x * 257], (x) => grey(x)],
      ['RGB of 16 bits, rounded', 16, 2, rounded, (x) => [x, x + 1, 255]],
      ['palette of 4 bits', 4, 3, index, entry, [plte]],
      ['palette with transparency', 8, 3, index, faded, [plte, alpha]],
      ['RGB with gamma and a color profile, which change no stored value', 8, 2, rgb, rgb, profile],
    ])('%s', async (_, depth, colorType, samplesAt, colorAt, extra = []) => {
      const filterOf = (row: number) => row % 5;
      const pixels = await decode(craftPng({ ...size, depth, colorType, samplesAt, extra, interlaced, filterOf }));
      expect(pixels).toMatchObject(size);
      expect(Buffer.compare(pixels.data, plot(size.width, size.height, colorAt).data)).toBe(0);
    });
  });
});

describe('decodeImage of JPEG and WebP', () => {
  test.each(['progressive.jpg', 'lossy.webp'])('%s comes out as it was painted, nearly', async (name) => {
    const pixels = await decode(specimen(name));
    expect(pixels).toMatchObject({ width: 24, height: 16 });
    const painted = plot(24, 16, (x, y) => [x * 10, y * 15, 128]).data;
    const off = pixels.data.map((value, i) => Math.abs(value - (painted[i] ?? 0)));
    expect(Math.max(...off)).toBeLessThan(40);
    expect(off.reduce((sum, one) => sum + one, 0) / off.length).toBeLessThan(4);
  });

  test('lossless WebP with transparency comes out exactly', async () => {
    const painted = plot(24, 16, (x, y) => [x * 10, y * 15, 128, x < 12 ? 255 : 0]);
    expect(Buffer.compare((await decode(specimen('half-transparent.webp'))).data, painted.data)).toBe(0);
  });

  test('leaves no global and no exit code', async () => {
    // The encoder of other tests defines one.
    Reflect.deleteProperty(globalThis, 'ImageData');
    const before = Object.getOwnPropertyNames(globalThis);
    await decode(specimen('chromium.jpg'));
    await decode(specimen('lossy.webp'));
    await decode(damage(specimen('chromium.jpg'), 700)).catch(() => {});
    expect(Object.getOwnPropertyNames(globalThis)).toEqual(before);
    expect(process.exitCode).toBeUndefined();
  });
});

const cmyk = Buffer.from(specimen('progressive.jpg'));
cmyk[cmyk.indexOf(Buffer.of(0xff, 0xc2)) + 9] = 4;
/** A WebP of 24x16 with only the head of its animation. */
const animated = Buffer.from('UklGRiQAAABXRUJQVlA4WAoAAAACAAAAFwAADwAAQU5JTQYAAAAAAAAAAAA=', 'base64');
const plain = { ...size, depth: 8, colorType: 2, samplesAt: () => [1, 2, 3] } as const;

test.each([
  ['png', craftPng({ ...plain, extra: [['acTL', Buffer.alloc(8)]] }), 'the image is animated (APNG)'],
  ['jpeg', cmyk, 'the colors are CMYK'],
  ['webp', animated, 'the image is animated'],
])('decodeImage refuses a %s, with the image, the problem and the solution', async (codec, bytes, problem) => {
  const { width, height } = imageOf(bytes).size;
  await expect(decode(bytes)).rejects.toMatchObject({
    code: 'image-unsupported',
    message:
      `the image: the ${codec} file (${renderCountOf(bytes.length, 'byte')}, ${width}x${height} px) cannot be compared: ` +
      `${problem}. Convert it to an RGB image without animation.`,
  });
});

function resized(bytes: Buffer, width: number, height: number): Buffer {
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return mendPng(bytes);
}

describe('decodeImage of a damaged image', () => {
  const paletted = { ...size, depth: 8, colorType: 3, extra: [['PLTE', Buffer.from([1, 2, 3])]] } as const;
  test.each([
    [
      'whose bytes changed, with the solution',
      damage(specimen('chromium.png'), 900),
      '160x100 px) is damaged: the checksum of the IDAT chunk is wrong. Restore the file, or capture the page again.',
    ],
    [
      'of which libjpeg warns: it invents the missing pixels',
      damage(specimen('chromium.jpg'), 900),
      'Corrupt JPEG data',
    ],
    ['with an unknown filter', craftPng({ ...plain, filterOf: () => 9 }), 'the filter type 9 is not valid'],
    ['with an unknown color type', craftPng({ ...plain, depth: 2 }), 'with a depth of 2 bits is not valid'],
    ['with an unknown palette entry', craftPng({ ...paletted, samplesAt: () => [7] }), ' is damaged: '],
  ])('refuses an image %s', async (_, bytes, message) => {
    const error = { code: 'image-damaged', message: expect.stringContaining(message) };
    await expect(decode(bytes)).rejects.toMatchObject(error);
  });

  test('a PNG whose header states more pixels than its data can contain', async () => {
    const bytes = resized(craftPng(plain), 16_000, 20_000);
    const before = process.memoryUsage.rss();
    await expect(decode(bytes)).rejects.toThrow('need 960,020,000 bytes; the compressed data has only 19 bytes');
    expect(process.memoryUsage.rss() - before).toBeLessThan(50e6);
  });

  test('refuses an image above the limit', async () => {
    const image = { ...png(sheet(1, 1)), size: { width: 100_000, height: 100_000 } };
    await expect(decodeImage(image, 'the baseline')).rejects.toMatchObject({
      code: 'image-too-large',
      message: expect.stringMatching(
        /^the baseline: the image is 100000x100000 px; the maximum is 320 million pixels\. /,
      ),
    });
  });

  test('refuses a JPEG or a WebP above the pixel limit of WebAssembly, by its header alone', async () => {
    const jpeg = Buffer.from(specimen('progressive.jpg'));
    const frame = jpeg.indexOf(Buffer.of(0xff, 0xc2));
    jpeg.writeUInt16BE(16_000, frame + 5);
    jpeg.writeUInt16BE(16_000, frame + 7);
    expect(inspectImage(jpeg)).toMatchObject({ kind: 'too-large', codec: 'jpeg' });
    jpeg.writeUInt16BE(9000, frame + 7);
    await expect(decode(jpeg)).rejects.toThrow('is damaged: the file is too short for more than 220672 pixels');
    const webp = Buffer.from(specimen('chromium-lossless.webp'));
    webp.writeUIntLE(99_999, 24, 3);
    webp.writeUIntLE(9_999, 27, 3);
    expect(inspectImage(webp)).toEqual({ kind: 'too-large', codec: 'webp', size: { width: 100_000, height: 10_000 } });
  });

  test('refuses a PNG of a kind that takes several buffers, where it is large', async () => {
    await expect(decode(resized(craftPng({ ...plain, depth: 16 }), 10_000, 10_000))).rejects.toMatchObject({
      code: 'image-unsupported',
      message: expect.stringContaining('a grayscale, palette, 16-bit or interlaced PNG has at most 60000000 pixels'),
    });
  });
});

function grey(value: number): [number, number, number] {
  return [value, value, value];
}

function damage(bytes: Buffer, index: number, value = 0x55): Buffer {
  const bad = Buffer.from(bytes);
  bad[index] = value ^ (bad[index] === value ? 1 : 0);
  return bad;
}

/** A PNG of one color, but for the pixels named. */
function craft(color: readonly number[], odd: readonly string[], more: Partial<Craft> = {}) {
  const samplesAt = (x: number, y: number) => color.map((value) => value ^ (odd.includes(`${x},${y}`) ? 1 : 0));
  const colorType = color.length === 4 ? 6 : 2;
  return imageOf(craftPng({ width: 5, height: 4, depth: 8, colorType, samplesAt, ...more }));
}

describe('solidColor', () => {
  test.each([[[255, 255, 255]], [[0, 0, 0]], [[1, 128, 255]], [[60, 127, 177, 255]]])(
    'names the color %j, and finds one pixel of one shade more',
    async (color) => {
      const filterOf = (row: number) => row % 5;
      const name = `#${Buffer.from(color.slice(0, 3)).toString('hex')}`;
      expect(await solidColor(craft(color, [], { filterOf }))).toBe(name);
      for (const odd of ['0,0', '1,0', '4,0', '0,1', '2,2', '4,3', '0,3'])
        expect(await solidColor(craft(color, [odd], { filterOf })), `pixel ${odd}`).toBeNull();
    },
  );

  test('draws transparent pixels on white', async () => {
    expect(await solidColor(craft([0, 0, 0, 0], []))).toBe('#ffffff');
    expect(await solidColor(craft([255, 0, 0, 128], []))).toBe('#ff7f7f');
  });

  test.each([
    ['grey', { colorType: 0, samplesAt: () => [7] }, '#070707'],
    ['of 16 bits', { depth: 16, samplesAt: () => [0x1212, 0x3434, 0x5656] }, '#123456'],
    ['interlaced', { interlaced: true }, '#010203'],
  ] as const)('judges a PNG that is %s', async (_, more, name) => {
    expect(await solidColor(craft([1, 2, 3], [], { ...more, width: 9, height: 9 }))).toBe(name);
  });

  test('names about the color of a lossy image that has one', async () => {
    expect(await solidColor(imageOf(Buffer.from(PLAIN_JPEG, 'base64')))).toBe('#3c80b1');
    expect(await solidColor(imageOf(Buffer.from(PLAIN_WEBP, 'base64')))).toMatch(/^#3[b-e][78].b/);
  });

  test.each(['chromium.png', 'chromium.jpg', 'chromium-lossless.webp', 'chromium-lossy.webp', 'lossy.webp'])(
    'sees that %s has several colors',
    async (name) => expect(await solidColor(imageOf(specimen(name)))).toBeNull(),
  );

  test('does not decode an image whose file is too large to be of one color', async () => {
    const { codec, size } = imageOf(specimen('chromium.jpg'));
    expect(await solidColor({ bytes: Buffer.alloc(20_000), codec, size })).toBeNull();
    await expect(solidColor({ bytes: Buffer.alloc(2_000), codec, size })).rejects.toThrow('damaged');
  });
});

/** 48x40 of #3c7fb1, written by Chromium at quality 80, without its profile. */
const PLAIN_JPEG =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC' +
  '0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCAAo' +
  'ADADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAAb/xA' +
  'AUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCWAqUoAAAAAAAAAAAAAAAA/9k=';
const PLAIN_WEBP =
  'UklGRkgAAABXRUJQVlA4IDwAAACwAwCdASowACgAPm02mEkkIyKhI4gAgA2JZwB2APwAADmo9UoIAAD+4uC//+B+XThjw//+FXxuQsKAAAA=';

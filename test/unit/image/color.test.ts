import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeImage } from '../../../src/image/decode.js';
import { craftGreyIcc, craftIcc, curv, joinTags, PRIMARIES, para } from './craft-icc.js';
import { craftPng } from './craft-png.js';
import { imageOf } from './paint.js';

const COLOR = [128, 64, 200] as const;
const specimen = (name: string) => readFileSync(new URL(`../../../fixtures/images/${name}`, import.meta.url));
type Chunk = readonly [type: string, data: Buffer];

const u32 = (...values: readonly number[]) => {
  const data = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    data.writeUInt32BE(value, index * 4);
  });
  return data;
};
const gAMA = (value: number): Chunk => ['gAMA', u32(value)];
const iCCP = (profile: Buffer): Chunk => [
  'iCCP',
  Buffer.concat([Buffer.from('p\0\0', 'latin1'), deflateSync(profile)]),
];
const SRGB_TABLE = Array.from({ length: 1024 }, (_, index) => {
  const value = index / 1023;
  return Math.round(65_535 * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
});
const sRGB: Chunk = ['sRGB', Buffer.of(0)];
const cHRM: Chunk = ['cHRM', u32(31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)];
const otherChrm: Chunk = ['cHRM', u32(31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)];
const pngWith = (...extra: readonly Chunk[]) =>
  craftPng({ width: 2, height: 1, depth: 8, colorType: 2, extra, samplesAt: () => COLOR });
const shown = async (bytes: Buffer) => [...(await decodeImage(imageOf(bytes), 'the image')).data.slice(0, 3)];

describe('the colors of a PNG are left as they are', () => {
  test.each<[string, readonly Chunk[]]>([
    ['says nothing', []],
    ['is sRGB', [sRGB]],
    ['has the gamma of sRGB', [gAMA(45455)]],
    ['has the gamma and the primaries of sRGB', [cHRM, gAMA(45455)]],
    ['has primaries, but no gamma', [otherChrm]],
    ['is sRGB, whatever gamma it has beside', [sRGB, gAMA(100_000)]],
    [
      'is sRGB by cICP, whatever profile it has beside',
      [['cICP', Buffer.of(1, 13, 0, 1)], iCCP(craftIcc(PRIMARIES.p3))],
    ],
    ['has a profile of sRGB', [iCCP(craftIcc(PRIMARIES.srgb))]],
    ['has a profile of sRGB with its curve as a table', [iCCP(craftIcc(PRIMARIES.srgb, curv(SRGB_TABLE)))]],
    ['has a profile of sRGB, whatever gamma it has beside', [iCCP(craftIcc(PRIMARIES.srgb)), gAMA(100_000)]],
    ['has a profile of grey with the curve of sRGB', [iCCP(craftGreyIcc())]],
  ])('that %s', async (_, extra) => {
    expect(await shown(pngWith(...extra))).toEqual([...COLOR]);
  });
});

describe('an image that is not in sRGB is refused', () => {
  const refused = async (bytes: Buffer) =>
    decodeImage(imageOf(bytes), 'the before image').then(String, ({ message }) => message);

  test('names the image, the problem and the solution', async () => {
    const bytes = pngWith(iCCP(joinTags('CMYK', [])));
    expect(await refused(bytes)).toBe(
      `the before image: the png file (${bytes.length} bytes) cannot be compared: the color profile is not sRGB: ` +
        'the color space is CMYK, expected RGB or GRAY. Convert it to an sRGB image without animation.',
    );
    await expect(decodeImage(imageOf(bytes))).rejects.toMatchObject({ code: 'image-unsupported' });
  });

  test.each([
    ['a profile of Display P3', iCCP(craftIcc(PRIMARIES.p3)), 'the primaries are not those of sRGB'],
    ['a profile that is linear', iCCP(craftIcc(PRIMARIES.srgb, curv([]))), 'the tone curves are not those of sRGB'],
    [
      'a profile with a gamma of 1',
      iCCP(craftIcc(PRIMARIES.srgb, curv([256]))),
      'the tone curves are not those of sRGB',
    ],
    [
      'a profile with another parametric curve',
      iCCP(craftIcc(PRIMARIES.srgb, para(0, [1]))),
      'the tone curves are not',
    ],
    ['a profile of grey that is linear', iCCP(craftGreyIcc(curv([]))), 'the tone curves are not those of sRGB'],
    ['a linear gamma', gAMA(100_000), 'the gamma (gAMA) is 1, expected 0.45455 for sRGB'],
    ['a profile without curves', iCCP(joinTags('RGB ', [])), 'the tag rXYZ is missing'],
    [
      'a profile with an unknown parametric curve',
      iCCP(craftIcc(PRIMARIES.srgb, para(9, []))),
      'the parametric curve type 9 is not supported',
    ],
    ['a profile that is cut off', iCCP(craftIcc(PRIMARIES.srgb).subarray(0, 60)), 'the color profile is not sRGB'],
    ['a profile that is not packed', ['iCCP', Buffer.from('p\0\0nothing')], 'incorrect header check'],
    ['a profile that unpacks to 50 MB', iCCP(Buffer.alloc(50e6)), 'Cannot create a Buffer larger than'],
    ['colors of television', ['cICP', Buffer.of(9, 16, 0, 1)], 'the color space (cICP 9-16-0-1) is not sRGB'],
    ['an animation', ['acTL', Buffer.alloc(8)], 'the image is animated (APNG)'],
  ] as const)('%s', async (_, chunk, reason) => {
    expect(await refused(pngWith(chunk))).toContain(reason);
  });

  test('gamma with primaries of another space', async () => {
    expect(await refused(pngWith(otherChrm, gAMA(45455)))).toContain('the primaries (cHRM) are not those of sRGB');
  });

  test('a JPEG in CMYK', async () => {
    const bytes = Buffer.from(specimen('progressive.jpg'));
    const frame = bytes.indexOf(Buffer.of(0xff, 0xc2));
    bytes[frame + 9] = 4;
    expect(await refused(bytes)).toContain('cannot be compared: the colors are CMYK');
  });

  test('an animated WebP', async () => {
    const frame = Buffer.concat([Buffer.from('ANIM'), u32(0x06000000), Buffer.alloc(6)]);
    const extended = Buffer.concat([Buffer.from('VP8X'), Buffer.of(10, 0, 0, 0, 2, 0, 0, 0, 23, 0, 0, 15, 0, 0)]);
    const body = Buffer.concat([Buffer.from('WEBP'), extended, frame]);
    const riff = Buffer.alloc(8);
    riff.write('RIFF', 'latin1');
    riff.writeUInt32LE(body.length, 4);
    expect(await refused(Buffer.concat([riff, body]))).toContain('cannot be compared: the image is animated.');
  });
});

describe('the colors of JPEG and WebP', () => {
  test('are refused if their profile is not that of sRGB', async () => {
    const withProfile = (profile: Buffer) => {
      const head = Buffer.of(0xff, 0xe2, 0, 0);
      const data = Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), profile]);
      head.writeUInt16BE(data.length + 2, 2);
      const bytes = specimen('progressive.jpg');
      return Buffer.concat([bytes.subarray(0, 2), head, data, bytes.subarray(2)]);
    };
    expect(await shown(withProfile(craftIcc(PRIMARIES.srgb)))).toEqual(await shown(specimen('progressive.jpg')));
    await expect(shown(withProfile(craftIcc(PRIMARIES.p3)))).rejects.toThrow('the primaries are not those of sRGB');
  });
});

describe('a JPEG is turned as its Exif says', () => {
  const turned = (orientation: number, order: 'MM' | 'II' = 'MM') => {
    const big = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
    const little = [
      0x49,
      0x49,
      42,
      0,
      8,
      0,
      0,
      0,
      1,
      0,
      0x12,
      0x01,
      3,
      0,
      1,
      0,
      0,
      0,
      orientation,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
    ];
    const data = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), Buffer.from(order === 'MM' ? big : little)]);
    const segment = Buffer.concat([Buffer.of(0xff, 0xe1, 0, data.length + 2), data]);
    const bytes = specimen('progressive.jpg');
    return imageOf(Buffer.concat([bytes.subarray(0, 2), segment, bytes.subarray(2)]));
  };

  // The stored picture is dark at its top left, red at its top right, and green at its bottom left.
  test.each([
    [1, 24, 16, ['dark', 'red', 'green']],
    [3, 24, 16, ['yellow', 'green', 'red']],
    [6, 16, 24, ['green', 'dark', 'yellow']],
    [8, 16, 24, ['red', 'yellow', 'dark']],
  ] as const)('orientation %i', async (orientation, width, height, corners) => {
    for (const order of ['MM', 'II'] as const) {
      const image = turned(orientation, order);
      expect(image.size).toEqual({ width, height });
      const { data } = await decodeImage(image);
      const at = (x: number, y: number) => {
        const [red = 0, green = 0] = data.slice((y * width + x) * 4);
        return red > 128 ? (green > 128 ? 'yellow' : 'red') : green > 128 ? 'green' : 'dark';
      };
      expect([at(0, 0), at(width - 1, 0), at(0, height - 1)]).toEqual(corners);
    }
  });
});

import { createHash } from 'node:crypto';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { decodePng, walkPng } from '../../../../src/image/png/read.js';
import { encodePng, joinPngs, storePng } from '../../../../src/image/png/write.js';
import type { Pixels } from '../../../../src/model/image.js';
import { type Craft, craftPng } from '../craft-png.js';
import { createRandom, fill, imageOf, plot, sheet } from '../paint.js';

/** A tile of noise: no row and no pixel can be taken for another. */
function noise(seed: number, craft: Partial<Craft> & Pick<Craft, 'width' | 'height'>): Buffer {
  const random = createRandom(seed);
  const channels = craft.colorType === 6 ? 4 : 3;
  const samples = Array.from({ length: craft.width * craft.height * channels }, () => Math.floor(random() * 256));
  const samplesAt = (x: number, y: number) => {
    const start = (y * craft.width + x) * channels;
    return samples.slice(start, start + channels);
  };
  return craftPng({ depth: 8, colorType: 2, samplesAt, ...craft });
}

async function pixelsOf(...tiles: readonly Buffer[]): Promise<Buffer> {
  const decoded = await Promise.all(tiles.map(decodePng));
  return Buffer.concat(decoded.map(({ data }) => data));
}

describe('joinPngs', () => {
  const filters = [0, 1, 2, 3, 4];
  const kinds = [2, 6] as const;
  const cases = kinds.flatMap((colorType) => filters.map((filter) => [colorType, filter] as const));

  test.each(cases)('joins tiles of color type %i whose first rows have filter %i', async (colorType, filter) => {
    const filterOf = (row: number) => (row === 0 ? filter : (filter + row) % 5);
    const tiles = [4, 1, 7].map((height, seed) => noise(seed, { width: 9, height, colorType, filterOf }));
    const joined = await joinPngs(tiles);
    expect(imageOf(joined)).toMatchObject({ codec: 'png', size: { width: 9, height: 12 } });
    expect((await pixelsOf(joined)).equals(await pixelsOf(...tiles))).toBe(true);
  });

  test('joins tiles that are too large to be unpacked at once, and rows that are longer than what is unpacked', async () => {
    const tall = [1, 2].map((seed) => noise(seed, { width: 60, height: 3000, filterOf: () => 4 }));
    expect((await pixelsOf(await joinPngs(tall))).equals(await pixelsOf(...tall))).toBe(true);
    const wide = [3, 4].map((seed) => noise(seed, { width: 100_000, height: 2, filterOf: () => 3 }));
    expect((await pixelsOf(await joinPngs(wide))).equals(await pixelsOf(...wide))).toBe(true);
  });

  const size = { width: 8, height: 2 };
  const extra = [['gAMA', Buffer.from([0, 0, 0xb1, 0x8f])]] as const;

  test('keeps the color chunks of the tiles', async () => {
    const tile = noise(1, { ...size, extra });
    const chunks = [...walkPng(await joinPngs([tile, tile]))].map(({ type }) => type);
    expect(chunks).toEqual(['IHDR', 'gAMA', 'IDAT', 'IEND']);
  });

  test.each([
    ['of another width', noise(1, { ...size, width: 9 }), 'different widths or formats'],
    ['with transparency', noise(1, { width: 6, height: 2, colorType: 6 }), 'different widths or formats'],
    ['with another color chunk', noise(1, { ...size, extra }), 'different widths or formats'],
    ['of 16 bits', craftPng({ ...size, depth: 16, colorType: 2, samplesAt: () => [1, 2, 3] }), 'only 8-bit RGB'],
    ['of greys', craftPng({ ...size, depth: 8, colorType: 0, samplesAt: () => [1] }), 'only 8-bit RGB or RGBA PNGs'],
    ['that is interlaced', noise(1, { ...size, interlaced: true }), 'only 8-bit RGB or RGBA PNGs'],
  ])('refuses a tile %s', async (_, tile, message) => {
    await expect(joinPngs([noise(1, size), tile])).rejects.toThrow(message);
  });

  test('refuses to join nothing', async () => {
    await expect(joinPngs([])).rejects.toThrow('no images to join');
  });
});

describe('encodePng', () => {
  const gradient = plot(70, 50, (x, y) => [x * 3 + 7, y * 5 + 9, (x * y + 3) % 256]);
  test.each([
    ['more than 256 colors', gradient],
    ['more than 256 colors, some transparent', plot(70, 50, (x, y) => [x * 3 + 7, y * 5 + 9, (x * y + 3) % 256, x])],
    ['few colors, some transparent', fill(sheet(9, 9), { x: 2, y: 3, width: 4, height: 1 }, '#00000000')],
    ['one pixel', sheet(1, 1, '#12345678')],
  ])('writes %s so that every reader gets the same pixels', async (_, pixels) => {
    for (const bytes of [encodePng(pixels), storePng(pixels)]) {
      for (const { width, height, data } of [PNG.sync.read(bytes), await decodePng(bytes)]) {
        expect([width, height]).toEqual([pixels.width, pixels.height]);
        expect(Buffer.compare(data, pixels.data)).toBe(0);
      }
    }
  });

  test('writes the same bytes each time, and on each machine', () => {
    expect(encodePng(gradient).equals(encodePng({ ...gradient, data: gradient.data.slice() }))).toBe(true);
    const hash = (pixels: Pixels) => createHash('sha256').update(encodePng(pixels)).digest('hex').slice(0, 16);
    expect([hash(gradient), hash(sheet(100, 100, '#e5e7eb'))]).toEqual(['a51bddc3a69f5682', '0eebab36ad97ee14']);
  });
});

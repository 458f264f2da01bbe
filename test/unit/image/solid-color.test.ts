import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { solidColor } from '../../../src/image/inspect.js';
import { type Craft, craftPng } from './craft-png.js';
import { fill, imageOf, png, sheet } from './paint.js';

const specimen = (name: string) => imageOf(readFileSync(new URL(`../../../fixtures/images/${name}`, import.meta.url)));

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
      expect(await solidColor(craft(color, [], { filterOf }))).toBe(
        `#${Buffer.from(color.slice(0, 3)).toString('hex')}`,
      );
      for (const odd of ['0,0', '1,0', '4,0', '0,1', '2,2', '4,3', '0,3'])
        expect(await solidColor(craft(color, [odd], { filterOf })), `pixel ${odd}`).toBeNull();
    },
  );

  test('judges an image of many rows to the last one', async () => {
    const white = sheet(700, 900);
    expect(await solidColor(png(white))).toBe('#ffffff');
    expect(await solidColor(png(fill(white, { x: 699, y: 899, width: 1, height: 1 }, '#fffffe')))).toBeNull();
    expect(await solidColor(png(fill(white, { x: 0, y: 450, width: 700, height: 1 }, '#eeeeee')))).toBeNull();
  });

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
    async (name) => expect(await solidColor(specimen(name))).toBeNull(),
  );

  test('does not decode an image whose file is too large to be of one color', async () => {
    const { codec, size } = specimen('chromium.jpg');
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

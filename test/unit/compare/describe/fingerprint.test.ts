import { describe, expect, test } from 'vitest';
import { cropPixels } from '../../../../src/image/canvas.js';
import type { Pixels } from '../../../../src/model/image.js';
import { fill, type Hex } from '../../image/paint.js';
import { type Part, paintPage, put as putAt, space, text } from '../paint-page.js';
import { describeChange } from '../settings.js';

const WIDTH = 400;
/** Pages that have nothing in common but their header, and are of other heights. */
const PAGES = [[text(11, 4)], [text(12, 9), space(60)], [space(200), text(13, 20), text(14, 6)]];

async function distinct(pairs: readonly Pair[]): Promise<number> {
  const comparisons = await Promise.all(pairs.map(([before, after]) => describeChange(before, after)));
  return new Set(comparisons.map(({ fingerprint }) => fingerprint)).size;
}

type Pair = readonly [Pixels, Pixels];

/** A page below a header with a button. */
function withHeader(parts: readonly Part[], button: Hex, x = 300): Pixels {
  return fill(paintPage(WIDTH, [text(1, 2), ...parts]), { x, y: 10, width: 60, height: 20 }, button);
}

const put = (parts: readonly Part[], inserted: readonly Part[]) =>
  paintPage(WIDTH, [text(1, 2), ...inserted, ...parts]);

describe('one change', () => {
  const footer = (page: readonly Part[], color: Hex) => {
    const pixels = paintPage(WIDTH, [...page, space(50)]);
    return fill(pixels, { x: 40, y: pixels.height - 30, width: 90, height: 12 }, color);
  };

  test.each<[string, (page: readonly Part[]) => Pair]>([
    ['on pages of all heights', (page) => [withHeader(page, '#3b82f6'), withHeader(page, '#1d4ed8')]],
    ['wherever it is from the top', (page) => [footer(page, '#3b82f6'), footer(page, '#1d4ed8')]],
    ['where it moves all that is below down', (page) => [put(page, []), put(page, [text(5, 2)])]],
    ['where it moves all that is below up', (page) => [put(page, [text(5, 2)]), put(page, [])]],
  ])('is the same %s', async (_, pairOf) => {
    expect(await distinct(PAGES.map(pairOf))).toBe(1);
  });
});

test('one change is the same in windows of one height, however wide the content is that it moves', async () => {
  const cut = (parts: readonly Part[], width: number) => {
    const page = paintPage(WIDTH, [text(1, 2), ...parts, text(width, 9)]);
    const bare = fill(page, { x: width, y: 48, width: WIDTH - width, height: page.height - 48 }, '#ffffff');
    return cropPixels(bare, { x: 0, y: 0, width: WIDTH, height: 240 });
  };
  const grown = (width: number) => fill(cut([space(30)], width), { x: 0, y: 48, width: 120, height: 30 }, '#fee2e2');
  expect(await distinct([160, 250, 390].map((width) => [cut([], width), grown(width)]))).toBe(1);
});

/** A page below a header in which a logo stands somewhere. */
function withLogo(parts: readonly Part[], x: number, seed = 3): Pixels {
  return putAt(paintPage(WIDTH, [text(1, 2), space(40), ...parts]), paintPage(90, [text(seed, 1)]), 56, x);
}

describe('what moved sideways', () => {
  const pairs = (from: number, to: number, seed?: number) =>
    PAGES.map((page) => [withLogo(page, from, seed), withLogo(page, to, seed)] as const);

  test('is one change on pages of all heights', async () => {
    expect(await distinct(pairs(20, 32))).toBe(1);
    expect(await distinct(pairs(32, 20))).toBe(1);
  });

  test('is another by another distance, to the other side, and from another place', async () => {
    expect(await distinct([pairs(20, 32), pairs(20, 33), pairs(32, 20), pairs(120, 132)].flat())).toBe(4);
  });

  test('is another where something changed in it, the same on all pages', async () => {
    const dotted = (x: number, color: Hex) =>
      pairs(20, 32).map(([before, after]) => [before, fill(after, { x, y: 66, width: 3, height: 3 }, color)] as const);
    expect(await distinct(dotted(60, '#ff0000'))).toBe(1);
    const all = [pairs(20, 32), dotted(60, '#ff0000'), dotted(60, '#0000ff'), dotted(64, '#ff0000')];
    expect(await distinct(all.flat())).toBe(4);
  });
});

describe('two changes are two', () => {
  const [one = []] = PAGES;
  const [before, after] = [withHeader(one, '#3b82f6'), withHeader(one, '#1d4ed8')];
  const [less, more] = [put(one, []), put(one, [text(5, 2)])];
  const grown = (at: number) => put([text(21, 4), text(22, 4), text(23, 4)].toSpliced(at, 0, space(24)), []);
  const even = put([text(21, 4), text(22, 4), text(23, 4)], []);

  test.each<[string, Pair, Pair]>([
    ['when the color differs by a trace', [before, after], [before, withHeader(one, '#1d4ed9')]],
    [
      'when one pixel more changed',
      [before, after],
      [before, fill(after, { x: 5, y: 100, width: 1, height: 1 }, '#ff00ff')],
    ],
    ['when they are beside one another', [before, after], [before, withHeader(one, '#1d4ed8', 301)]],
    ['when as much empty space came in at two places', [even, grown(1)], [even, grown(2)]],
    ['when what was there before differs', [before, after], [withHeader(one, '#22c55e'), after]],
    ['when one adds what the other takes away', [less, more], [more, less]],
    [
      'when what was inserted differs by one letter',
      [less, more],
      [less, fill(more, { x: 60, y: 60, width: 4, height: 10 }, '#282828')],
    ],
  ])('%s', async (_, first, second) => {
    expect(await distinct([first, second])).toBe(2);
  });
});

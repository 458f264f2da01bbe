import { describe, expect, test } from 'vitest';
import { cropPixels } from '../../../../src/image/canvas.js';
import type { Pixels } from '../../../../src/model/image.js';
import { createRandom, fill, plot, sheet } from '../../image/paint.js';
import { bar, LINE, paintPage, put, space, text } from '../paint-page.js';
import { describeChange, kindOf, testMoves } from '../settings.js';

const [WIDTH, HEIGHT] = [480, 300];

/** A sheet with paragraphs at their places. */
function page(...blocks: readonly (readonly [seed: number, x: number, y: number, lines?: number])[]): Pixels {
  return blocks.reduce(
    (pixels, [seed, x, y, lines]) => put(pixels, paintPage(200, [text(seed, lines ?? 3)]), y, x),
    sheet(WIDTH, HEIGHT),
  );
}

/** A button with a word on it. */
function withButton(pixels: Pixels, x: number, y: number, seed = 7): Pixels {
  const box = fill(pixels, { x, y, width: 80, height: 30 }, '#cbd5e1');
  return put(box, paintPage(56, [text(seed, 1)]), y + 3, x + 12);
}

/** A line of text: from a column on, it is moved to the right by as much as is put in. */
function insertWord(line: Pixels, x: number, word: Pixels): Pixels {
  const rest = cropPixels(line, { x, y: 0, width: line.width - x - word.width, height: line.height });
  return put(put({ ...line, data: line.data.slice() }, rest, 0, x + word.width), word, 0, x);
}

describe('content that moved sideways is reported as moved', () => {
  test('a whole page: no other difference is reported', async () => {
    const blocks = [
      [1, 40, 20],
      [2, 40, 110],
      [3, 250, 200],
    ] as const;
    const moved = blocks.map(([seed, x, y]) => [seed, x + 8, y] as const);
    const comparison = await describeChange(page(...blocks), page(...moved));
    expect(comparison.kind).toBe('different');
    expect(comparison.columnShifts).toMatchObject([{ x: 48, by: 8 }]);
    expect(comparison.columnShifts[0]?.height).toBeGreaterThan(200);
    expect(comparison).toMatchObject({ shifts: [], regions: [], mismatchPixelsAfterAlignment: 0 });
    expect(comparison.counts.mismatchPixels).toBeGreaterThan(1000);
  });

  test('a page that fills the image: columns inserted at the left count, columns lost at the right do not', async () => {
    const before = paintPage(WIDTH, [bar(40, '#112233'), space(20), text(1, 8)]);
    const rest = cropPixels(before, { x: 0, y: 0, width: WIDTH - 8, height: before.height });
    const moved = put(sheet(WIDTH, before.height), rest, 0, 8);
    const framed = fill(moved, { x: 0, y: 0, width: 8, height: before.height }, '#00aa00');
    const { columnShifts, regions, mismatchPixelsAfterAlignment } = await describeChange(before, framed);
    expect(columnShifts).toMatchObject([{ x: 0, y: 0, height: before.height, by: 8 }]);
    expect(regions).toEqual([{ x: 0, y: 0, width: 8, height: before.height, pixels: 8 * before.height }]);
    expect(mismatchPixelsAfterAlignment).toBe(8 * before.height);
  });

  test.each([12, 100, 300])('one button by %i px, at its place', async (by) => {
    const [before, after] = [withButton(page([1, 20, 20]), 30, 200), withButton(page([1, 20, 20]), 30 + by, 200)];
    const { columnShifts, regions } = await describeChange(before, after);
    expect(columnShifts).toEqual([{ x: 30, y: 200, width: 80, height: 30, by }]);
    expect(regions).toEqual([]);
    const back = await describeChange(after, before);
    expect(back.columnShifts).toEqual([{ x: 30 + by, y: 200, width: 80, height: 30, by: -by }]);
  });

  test('a word put into a line, and taken out of it, is one region of its own columns', async () => {
    const line = put(sheet(WIDTH, LINE), paintPage(380, [text(3, 1)]), 0);
    const word = cropPixels(paintPage(64, [text(9, 1)]), { x: 8, y: 0, width: 42, height: LINE });
    const more = insertWord(line, 148, word);
    const [before, after] = [line, more].map((own) => put(page([1, 20, 20], [2, 20, 200]), own, 110));
    if (!before || !after) throw new Error('not reached');
    const { columnShifts, regions, mismatchPixelsAfterAlignment } = await describeChange(before, after);
    expect(columnShifts).toMatchObject([{ by: 42 }]);
    expect(regions).toEqual([{ x: columnShifts[0]?.x, y: 116, width: 42, height: 12, pixels: 42 * 12 }]);
    expect(mismatchPixelsAfterAlignment).toBe(42 * 12);
    const back = await describeChange(after, before);
    expect(back.columnShifts).toMatchObject([{ by: -42 }]);
    expect(back.regions).toEqual([{ ...regions[0], side: 'before' }]);
  });

  test('content between two parts that moved apart has not moved', async () => {
    const before = page([1, 8, 20], [2, 260, 20], [3, 8, 200]);
    const after = page([1, 12, 20], [2, 250, 20], [3, 8, 200]);
    const { columnShifts, mismatchPixelsAfterAlignment } = await describeChange(before, after);
    expect(columnShifts.map(({ by }) => by)).toEqual([4, -10]);
    expect(mismatchPixelsAfterAlignment).toBe(0);
  });

  test('among rows that moved down', async () => {
    const content = withButton(page([1, 20, 20], [2, 20, 110]), 300, 120);
    const moved = withButton(page([1, 20, 20], [2, 20, 110]), 312, 120);
    const [before, after] = [sheet(WIDTH, 340), sheet(WIDTH, 380)];
    const banner = fill(after, { x: 0, y: 0, width: WIDTH, height: 40 }, '#fef3c7');
    const comparison = await describeChange(put(before, content, 0), put(banner, moved, 40));
    expect(comparison.shifts).toEqual([{ y: 0, height: 340, by: 40 }]);
    expect(comparison.columnShifts).toEqual([{ x: 300, y: 120, width: 80, height: 30, by: 12 }]);
    expect(comparison.regions).toEqual([{ x: 0, y: 0, width: WIDTH, height: 40, pixels: 40 * WIDTH }]);
  });

  test('a word that moved a few pixels in a page of 23,046 rows (garris/BackstopJS#477)', async () => {
    const word = paintPage(80, [text(3, 1)]);
    const [before, after] = [4, 7].map((x) => put(sheet(256, 23_046), word, 18_000, 100 + x));
    if (!before || !after) throw new Error('not reached');
    const { counts, regions, columnShifts } = await describeChange(before, after);
    expect(counts.mismatchPixels).toBeGreaterThan(100);
    expect(regions).toEqual([]);
    expect(columnShifts).toMatchObject([{ y: 18_006, height: 12, by: 3 }]);
  });

  test('masked content does not count, wherever it moved', async () => {
    const patch = { x: 60, y: 130, width: 30, height: 20 };
    const before = fill(page([1, 40, 110, 5]), patch, '#ff00ff');
    const after = fill(page([1, 48, 110, 5]), { ...patch, x: 68, width: 34 }, '#00ff00');
    const masked = [patch, { ...patch, x: 68, width: 34 }];
    const { columnShifts, mismatchPixelsAfterAlignment } = await describeChange(before, after, {}, masked);
    expect(columnShifts).toMatchObject([{ by: 8 }]);
    expect(mismatchPixelsAfterAlignment).toBe(0);
  });
});

describe('unmoved content is not reported as moved', () => {
  const letters = (step: number) => {
    const pixels = page([1, 20, 20], [2, 20, 200]);
    for (let letter = 0; letter < 40; letter++) {
      const own = paintPage(40, [text(letter + 1, 1)]);
      put(pixels, cropPixels(own, { x: 8, y: 0, width: 5, height: LINE }), 110, 20 + Math.floor(letter * step));
    }
    return pixels;
  };
  const noise = (seed: number) => {
    const random = createRandom(seed);
    return plot(120, 80, () => [random() * 255, random() * 255, random() * 255]);
  };
  const area = (paint: (x: number, y: number) => readonly number[]) =>
    put(page([1, 20, 20]), plot(200, 80, paint), 150, 100);
  const stripes = (by: number) => area((x) => ((x + by) % 12 < 6 ? [30, 30, 30] : [220, 220, 220]));
  const plainBox = (x: number) => fill(page([1, 20, 20]), { x, y: 150, width: 60, height: 40 }, '#dddddd');
  const gradient = (by: number) => area((x) => [x + by, 100, 100]);

  const figures = (seed: number, width: number) => {
    const random = createRandom(seed);
    const figure = plot(width, 14, () => (random() < 0.6 ? [40, 40, 40] : [255, 255, 255]));
    const rest = cropPixels(paintPage(60, [text(9, 1)]), { x: 8, y: 0, width: 40, height: LINE });
    return put(put(page([1, 20, 20]), rest, 150, 60 + width), figure, 154, 60);
  };

  test.each<[string, Pixels, Pixels]>([
    ['a figure of another width, and the rest of its number', figures(3, 7), figures(4, 6)],
    ['letters that stand further apart', letters(7), letters(7.2)],
    ['text that is another', page([1, 20, 20], [2, 20, 150]), page([1, 20, 20], [3, 20, 150])],
    ['noise', put(page([1, 20, 20]), noise(1), 150, 100), put(page([1, 20, 20]), noise(2), 150, 100)],
    ['stripes, of which any shift fits', stripes(0), stripes(5)],
    ['a gradient that became brighter', gradient(0), gradient(9)],
    ['a plain box', plainBox(40), plainBox(70)],
    ['text of another color', page([1, 20, 20, 8]), recolor(page([1, 20, 20, 8]))],
    ['a bar with a mark at its end that grew', growingBar(60), growingBar(140)],
  ])('%s', async (_, before, after) => {
    for (const change of [await describeChange(before, after), await describeChange(after, before)]) {
      expect(change).toMatchObject({ columnShifts: [], shifts: [] });
      expect(change.mismatchPixelsAfterAlignment).toBe(change.counts.mismatchPixels);
    }
  });

  function recolor(pixels: Pixels): Pixels {
    const data = pixels.data.map((value, at) => (at % 4 === 0 && value === 40 ? 200 : value));
    return { ...pixels, data };
  }

  function growingBar(length: number): Pixels {
    const track = fill(page([1, 20, 20]), { x: 20, y: 160, width: 300, height: 20 }, '#eeeeee');
    const mark = plot(14, 20, (x, y) => ((x * y) % 5 < 2 ? [10, 60, 10] : [34, 170, 34]));
    return put(fill(track, { x: 20, y: 160, width: length, height: 20 }, '#22aa22'), mark, 160, 20 + length);
  }
});

describe('what allowShift tolerates', () => {
  const [before, after] = [withButton(page([1, 20, 20]), 30, 200), withButton(page([1, 20, 20]), 42, 200)];
  const [start, further] = [withButton(before, 180, 240), withButton(after, 200, 240)];
  const withBar = (width: number) => {
    const lines = put(sheet(600, HEIGHT), paintPage(560, [text(1, 10)]), 20, 10 + width);
    const bar = fill(lines, { x: 0, y: 0, width: 10 + width, height: HEIGHT }, '#112233');
    return cropPixels(bar, { x: 0, y: 0, width: WIDTH, height: HEIGHT });
  };

  test.each<[string, Pixels, Pixels, allowShift: number, isTolerated: boolean]>([
    ['a move up to the limit', before, after, 12, true],
    ['the same move back', after, before, 12, true],
    ['a move above the limit', before, after, 11, false],
    ['one move of two', start, further, 12, false],
    ['both moves', start, further, 20, true],
    // Content leaves the image at the other side.
    ['a bar at the side that grew', withBar(10), withBar(20), 10, false],
    ['a bar at the side that shrank', withBar(20), withBar(10), 10, false],
  ])('%s', async (_, one, other, allowShift, isTolerated) => {
    expect(await kindOf(one, other, { allowShift })).toBe(isTolerated ? 'tolerated' : 'different');
  });

  test('content that moved further than the limit counts as a change', async () => {
    const { counts } = await describeChange(start, withButton(before, 200, 240));
    const limits = { allowShift: 12, maxDiffPixels: counts.mismatchPixels };
    expect(await kindOf(start, further, limits)).toBe('tolerated');
  });
});

describe('laws', () => {
  /** Gives a page of paragraphs and buttons, and the same with some of them moved, changed or left out. */
  function pair(seed: number): readonly [Pixels, Pixels] {
    const random = createRandom(seed);
    let [before, after] = [sheet(WIDTH, 700), sheet(WIDTH, 700)];
    for (let y = 10; y < 640; y += 90) {
      const [x, by] = [20 + Math.floor(random() * 40), random() < 0.5 ? 0 : Math.floor(random() * 50) - 25];
      const [block, other] = [seed * 20 + y, random() < 0.2 ? 1 : 0].map((own) => paintPage(180, [text(own + 1, 2)]));
      if (!block || !other) throw new Error('not reached');
      before = put(before, block, y, x);
      after = put(after, random() < 0.15 ? other : block, y, Math.max(0, x + by));
      const place = 260 + Math.floor(random() * 100);
      before = withButton(before, place, y, y);
      if (random() < 0.9) after = withButton(after, place + (random() < 0.5 ? by : 0), y, y);
    }
    return [before, after];
  }

  testMoves(pair, [0, 3, 10, 20, 1000], { maxDiffPixels: 4000 });
});

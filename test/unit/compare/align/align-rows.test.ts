import { describe, expect, test } from 'vitest';
import { cropPixels } from '../../../../src/image/canvas.js';
import type { Pixels } from '../../../../src/model/image.js';
import { createRandom, fill, sheet } from '../../image/paint.js';
import { bar, LINE, type Part, paintPage, put, space, text } from '../paint-page.js';
import { describeChange, kindOf, testMoves } from '../settings.js';

const WIDTH = 320;
const header = bar(40, '#112233');
const banner = bar(48, '#fef3c7');
const content: readonly Part[] = [1, 2, 3, 4, 5, 6].flatMap((seed) => [space(20), text(seed)]);
const page = (...parts: readonly Part[]) => paintPage(WIDTH, parts);
const cut = (pixels: Pixels, height: number) => cropPixels(pixels, { x: 0, y: 0, width: pixels.width, height });

describe('moved content is reported as moved', () => {
  test('a banner at the top of a page is one region of its own pixels, however far the rest moves down', async () => {
    const [before, after] = [page(header, ...content), page(banner, header, ...content)];
    const { shifts, regions, mismatchPixelsAfterAlignment, counts, kind } = await describeChange(before, after);
    expect(kind).toBe('different');
    expect(shifts).toEqual([{ y: 0, height: before.height, by: 48 }]);
    expect(regions).toEqual([{ x: 0, y: 0, width: WIDTH, height: 48, pixels: 48 * WIDTH }]);
    expect(mismatchPixelsAfterAlignment).toBe(48 * WIDTH);
    expect(counts.mismatchPixels).toBeGreaterThan(48 * WIDTH);
  });

  test('content that leaves an image of the same height at the bottom is not counted', async () => {
    const [before, after] = [page(header, ...content), page(header, banner, ...content)];
    const { shifts, regions, diffSize } = await describeChange(before, cut(after, before.height));
    expect(shifts).toEqual([{ y: 40, height: before.height - 88, by: 48 }]);
    expect(regions).toEqual([{ x: 0, y: 40, width: WIDTH, height: 48, pixels: 48 * WIDTH }]);
    expect(diffSize).toEqual({ width: WIDTH, height: before.height });
    const back = await describeChange(cut(after, before.height), before);
    expect(back.shifts).toEqual([{ y: 88, height: before.height - 88, by: -48 }]);
    expect(back.mismatchPixelsAfterAlignment).toBe(48 * WIDTH);
  });

  test('between a header and a footer that both stay', async () => {
    const footer = [bar(6, '#225588'), text(99, 1), bar(6, '#885522')];
    const [tall, taller] = [page(header, ...content), page(header, banner, ...content)];
    const close = (pixels: Pixels) => put(cut(pixels, tall.height), page(...footer), tall.height - 36);
    const { shifts, regions } = await describeChange(close(tall), close(taller));
    expect(shifts).toEqual([{ y: 40, height: tall.height - 36 - 88, by: 48 }]);
    expect(regions.map(({ y, height }) => [y, height])).toEqual([
      [40, 48],
      [tall.height - 36 - 48, 48],
    ]);
  });

  test('next to an unmoved column', async () => {
    const side = page(...[11, 12, 13, 14].flatMap((seed) => [text(seed, 4), space(24)]));
    const main = page(header, ...content);
    const both = (pixels: Pixels) => put(put(sheet(2 * WIDTH, 400), cut(side, 400), 0), cut(pixels, 400), 0, WIDTH);
    const { shifts, regions } = await describeChange(both(main), both(page(header, banner, ...content)));
    expect(shifts).toEqual([{ y: 40, height: 312, by: 48 }]);
    expect(regions).toHaveLength(1);
    expect(regions[0]).toMatchObject({ y: 40, height: 48 });
    expect(regions[0]?.x).toBeGreaterThanOrEqual(WIDTH);
  });

  test('rows that all repeat: two inserted among a hundred alike', async () => {
    const rows = Array.from({ length: 60 }, () => [bar(3, '#cccccc'), space(7)]).flat();
    const inserted = rows.toSpliced(80, 0, bar(9, '#0000d0')).toSpliced(40, 0, bar(12, '#d00000'));
    const { shifts, regions } = await describeChange(page(...rows), page(...inserted));
    expect(shifts.map(({ by }) => by)).toEqual([12, 21]);
    expect(regions.map(({ y, height }) => [y, height])).toEqual([
      [200, 12],
      [412, 9],
    ]);
  });

  test('a hairline that moved is a change of two hairlines', async () => {
    const lined = (y: number) => fill(page(header, ...content), { x: 0, y, width: WIDTH, height: 1 }, '#e5e7eb');
    const { shifts, regions } = await describeChange(lined(44), lined(47));
    expect(shifts).toEqual([]);
    expect(regions).toEqual([{ x: 0, y: 44, width: WIDTH, height: 4, pixels: 2 * WIDTH }]);
  });

  test('a wider page that also moved down: the added area counts once', async () => {
    const before = page(header, ...content);
    const after = put(sheet(WIDTH + 15, before.height + 48), page(header, banner, ...content), 0);
    const { shifts, mismatchPixelsAfterAlignment } = await describeChange(before, after);
    expect(shifts).toEqual([{ y: 40, height: before.height - 40, by: 48 }]);
    expect(mismatchPixelsAfterAlignment).toBe(48 * WIDTH + 15 * after.height);
  });

  test('masked content does not count, wherever it moved', async () => {
    const patch = { x: 50, y: 200, width: 30, height: 20 };
    const before = fill(page(header, ...content), patch, '#ff00ff');
    const after = fill(page(header, banner, ...content), { ...patch, y: 248, height: 24 }, '#00ff00');
    const masked = [patch, { ...patch, y: 248, height: 24 }, { x: 0, y: 40, width: 100, height: 10 }];
    expect(await describeChange(before, after, {}, masked)).toMatchObject({
      mismatchPixelsAfterAlignment: 48 * WIDTH - 1000,
      regions: [{ y: 40 }],
    });
  });
});

describe('what allowShift and maxSizeDiff tolerate', () => {
  const [before, grown] = [page(header, ...content), page(header, space(5), ...content)];
  const lined = page(header, bar(5, '#d00000'), ...content);
  const dotted = (pixels: Pixels, size = 3) => fill(pixels, { x: 60, y: 200, width: size, height: size }, '#ff0000');
  const withBar = (height: number) => page(header, ...content.slice(0, 4), bar(height, '#112233'), ...content.slice(4));
  const boxed = (height: number) => {
    const spaced = page(header, ...content.slice(0, 4), space(height), ...content.slice(4));
    return fill(spaced, { x: 30, y: 40 + 2 * (20 + 3 * LINE), width: 200, height }, '#112233');
  };
  /** A box around two words, beside a column that stays. */
  const padded = (padding: number) => {
    const box = fill(sheet(WIDTH, 60 + padding), { x: 40, y: 10, width: 260, height: 50 + padding }, '#e2e8f0');
    const word = fill(box, { x: 60, y: 20, width: 90, height: 12 }, '#111111');
    const words = fill(word, { x: 60, y: 40, width: 70, height: 12 }, '#111111');
    const pixels = put(page(header, space(60 + padding), ...content), words, 40);
    return fill(pixels, { x: 0, y: 0, width: 30, height: pixels.height }, '#475569');
  };
  const [five, ten] = [5, 10].map((by) => ({ allowShift: by, maxSizeDiff: by }));

  test.each<[string, Pixels, Pixels, Parameters<typeof kindOf>[2], isTolerated: boolean]>([
    ['a move up to the limit', before, grown, five, true],
    ['a move above the limit', before, grown, { ...five, allowShift: 4 }, false],
    ['a size that differs by more', before, grown, { ...five, maxSizeDiff: 4 }, false],
    ['a move, by default', before, grown, {}, false],
    ['a move in an image that keeps its height', before, cut(grown, before.height), { allowShift: 5 }, true],
    ['a larger move in such an image', before, cut(grown, before.height), { allowShift: 4 }, false],
    ['inserted content: only space may grow', before, lined, five, false],
    ['removed content', lined, before, five, false],
    ['a bar that shrank', withBar(20), withBar(10), ten, false],
    ['a bar that shrank in an image that keeps its height', cut(withBar(20), 400), cut(withBar(10), 400), ten, false],
    ['a bar with a margin on both sides that shrank', boxed(20), boxed(10), ten, false],
    ['the padding of a box around text', padded(20), padded(15), five, true],
    ['the padding of a box, above the limit', padded(20), padded(15), { ...five, allowShift: 4 }, false],
    ['a change inside moved content', before, dotted(grown), five, false],
    ['a change inside moved content within the limit', before, dotted(grown), { ...five, maxDiffPixels: 9 }, true],
    ['content that does not align', before, page(space(1), header, ...content), { maxSizeDiff: 1 }, false],
    ['a row more, and a change', before, dotted(page(header, ...content, space(1)), 1), { maxSizeDiff: 1 }, false],
  ])('%s', async (_, one, other, limits, isTolerated) => {
    expect(await kindOf(one, other, limits)).toBe(isTolerated ? 'tolerated' : 'different');
  });

  test('a row that is tolerated still counts', async () => {
    const after = page(header, ...content, bar(1, '#3b82f6'));
    const counts = { mismatchPixels: WIDTH };
    expect(await describeChange(before, after)).toMatchObject({ kind: 'different', counts });
    expect(await describeChange(before, after, { maxSizeDiff: 1 })).toMatchObject({ kind: 'tolerated', counts });
  });
});

describe('laws', () => {
  /** Gives a page of paragraphs, and the same with some put in, taken out or changed. */
  function pair(seed: number): readonly [Pixels, Pixels] {
    const random = createRandom(seed);
    const parts = Array.from({ length: 10 }, (_, index): Part[] => [space(12), text(seed * 50 + index, 2)]).flat();
    const edited = parts.flatMap((part): readonly Part[] => {
      const chance = random();
      if (chance < 0.08) return [bar(1 + Math.floor(random() * 30), '#88aa44'), part];
      if (chance < 0.14) return [];
      return [chance < 0.2 && part.kind === 'text' ? text(999 + seed, 2) : part];
    });
    return [page(header, ...parts), page(header, ...edited)];
  }

  testMoves(pair, [0, 5, 30, 1000], { maxSizeDiff: 1000, maxDiffPixels: 9000 });
});

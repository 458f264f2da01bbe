import { expect, test } from 'vitest';
import { unmovedSegments } from '../../../../src/compare/align/segments.js';
import { renderDiff, type Scene } from '../../../../src/compare/describe/diff-image.js';
import { DIFF_PALETTE } from '../../../../src/compare/describe/paint.js';
import { ANTI_ALIASED, CHANGED, createMask, NO_DIFFERENCE } from '../../../../src/compare/engines/pixel-diff.js';
import { overlapOf } from '../../../../src/image/canvas.js';
import type { IndexedPixels } from '../../../../src/image/png/write.js';
import type { Pixels } from '../../../../src/model/image.js';
import { fill, sheet } from '../../image/paint.js';

/** Two images of which nothing moved, and what is to be shown of them. */
function sceneOf(before: Pixels, after: Pixels, scene: Partial<Scene> = {}): Scene {
  const mask = createMask(overlapOf(before, after));
  const unmoved = { segments: unmovedSegments(before, after), columns: [0, mask.width] as const, movedColumns: [] };
  return { before, after, ...unmoved, mask, ignoredAreas: [], regions: [], ...scene };
}

const colorAt = ({ data, width, palette }: IndexedPixels, x: number, y: number) => {
  const place = data[y * width + x] ?? 0;
  return place === 0 ? [] : [...(palette[place] ?? [])];
};

const isGrey = (color: readonly number[]) => new Set(color).size === 1;
const coloredRows = (diff: IndexedPixels) =>
  Array.from({ length: diff.height }, (_, y) => y).filter((y) => !isGrey(colorAt(diff, 4, y)));
const MAGENTA = [214, 0, 147];
const page = fill(sheet(10, 8), { x: 0, y: 0, width: 5, height: 8 }, '#1d4ed8');

test('unchanged content is the after image in faint grey', () => {
  const diff = renderDiff(sceneOf(sheet(10, 8, '#ff0000'), page));
  const [dark, light] = [colorAt(diff, 2, 2), colorAt(diff, 7, 2)];
  expect(light).toEqual([255, 255, 255]);
  expect(isGrey(dark)).toBe(true);
  expect(dark[0]).toBeGreaterThan(150);
  expect(dark[0]).toBeLessThan(230);
});

test('changed pixels are magenta, anti-aliased pixels are pale, and no other pixel is either', () => {
  const mask = createMask(page);
  mask.data[3 * 10 + 4] = CHANGED;
  mask.data[3 * 10 + 5] = ANTI_ALIASED;
  const diff = renderDiff(sceneOf(page, page, { mask }));
  const isColored = Array.from({ length: 80 }, (_, i) => !isGrey(colorAt(diff, i % 10, Math.floor(i / 10))));
  expect(isColored.flatMap((is, i) => (is ? [i] : []))).toEqual([34, 35]);
  expect(colorAt(diff, 4, 3)).toEqual(MAGENTA);
  expect(colorAt(diff, 5, 3)).toEqual([205, 180, 235]);
});

test('areas only in before are orange, only in after blue, in neither transparent', () => {
  const diff = renderDiff(sceneOf(sheet(10, 8, '#808080'), sheet(12, 6, '#808080')));
  expect(diff).toMatchObject({ width: 12, height: 8 });
  const [orange, blue] = [colorAt(diff, 4, 7), colorAt(diff, 11, 2)];
  expect(Number(orange[0])).toBeGreaterThan(Number(orange[2]) + 80);
  expect(Number(blue[2])).toBeGreaterThan(Number(blue[0]) + 80);
  expect(colorAt(diff, 11, 7)).toEqual([]);
  expect(isGrey(colorAt(diff, 9, 5))).toBe(true);
});

test('rows that were put in are blue, and all below them are faint', () => {
  const segments = [
    { kind: 'paired', before: 0, after: 0, height: 3, isSpace: false },
    { kind: 'inserted', before: 3, after: 3, height: 2, isSpace: false },
    { kind: 'paired', before: 3, after: 5, height: 5, isSpace: false },
  ] as const;
  const diff = renderDiff(sceneOf(sheet(10, 8), sheet(10, 10), { segments, mask: createMask(sheet(10, 10)) }));
  expect(coloredRows(diff)).toEqual([3, 4]);
});

test('removed rows are shown if there is room, otherwise a bar marks their place', () => {
  const removed = (height: number) =>
    [
      { kind: 'paired', before: 0, after: 0, height: 10, isSpace: false },
      { kind: 'removed', before: 10, after: 10, height, isSpace: false },
      { kind: 'paired', before: 10 + height, after: 10, height: 20, isSpace: false },
    ] as const;
  const before = fill(sheet(10, 40), { x: 0, y: 10, width: 10, height: 10 }, '#336699');
  const shown = renderDiff(sceneOf(before, sheet(10, 30), { segments: removed(10), mask: createMask(sheet(10, 30)) }));
  expect(coloredRows(shown)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  const barred = renderDiff(sceneOf(sheet(10, 30), sheet(10, 30), { segments: removed(10) }));
  expect(coloredRows(barred)).toEqual([8, 9, 10, 11]);
});

test('inserted columns are blue, removed ones are a bar, and moved content has a frame', () => {
  const [width, height] = [120, 40];
  const area = { x: 20, y: 10, width: 60, height: 20 };
  const move = {
    ...{ area, diff: NO_DIFFERENCE, explained: 1, isClear: true },
    shift: { ...area, width: 52, by: 8 },
    content: { ...area, x: 28, width: 52 },
    inserted: [{ ...area, width: 8 }],
    removed: [{ ...area, x: 72, width: 8 }],
  };
  const diff = renderDiff(sceneOf(sheet(width, height), sheet(width, height), { movedColumns: [move] }));
  const row = Array.from({ length: width }, (_, x) => (isGrey(colorAt(diff, x, 20)) ? 0 : 1));
  expect([row.indexOf(1), row.lastIndexOf(1)]).toEqual([20, 80]);
  const blue = colorAt(diff, 21, 20);
  expect(Number(blue[2])).toBeGreaterThan(Number(blue[0]) + 60);
  expect(row.slice(28, 78)).toEqual(Array.from({ length: 50 }, () => 0));
  expect(colorAt(diff, 79, 20)).toEqual([196, 98, 0]);
  expect(colorAt(diff, 50, 8)).toEqual([24, 24, 24]);
});

test('regions are framed, and no frame covers a change', () => {
  const mask = createMask({ width: 80, height: 60 });
  for (let y = 30; y < 40; y++) mask.data.fill(CHANGED, y * 80 + 20, y * 80 + 30);
  mask.data[27 * 80 + 25] = CHANGED;
  const regions = [{ x: 20, y: 30, width: 10, height: 10 }];
  const plain = renderDiff(sceneOf(sheet(80, 60), sheet(80, 60), { mask }));
  const framed = renderDiff(sceneOf(sheet(80, 60), sheet(80, 60), { mask, regions }));
  const magenta = (diff: IndexedPixels) =>
    diff.data.filter((place) => `${DIFF_PALETTE[place]}` === `${MAGENTA}`).length;
  expect(magenta(framed)).toBe(magenta(plain));
  const sides = [colorAt(framed, 18, 35), colorAt(framed, 31, 35), colorAt(framed, 25, 28), colorAt(framed, 25, 41)];
  expect(sides).toEqual(sides.map(() => [24, 24, 24]));
});

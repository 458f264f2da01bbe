import { describe, expect, test, vi } from 'vitest';
import { renderDiff } from '../../../src/compare/diff-image.js';
import { CHANGED, createMask, SMOOTHED } from '../../../src/compare/finding.js';
import type { Pixels } from '../../../src/model/image.js';
import { fill, plot, sheet } from '../image/paint.js';

vi.setConfig({ testTimeout: 60_000 });

const colorAt = ({ data, width }: Pixels, x: number, y: number) => {
  const at = (y * width + x) * 4;
  return [...data.subarray(at, at + 4)];
};

describe('renderDiff', () => {
  const page = fill(sheet(10, 8), { x: 0, y: 0, width: 5, height: 8 }, '#1d4ed8');

  test('shows what did not change as a faint grey picture of after', () => {
    const diff = renderDiff(sheet(10, 8, '#ff0000'), page, createMask(page), []);
    const [dark, light] = [colorAt(diff, 2, 2), colorAt(diff, 7, 2)];
    expect(light).toEqual([255, 255, 255, 255]);
    expect(new Set(dark.slice(0, 3)).size).toBe(1);
    expect(dark[0]).toBeGreaterThan(150);
    expect(dark[0]).toBeLessThan(230);
  });

  test('shows what changed magenta, and nothing else so', () => {
    const mask = createMask(page);
    mask.data[3 * 10 + 4] = CHANGED;
    mask.data[3 * 10 + 5] = SMOOTHED;
    const diff = renderDiff(page, page, mask, []);
    const magenta = [214, 0, 147, 255];
    const found = Array.from({ length: 80 }, (_, i) => [i % 10, Math.floor(i / 10)] as const).filter(
      ([x, y]) => `${colorAt(diff, x, y)}` === `${magenta}`,
    );
    expect(found).toEqual([[4, 3]]);
  });

  test('tells what only before covers, what only after covers, and what neither does', () => {
    const [before, after] = [sheet(10, 8, '#808080'), sheet(12, 6, '#808080')];
    const diff = renderDiff(before, after, createMask({ width: 10, height: 6 }), []);
    expect(diff).toMatchObject({ width: 12, height: 8 });
    const [orange, blue] = [colorAt(diff, 4, 7), colorAt(diff, 11, 2)];
    expect(orange[0]).toBeGreaterThan((orange[2] ?? 0) + 80);
    expect(blue[2]).toBeGreaterThan((blue[0] ?? 0) + 80);
    expect(colorAt(diff, 11, 7)).toEqual([0, 0, 0, 0]);
    const shared = colorAt(diff, 9, 5);
    expect(new Set(shared.slice(0, 3)).size).toBe(1);
  });

  test('white extra area is not white', () => {
    const diff = renderDiff(sheet(4, 4), sheet(4, 9), createMask(sheet(4, 4)), []);
    expect(colorAt(diff, 1, 7)).not.toEqual([255, 255, 255, 255]);
    expect(colorAt(diff, 1, 7)[3]).toBe(255);
  });

  test('shows what is transparent as it is on white', () => {
    const after = sheet(4, 4, '#00000000');
    expect(colorAt(renderDiff(after, after, createMask(after), []), 1, 1)).toEqual([255, 255, 255, 255]);
  });

  test('does not change the images it is made of', () => {
    const copy = page.data.slice();
    const mask = createMask(page);
    mask.data.fill(CHANGED);
    renderDiff(page, page, mask, []);
    expect(page.data).toEqual(copy);
  });

  test('is quick: a page of 1280x8000 in well under two seconds', () => {
    const long = plot(1280, 8000, (x, y) => [x % 256, y % 256, 90]);
    const mask = createMask(long);
    mask.data.fill(CHANGED, 5e6, 5.1e6);
    renderDiff(long, long, mask, []);
    const start = performance.now();
    renderDiff(long, long, mask, []);
    expect(performance.now() - start).toBeLessThan(1500);
  });
});

import { describe, expect, test, vi } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { decodeImage } from '../../../src/image/decode.js';
import { hasChangeDescription, mismatchPercentage } from '../../../src/model/comparison.js';
import type { Pixels } from '../../../src/model/image.js';
import { fill, imageOf, png, sheet } from '../image/paint.js';
import { bar, type Part, paintPage, put, space, text } from './paint-page.js';
import { settings } from './settings.js';

// What other tools got wrong, by the issues of theirs in which it stands.

vi.setConfig({ testTimeout: 120_000 });

async function explained(before: Pixels, after: Pixels) {
  const comparison = await compareImages(png(before), png(after), settings(), []);
  if (!hasChangeDescription(comparison)) throw new Error(`it is ${comparison.kind}`);
  return comparison;
}

test('a word that moved a few pixels in a page of 23,046 rows is found (garris/BackstopJS#477)', async () => {
  const word = paintPage(80, [text(3, 1)]);
  const [before, after] = [4, 7].map((x) => put(sheet(256, 23_046), word, 18_000, 100 + x));
  if (!before || !after) throw new Error('not reached');
  const { counts, regions, columnShifts, kind } = await explained(before, after);
  expect(kind).toBe('different');
  expect(counts.mismatchPixels).toBeGreaterThan(100);
  expect(regions).toEqual([]);
  expect(columnShifts).toMatchObject([{ y: 18_006, height: 12, by: 3 }]);
});

test('a thousandth of a percent is not 0 (wswebcreation/webdriver-image-comparison#103)', async () => {
  const before = sheet(1920, 2483);
  const { counts } = await explained(before, fill(before, { x: 900, y: 2000, width: 8, height: 6 }, '#333333'));
  expect(counts.mismatchPixels).toBe(48);
  expect(mismatchPercentage(counts)).toBeCloseTo(0.001007, 6);
});

describe('a page that is taller (microsoft/playwright#20015, #18005, unindented/react-styleguidist-visual#18)', () => {
  const parts: readonly Part[] = [bar(40, '#112233'), ...[1, 2, 3, 4].flatMap((seed) => [space(20), text(seed)])];
  const page = (at: number) => paintPage(300, [...parts.slice(0, at), space(7), ...parts.slice(at)]);
  const before = paintPage(300, parts);

  test.each([
    ['at the top', 0, 0],
    ['in the middle', 5, 250],
    ['at the bottom', parts.length, before.height],
  ])('by 7 white rows %s: 7 rows differ once aligned, at their place, on the canvas of both', async (_, at, y) => {
    const after = page(at);
    const { regions, mismatchPixelsAfterAlignment, counts, diff, diffSize } = await explained(before, after);
    expect(regions).toEqual([{ x: 0, y, width: 300, height: 7, pixels: 2100 }]);
    expect(mismatchPixelsAfterAlignment).toBe(2100);
    expect(counts.mismatchPixels).toBeGreaterThanOrEqual(2100);
    expect(diffSize).toEqual({ width: 300, height: after.height });
    expect(await decodeImage(imageOf(diff))).toMatchObject(diffSize);
  });

  test('300 rows less: counted, shown on the canvas of both', async () => {
    const { counts, diffSize } = await explained(sheet(60, 400), sheet(60, 100));
    expect([counts.mismatchPixels, diffSize.height]).toEqual([300 * 60, 400]);
  });

  test('1265 wide instead of 1280: the missing area is a region with its count', async () => {
    const { regions } = await explained(sheet(1280, 90), sheet(1265, 90));
    expect(regions).toEqual([{ x: 1265, y: 0, width: 15, height: 90, pixels: 1350, side: 'before' }]);
  });
});

test('one row inserted in a page of 6,000 is not a red page (PostHog/posthog#96238)', async () => {
  const parts: readonly Part[] = Array.from({ length: 65 }, (_, seed) => [space(20), text(seed + 1)]).flat();
  const [before, after] = [paintPage(320, parts), paintPage(320, [bar(40, '#fef3c7'), ...parts])];
  const { regions, shifts, counts, mismatchPixelsAfterAlignment } = await explained(before, after);
  expect(before.height).toBeGreaterThan(5900);
  expect(shifts).toEqual([{ y: 0, height: before.height, by: 40 }]);
  expect(regions).toEqual([{ x: 0, y: 0, width: 320, height: 40, pixels: 12_800 }]);
  expect(mismatchPixelsAfterAlignment).toBe(12_800);
  expect(counts.mismatchPixels).toBeGreaterThan(250_000);
});

test('4 pixels of a page of 8,000 rows have a rectangle of their own (cockpit-project/cockpit-machines#137)', async () => {
  const before = sheet(320, 8000);
  const { regions } = await explained(before, fill(before, { x: 200, y: 6500, width: 2, height: 2 }, '#888888'));
  expect(regions).toEqual([{ x: 200, y: 6500, width: 2, height: 2, pixels: 4 }]);
});

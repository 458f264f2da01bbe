// @module-tag pain-3
// @module-tag pain-4
// @module-tag pain-5
// @module-tag pain-6
// @module-tag pain-10
// @module-tag pain-11
import pixelmatch from 'pixelmatch';
import { describe, expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { compareByPixelmatch } from '../../../src/compare/engines/pixelmatch.js';
import { sideOfFile } from '../../../src/compare/side.js';
import { cropPixels, isOpaque, overlapOf } from '../../../src/image/canvas.js';
import type { Pixels } from '../../../src/model/image.js';
import { DEFAULTS } from '../../../src/model/list/defaults.js';
import { plot, png } from '../image/paint.js';
import { EDGES } from './golden-edges.js';
import { PAIRS, stripes } from './golden-pairs.js';
import { ENGINES, settings } from './settings.js';

const golden = [...PAIRS, ...EDGES];

describe.each(ENGINES)('golden pairs by %s', (engine) => {
  test.each(golden)(
    '$name',
    async ({ before, after, threshold = DEFAULTS.threshold, counts: [mismatchPixels, antialiasedPixels] }) => {
      const comparison = await compareImages(png(before), png(after), settings({ engine, threshold }), []);
      const sameDimensions = before.width === after.width && before.height === after.height;
      const totalPixels = Math.max(before.width, after.width) * Math.max(before.height, after.height);
      expect(comparison.counts).toEqual({ mismatchPixels, antialiasedPixels, totalPixels, sameDimensions });
      expect(comparison.kind).toBe(mismatchPixels === 0 ? 'within-limit' : 'different');
    },
  );

  test.each(golden)('$name, the other way round', async ({ before, after, threshold = DEFAULTS.threshold, counts }) => {
    const comparison = await compareImages(png(after), png(before), settings({ engine, threshold }), []);
    expect([comparison.counts.mismatchPixels, comparison.counts.antialiasedPixels]).toEqual(counts);
  });
});

// Transparency is none of its business: engines see opaque images only.
const opaque = golden.filter(({ before, after }) => isOpaque(before) && isOpaque(after));

test.each(opaque)('the engine pixelmatch counts the same as pixelmatch: $name', async (pair) => {
  const { threshold = DEFAULTS.threshold } = pair;
  const overlap = { x: 0, y: 0, ...overlapOf(pair.before, pair.after) };
  const [before, after] = [cropPixels(pair.before, overlap), cropPixels(pair.after, overlap)];
  const count = (includeAA: boolean) =>
    pixelmatch(before.data, after.data, undefined, overlap.width, overlap.height, { threshold, includeAA });
  const sideOf = (pixels: Pixels) => sideOfFile(png(pixels), 'an image');
  const pixelDiff = await compareByPixelmatch(sideOf(before), sideOf(after), {
    threshold,
    antialiasing: 'ignore',
  });
  expect(pixelDiff.mismatchPixels).toBe(count(false));
  expect(pixelDiff.mismatchPixels + pixelDiff.antialiasedPixels).toBe(count(true));
});

const pushed = (rows: number) =>
  plot(stripes.width, stripes.height + rows, (x, y) =>
    y < rows
      ? [255, 255, 255]
      : [...stripes.data.subarray(((y - rows) * 1280 + x) * 4, ((y - rows) * 1280 + x) * 4 + 4)],
  );

test('both engines count the same if 7 rows are inserted at the top', async () => {
  const all = ENGINES.map((engine) => compareImages(png(stripes), png(pushed(7)), settings({ engine }), []));
  const [odiff, pixelmatch] = await Promise.all(all);
  expect(odiff?.counts).toEqual(pixelmatch?.counts);
  expect(odiff?.counts.mismatchPixels).toBeGreaterThan(7 * 1280);
});

// @module-tag pain-3
// @module-tag pain-4
// @module-tag pain-5
// @module-tag pain-6
// @module-tag pain-10
// @module-tag pain-11
import pixelmatch from 'pixelmatch';
import { describe, expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { countAsPixelmatch } from '../../../src/compare/engines/pixelmatch.js';
import { sideOfFile } from '../../../src/compare/side.js';
import { cropPixels, isOpaque, overlapOf } from '../../../src/image/canvas.js';
import type { Pixels } from '../../../src/model/image.js';
import { DEFAULTS } from '../../../src/model/list/defaults.js';
import { png } from '../image/paint.js';
import { EDGES } from './golden-edges.js';
import { PAIRS } from './golden-pairs.js';
import { settings } from './settings.js';

const golden = [...PAIRS, ...EDGES];

describe('golden pairs', () => {
  test.each(golden)(
    '$name',
    async ({ before, after, threshold = DEFAULTS.threshold, counts: [mismatchPixels, antialiasedPixels] }) => {
      const comparison = await compareImages(png(before), png(after), settings({ threshold }), []);
      const sameDimensions = before.width === after.width && before.height === after.height;
      const totalPixels = Math.max(before.width, after.width) * Math.max(before.height, after.height);
      expect(comparison.counts).toEqual({ mismatchPixels, antialiasedPixels, totalPixels, sameDimensions });
      expect(comparison.kind).toBe(mismatchPixels === 0 ? 'within-limit' : 'different');
    },
  );

  test.each(golden)('$name, the other way round', async ({ before, after, threshold = DEFAULTS.threshold, counts }) => {
    const comparison = await compareImages(png(after), png(before), settings({ threshold }), []);
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
  const pixelDiff = await countAsPixelmatch(sideOf(before), sideOf(after), {
    threshold,
    antialiasing: 'ignore',
  });
  expect(pixelDiff.mismatchPixels).toBe(count(false));
  expect(pixelDiff.mismatchPixels + pixelDiff.antialiasedPixels).toBe(count(true));
});

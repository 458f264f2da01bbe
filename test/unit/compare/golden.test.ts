import { describe, expect, test } from 'vitest';
import { DEFAULTS } from '../../../src/model/page-fields.js';
import { EDGES } from './golden-edges.js';
import { PAIRS } from './golden-pairs.js';
import { compare } from './settings.js';

const golden = [...PAIRS, ...EDGES];

describe('golden pairs', () => {
  test.each(golden)(
    '$name',
    async ({ before, after, threshold = DEFAULTS.threshold, counts: [mismatchPixels, antialiasedPixels] }) => {
      const comparison = await compare(before, after, { threshold });
      const sameDimensions = before.width === after.width && before.height === after.height;
      const totalPixels = Math.max(before.width, after.width) * Math.max(before.height, after.height);
      expect(comparison.counts).toEqual({ mismatchPixels, antialiasedPixels, totalPixels, sameDimensions });
      expect(comparison.kind).toBe(mismatchPixels === 0 ? 'within-limit' : 'different');
    },
  );

  test.each(golden)('$name, the other way round', async ({ before, after, threshold = DEFAULTS.threshold, counts }) => {
    const comparison = await compare(after, before, { threshold });
    expect([comparison.counts.mismatchPixels, comparison.counts.antialiasedPixels]).toEqual(counts);
  });
});

import { expect, test } from 'vitest';
import { EDGES } from './golden-edges.js';
import { PAIRS } from './golden-pairs.js';
import { compare } from './settings.js';

test.each([...PAIRS, ...EDGES])('$name, and the other way round', async ({ before, after, threshold, counts }) => {
  const [mismatchPixels, antialiasedPixels] = counts;
  const sameDimensions = before.width === after.width && before.height === after.height;
  const totalPixels = Math.max(before.width, after.width) * Math.max(before.height, after.height);
  const expected = {
    kind: mismatchPixels === 0 ? 'within-limit' : 'different',
    counts: { mismatchPixels, antialiasedPixels, totalPixels, sameDimensions },
  };
  expect(await compare(before, after, { threshold })).toMatchObject(expected);
  expect(await compare(after, before, { threshold })).toMatchObject(expected);
});

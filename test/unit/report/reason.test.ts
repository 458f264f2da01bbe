import { describe, expect, test } from 'vitest';
import { nameShot } from '../../../src/model/plain-text.js';
import { listSome, renderCount, renderCountOf, renderDuration, renderPercentage } from '../../../src/model/words.js';
import { limitPixels, renderLimit, renderReason } from '../../../src/report/reason.js';
import { changedOf, shotOf } from './specimens.js';

test('thousands are separated, in any locale', () => {
  expect([0, 7, 999, 1000, 10_240, 1_234_567].map(renderCount)).toEqual([
    '0',
    '7',
    '999',
    '1,000',
    '10,240',
    '1,234,567',
  ]);
  expect([renderCountOf(1, 'shot'), renderCountOf(2000, 'shot')]).toEqual(['1 shot', '2,000 shots']);
});

describe('a percentage', () => {
  test('has two decimals', () => {
    expect([0.13, 12.5, 1.2699].map(renderPercentage)).toEqual(['0.13 %', '12.50 %', '1.27 %']);
  });

  test('is never zero if one pixel differs, at any page height', () => {
    expect(renderPercentage(0)).toBe('0 %');
    for (const total of [10_240_000, 160_000_000, 1e12]) {
      const shown = renderPercentage(100 / total);
      expect(Number.parseFloat(shown), shown).toBeGreaterThan(0);
      expect(shown).not.toContain('e');
    }
    expect(renderPercentage(100 / 10_240_000)).toBe('0.0000098 %');
    expect(renderPercentage(0.00999)).toBe('0.0100 %');
  });

  test('is 100 only if all pixels differ', () => {
    expect(renderPercentage(100)).toBe('100 %');
    expect(renderPercentage(99.999999)).toBe('99.99 %');
  });
});

describe('a limit in words', () => {
  const limitsOf = (maxDiffPixels: number | null, maxDiffPixelRatio: number | null) =>
    shotOf({ limits: { threshold: 0.02, maxDiffPixels, maxDiffPixelRatio } });

  test('has the number of pixels of a ratio', () => {
    expect(renderLimit(limitsOf(null, 0.001))).toBe('0.1 % = 10,240 px of 1280x8000');
    expect(limitPixels(limitsOf(null, 0.001))).toBe(10_240);
  });

  test('is 0 px when none is set', () => {
    expect(renderLimit(limitsOf(null, null))).toBe('0 px');
    expect(limitPixels(limitsOf(null, null))).toBe(0);
  });

  test('of two values is the smaller one', () => {
    expect(renderLimit(limitsOf(40, 0.001))).toBe('40 px or 0.1 % = 10,240 px of 1280x8000, whichever is less');
    expect(limitPixels(limitsOf(40, 0.001))).toBe(40);
    expect(limitPixels(limitsOf(20_000, 0.001))).toBe(10_240);
  });

  test('is exact where a product of fractions is not', () => {
    const shot = limitsOf(null, 0.29);
    const summary = shot.summary && { ...shot.summary, totalPixels: 100 };
    expect(0.29 * 100).toBeLessThan(29);
    expect(limitPixels({ ...shot, summary })).toBe(29);
    expect(renderLimit({ ...limitsOf(null, 0.07), summary, before: null, after: null })).toBe('7 % = 7 px of 100 px');
  });

  test('has no pixel count without a comparison', () => {
    expect(renderLimit({ ...limitsOf(null, 0.001), summary: null })).toBe('0.1 %');
    expect(limitPixels({ ...limitsOf(null, 0.001), summary: null })).toBe(null);
  });
});

describe('the reason of a shot', () => {
  test('that changed has its pixel counts, its limit and its largest region', () => {
    expect(renderReason(changedOf())).toBe('1,204 px (0.13 %) differ, limit 0 px; 1 region: 420x60 px at (312, 480)');
  });

  test('of another size has both sizes', () => {
    const shot = changedOf();
    const after = shot.after && { ...shot.after, height: 8007 };
    const summary = shot.summary && { ...shot.summary, sameDimensions: false };
    expect(renderReason({ ...shot, after, summary })).toBe(
      'height 8000 -> 8007 (+7 px), first difference at y=480; 1,204 px (0.13 %) differ, limit 0 px; 1 region: 420x60 px at (312, 480)',
    );
    const narrower = after && { ...after, width: 1265 };
    expect(renderReason({ ...shot, after: narrower, summary })).toMatch(
      /^width 1280 -> 1265 \(-15 px\), height 8000 -> 8007 \(\+7 px\), first difference at y=480; /,
    );
  });

  test('that passed is null', () => {
    expect(renderReason(shotOf())).toBe(null);
  });

  test('that is new says whether this run wrote a baseline', () => {
    expect(renderReason(shotOf({ status: 'new' }))).toBe('no baseline found');
    expect(renderReason(shotOf({ status: 'new', written: true }))).toBe('no baseline found; this run wrote one');
  });
});

test('a duration above zero is never formatted as zero', () => {
  expect([0, 0.2, 12, 999.6, 1200, 59_960, 125_000].map(renderDuration)).toEqual([
    '0 ms',
    '1 ms',
    '12 ms',
    '1.0 s',
    '1.2 s',
    '1 min 0 s',
    '2 min 5 s',
  ]);
});

test('a long list of names is shortened, with the number of the others', () => {
  const names = ['a', 'b', 'c'];
  expect([listSome(names, 3), listSome(names, 2)]).toEqual(['a, b, c', 'a, b and 1 more']);
});

test('a shot of a project without a name has only its id', () => {
  expect([nameShot(shotOf()), nameShot(shotOf({ project: '' }))]).toEqual(['pricing [chromium]', 'pricing']);
});

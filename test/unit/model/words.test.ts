import { describe, expect, test } from 'vitest';
import { ProofsheetError } from '../../../src/model/errors.js';
import { endSentence, listSome, renderCountOf, renderDuration, renderPercentage } from '../../../src/model/words.js';

test.each([
  [0, 'key', '0 keys'],
  [1, 'key', '1 key'],
  [2, 'key', '2 keys'],
  [1, 'more page', '1 more page'],
  [10_240, 'byte', '10,240 bytes'],
])('a count of %d has its noun in the right number: %s', (count, noun, text) => {
  expect(renderCountOf(count, noun)).toBe(text);
});

test.each([
  ['it failed', 'it failed.'],
  ['it failed.', 'it failed.'],
  ['it failed...', 'it failed.'],
  ['it failed. ', 'it failed.'],
  ['did it fail?', 'did it fail?'],
])('%j ends with one full stop', (text, ended) => {
  expect(endSentence(text)).toBe(ended);
});

test('a message has no two full stops where what was found ends with one', () => {
  const error = new ProofsheetError({ code: 'page-status', where: 'x', found: 'it failed.', advice: 'Mend it.' });
  expect(error.message).toBe('x: it failed. Mend it.');
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

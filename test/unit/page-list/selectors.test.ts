import { describe, expect, test } from 'vitest';
import { listSelectors, splitSelectors } from '../../../src/page-list/resolve/resolve-capture.js';

describe('a text with selectors', () => {
  test.each([
    ['.a', ['.a']],
    ['.a, #b ,c', ['.a', '#b', 'c']],
    [':is(.a, .b), .c', [':is(.a, .b)', '.c']],
    [':is(.a, :not(.b, .c)) .d, e', [':is(.a, :not(.b, .c)) .d', 'e']],
    ['[title="a, b"], [x=")"], .c', ['[title="a, b"]', '[x=")"]', '.c']],
    ["[title='a\", b'], .c", ["[title='a\", b']", '.c']],
    ['[title="a\\", b"], .c', ['[title="a\\", b"]', '.c']],
    ['.a\\,b, .c', ['.a\\,b', '.c']],
    ['.a,', ['.a', '']],
    ['), .a', [')', '.a']],
  ])('%s is split where a comma separates them', (text, selectors) => {
    expect(splitSelectors(text)).toEqual(selectors);
  });

  test('may stand in a list, or be left out', () => {
    expect(listSelectors(['.a, .b', '#c'])).toEqual(['.a', '.b', '#c']);
    expect(listSelectors(undefined)).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { listSelectors, splitSelectors } from '../../../src/page-list/resolve/resolve-capture.js';
import { selectorFault } from '../../../src/page-list/validate/check-steps.js';

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

describe('the syntax of a selector', () => {
  test.each([
    ['.chat'],
    ['#ticker, .a > b + c ~ d e'],
    ['a[href^="x>y"]:not(.b, #c):nth-child(2n + 1 of .x)::before'],
    ['*'],
    ['*|a, |a'],
    ['& > .a'],
    ['--x, -a, _b, .é, .\\31 0, #a\\:b'],
    ['.a:has(> img)'],
    ['a:is(:hover, :focus-visible)'],
    ['[data-a="1" i], [a|=b]'],
    ['div:some-new-thing(1 / 2)'],
    ['a/* b */.c'],
    ['[open'],
    ['a:not(.b'],
    ['::part(x):hover'],
  ])('%s may be a CSS selector', (selector) => {
    expect(selectorFault(selector)).toBe(null);
  });

  test.each([
    ['..a', 'no name after "."'],
    ['.', 'no name after "."'],
    ['# a', 'no name after "#"'],
    ['.1a', 'no name after "."'],
    ['a:', 'no name after ":"'],
    ['> a', 'no selector before ">"'],
    ['a > > b', 'no selector before ">"'],
    ['a >', 'no selector after the last combinator'],
    ['a > , b', 'no selector before ","'],
    ['a)', 'unexpected ")"'],
    ['a]', 'unexpected "]"'],
    ['text=Sign in', 'unexpected "="'],
    ['//div', 'unexpected "/"'],
    ['a { color: red }', 'unexpected "{"'],
    ['1a', 'unexpected "1"'],
    ['"a"', 'unexpected """'],
    ['a:contains("x")', '":contains" is not a CSS pseudo-class'],
    ['button:visible', '":visible" is not a CSS pseudo-class'],
  ])('of %s: %s', (selector, why) => {
    expect(selectorFault(selector)).toBe(why);
  });
});

import { expect, test } from 'vitest';
import { selectorFault } from '../../../src/page-list/validate/check-steps.js';

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
  ['a >', 'it ends in a combinator'],
  ['a > , b', 'a selector is missing at a comma'],
  ['a)', '")" cannot stand here'],
  ['a]', '"]" cannot stand here'],
  ['text=Sign in', '"=" cannot stand here'],
  ['//div', '"/" cannot stand here'],
  ['a { color: red }', '"{" cannot stand here'],
  ['1a', '"1" cannot stand here'],
  ['"a"', '""" cannot stand here'],
  ['a:contains("x")', '":contains" is not CSS'],
  ['button:visible', '":visible" is not CSS'],
])('%s is no CSS selector: %s', (selector, why) => {
  expect(selectorFault(selector)).toBe(why);
});

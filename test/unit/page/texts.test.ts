import { expect, test } from 'vitest';
import { decideTexts } from '../../../src/page/texts.js';

const PATTERNS = [{ selector: 'b', pattern: 'money' }];
const texts = (...elements: string[][]) => [{ selector: 'b', elements }];
const shownOf = (own: string[], ...expected: string[][]) =>
  decideTexts(
    PATTERNS,
    [[own]],
    expected.map((parts) => texts(parts)),
  ).shown[0]?.elements[0];

test('an allowed text is replaced by one that is allowed and has as many parts', () => {
  expect(shownOf(['€ 5'], ['€ 12'])).toEqual(['€ 12']);
  expect(shownOf(['€ 5'], ['€ NaN'], ['€ 12'])).toEqual(['€ 12']);
  expect(shownOf(['€ 5'], ['€', '12'])).toEqual(['€ 5']);
  expect(shownOf(['€ 5'])).toEqual(['€ 5']);
});

test('a wrong text is replaced by a wrong text only, so that loads with different ones show the same', () => {
  expect(shownOf(['€ NaN', '49'], ['€ 12', '20'], ['€ NaN', '57'])).toEqual(['€ NaN', '57']);
  expect(shownOf(['€ NaN'], ['€ 12'])).toEqual(['€ NaN']);
  const { wrong } = decideTexts(PATTERNS, [[['€ NaN', '49']]], [texts(['€ NaN', '57'])]);
  expect(wrong).toEqual([{ selector: 'b', pattern: 'money', text: '€ NaN49' }]);
});

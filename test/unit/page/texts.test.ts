import { expect, test } from 'vitest';
import { allowsText, decideTexts } from '../../../src/page/texts.js';

test.each<[pattern: string, allowed: string, refused: string]>([
  ['any', ' | x', ''],
  ['number', "5 | 1,234 | 1.234,56 | 1'234 | -3.5 | 12 % | 12% | 1 234", ' | five | 5 apples | 1, | € 5 | NaN | 5 NaN'],
  ['number', '1.2K | ٩٬٥٨٥ | १,२३४', ''],
  ['money', '€ 12.50 | $1,299 | 12,50 € | 12 CHF | USD 5 | £3 | -$5 | US$ 5', '12.50 | free | € | € NaN | 5 left'],
  ['money', 'R$ 1.234,50 | 199 Kč | 30.01 ₪ | ٣٫٥٠ $', ''],
  [
    'date',
    '2024-05-01 | 1.5.2024 | 20. 5. 2024 10:30 | ٢١ يونيو ١٩٩٩ | 2024年5月1日(水)',
    ' | Invalid Date | 12 | soon | May',
  ],
  ['date', 'May 1st, 2024 | 1. Mai 2024 | 14 juillet 2024 | środa, 1 maja 2024', 'NaN May 2024 | 3 errors'],
  ['date', 'Tuesday, May 5, 2024 at 10:30 am | 5 minutes ago | vor 3 Tagen', 'updated by Anna 5 minutes ago'],
  ['date', 'yesterday | 5 минут назад | قبل يومين', 'NaN minutes ago'],
  ['time', '10:30 | 10:30:05 | 7:05 pm | just now | 10.30 | ۱۰:۳۰', ' | 10 | Invalid Date'],
  ['€ \\d+', '€ 12', '€ 12.50 | about € 12 | € 12 off'],
  ['a|b', 'a | b', 'ab | c'],
])('%s allows whole texts only: %s', (pattern, allowed, refused) => {
  expect(allowed.split(' | ').filter((text) => !allowsText(pattern, text))).toEqual([]);
  if (refused !== '') expect(refused.split(' | ').filter((text) => allowsText(pattern, text))).toEqual([]);
});

const PATTERNS = [{ selector: 'b', pattern: 'money' }];
const texts = (...elements: string[][]) => [{ selector: 'b', elements }];

test.each<[what: string, own: string[], expected: string[][], shown: string[]]>([
  ['by one that is allowed', ['€ 5'], [['€ 12']], ['€ 12']],
  ['not by one that is wrong', ['€ 5'], [['€ NaN'], ['€ 12']], ['€ 12']],
  ['not by one of more parts', ['€ 5'], [['€', '12']], ['€ 5']],
  ['not at all if none is expected', ['€ 5'], [], ['€ 5']],
  [
    'if it is wrong, by a wrong one only',
    ['€ NaN', '49'],
    [
      ['€ 12', '20'],
      ['€ NaN', '57'],
    ],
    ['€ NaN', '57'],
  ],
  ['if it is wrong, not by an allowed one', ['€ NaN'], [['€ 12']], ['€ NaN']],
])('a text is replaced %s', (_, own, expected, shown) => {
  const known = expected.map((parts) => texts(parts));
  expect(decideTexts(PATTERNS, [[own]], known).shown).toEqual(texts(shown));
});

test('a wrong text is named as the page had it', () => {
  const { wrong } = decideTexts(PATTERNS, [[['€ NaN', '49']]], [texts(['€ NaN', '57'])]);
  expect(wrong).toEqual([{ selector: 'b', pattern: 'money', text: '€ NaN49' }]);
});

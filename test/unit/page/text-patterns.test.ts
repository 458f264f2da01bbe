import { expect, test } from 'vitest';
import { allowsText } from '../../../src/page/text-patterns.js';

test.each<[pattern: string, allowed: string[], refused: string[]]>([
  ['any', ['', 'x'], []],
  [
    'number',
    ['5', '1,234', '1.234,56', "1'234", '-3.5', '12 %', '12%', '1 234', '1.2K', '٩٬٥٨٥', '१,२३४'],
    ['', 'five', '5 apples', '1,', '€ 5', 'NaN', '5 NaN'],
  ],
  [
    'money',
    [
      '€ 12.50',
      '$1,299',
      '12,50 €',
      '12 CHF',
      'USD 5',
      '£3',
      '-$5',
      'US$ 5',
      'R$ 1.234,50',
      '199 Kč',
      '30.01 ₪',
      '٣٫٥٠ $',
    ],
    ['12.50', 'free', '€', '€ NaN', '5 left'],
  ],
  [
    'date',
    [
      '2024-05-01',
      '1.5.2024',
      'May 1st, 2024',
      '1. Mai 2024',
      'Tuesday, May 5, 2024 at 10:30 am',
      '5 minutes ago',
      'vor 3 Tagen',
      'yesterday',
      '14 juillet 2024',
      'środa, 1 maja 2024',
      '٢١ يونيو ١٩٩٩',
      '2024年5月1日(水)',
      '5 минут назад',
      '20. 5. 2024 10:30',
      'قبل يومين',
    ],
    [
      '',
      'Invalid Date',
      '12',
      'soon',
      'NaN minutes ago',
      'updated by Anna 5 minutes ago',
      'NaN May 2024',
      '3 errors',
      'May',
    ],
  ],
  ['time', ['10:30', '10:30:05', '7:05 pm', 'just now', '10.30', '۱۰:۳۰'], ['', '10', 'Invalid Date']],
  ['€ \\d+', ['€ 12'], ['€ 12.50', 'about € 12', '€ 12 off']],
  ['a|b', ['a', 'b'], ['ab', 'c']],
])('%s allows whole texts only', (pattern, allowed, refused) => {
  expect(allowed.filter((text) => !allowsText(pattern, text))).toEqual([]);
  expect(refused.filter((text) => allowsText(pattern, text))).toEqual([]);
});

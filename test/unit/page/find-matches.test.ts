import { expect, test } from 'vitest';
import { nameMatches } from '../../../src/page/find-matches.js';

test.each<[what: string, texts: string[], names: string[]]>([
  [
    'the words of its text, in any language, without what a path cannot have',
    ['  Pro\n plan (new!) ', 'Größe 42', '価格', '../etc/passwd'],
    ['pro-plan-new', 'größe-42', '価格', 'etc-passwd'],
  ],
  [
    'the first words of a long text',
    ['This card has no heading and a text which is far too long'],
    ['this-card-has-no-heading-and-a-text'],
  ],
  [
    'its position if it has no text, and a number if it is not the first one',
    ['', 'Pro', '—', 'Pro', 'pro 2', 'Pro'],
    ['1', 'pro', '3', 'pro-2', 'pro-2-2', 'pro-3'],
  ],
])('an element is named by %s', (_, texts, names) => {
  expect(nameMatches(texts)).toEqual(names.map((name, index) => ({ name, index })));
});

test('an invisible element has no name, but counts for the index of those behind it', () => {
  expect(nameMatches([null, 'b'])).toEqual([{ name: 'b', index: 1 }]);
});

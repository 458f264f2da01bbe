import { expect, test } from 'vitest';
import { nameMatches } from '../../../src/page/find-matches.js';

const namesOf = (...texts: (string | null)[]) => nameMatches(texts).map(({ name }) => name);

test('an element is named by the words of its text, in any language, without what a path cannot have', () => {
  expect(namesOf('  Pro\n plan (new!) ', 'Größe 42', '価格', '../etc/passwd')).toEqual([
    'pro-plan-new',
    'größe-42',
    '価格',
    'etc-passwd',
  ]);
});

test('a long text is cut between two words', () => {
  expect(namesOf('This card has no heading and a text which is far too long')).toEqual([
    'this-card-has-no-heading-and-a-text',
  ]);
});

test('an element without a text is named by its position, and equal texts are numbered', () => {
  expect(namesOf('', 'Pro', '—', 'Pro', 'pro 2', 'Pro')).toEqual(['1', 'pro', '3', 'pro-2', 'pro-2-2', 'pro-3']);
});

test('an invisible element has no name, but counts for the index of those behind it', () => {
  expect(nameMatches(['a', null, 'b'])).toEqual([
    { name: 'a', index: 0 },
    { name: 'b', index: 2 },
  ]);
});

import { expect, test } from 'vitest';
import { parseComment } from '../../../src/commands/decide.js';
import { type Choice, renderComment, wordOf } from '../../../src/report/decision-comment.js';

/** Reads a comment as `proofsheet decide` does, one entry for each word. */
function read(comment: string): Choice[] {
  return parseComment(comment).flatMap(({ decision, all, groups, ids, reason, error }) => {
    expect(error).toBe(null);
    const words = [...(all ? ['all'] : []), ...groups, ...ids.map(wordOf)];
    return words.map((word) => ({ word: word ?? '', decision, reason: reason ?? '' }));
  });
}

const approve = (word: string): Choice => ({ word, decision: 'approved', reason: '' });
const reject = (word: string, reason = ''): Choice => ({ word, decision: 'rejected', reason });

test('choices with the same decision and reason are one line', () => {
  const choices = [approve('1'), approve('3'), approve('pricing'), reject('2', 'the price must stay'), approve('4')];
  expect(renderComment(choices)).toBe(
    '/proofsheet approve 1 3 pricing\n/proofsheet reject 2 "the price must stay"\n/proofsheet approve 4',
  );
  expect(renderComment([])).toBe('');
});

test.each([
  ['all', [approve('all')]],
  [
    'a name that is a number, a word of the grammar or has spaces',
    ['12', 'all', 'about us', ' a ', 'a b/c'].map(quote),
  ],
  [
    'rejections without a reason, whose last word could be read as one',
    ['about us', 'home', 'b c', 'd'].map((id) => reject(wordOf(id) ?? '')),
  ],
  ['a reason after a word in quotes', [reject('"about us"', 'too large'), reject('home', 'too large')]],
  ['names with other characters', ['a\\b', "it's", '-x', '/proofsheet', '#1', '@a', 'ä/ö', '`a`'].map(quote)],
])('proofsheet decide reads %s as it was chosen', (_, choices: Choice[]) => {
  expect(read(renderComment(choices))).toEqual(choices);
});

function quote(id: string): Choice {
  return approve(wordOf(id) ?? '');
}

test('a reason loses its quotation marks and line breaks, and is cut at 500 characters', () => {
  expect(read(renderComment([reject('home', ' say "no"\nto “this” ')]))).toEqual([
    reject('home', "say 'no' to 'this'"),
  ]);
  expect(read(renderComment([reject('home', 'x'.repeat(900))]))[0]?.reason).toHaveLength(500);
});

test.each(['say "no"', '“a”', 'a\nb', 'a\u2028b', 'a\u202eb', ' ', ''])('no word names %j', (id) => {
  expect(wordOf(id)).toBe(null);
});

test('random names and reasons come back', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const characters = [...'ab1 -/\\`\'"“”@#<|\u00a0\u202e\u3000ä'];
  const text = () => Array.from({ length: 1 + random(6) }, () => characters[random(characters.length)]).join('');
  const sorted = (choices: readonly Choice[]) => choices.map((choice) => JSON.stringify(choice)).sort();
  let count = 0;
  for (let round = 0; round < 500; round++) {
    const choices = Array.from({ length: 1 + random(5) }, () => {
      const word = random(3) === 0 ? String(random(30)) : wordOf(text());
      const reason = text().replace(/["“”]/g, "'").replace(/\s+/g, ' ').trim();
      return word === null ? [] : [random(2) === 0 ? approve(word) : reject(word, random(2) === 0 ? '' : reason)];
    }).flat();
    expect(sorted(read(renderComment(choices)))).toEqual(sorted(choices));
    count += choices.length;
  }
  expect(count).toBeGreaterThan(500);
});

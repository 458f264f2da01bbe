import { expect, test } from 'vitest';
import { createAnswerCache } from '../../../src/service/call-context.js';

const LIMITS = { ms: 1_000, answers: 3, characters: 1_000 };
const create = (limits = LIMITS, now = () => 1) => createAnswerCache<string>(limits, String, now);

test('a response is cached until it expires', () => {
  let time = 1;
  const cache = create(LIMITS, () => time);
  cache.put('a', 'one');
  time = 1_000;
  expect(cache.get('a')).toBe('one');
  time = 1_002;
  expect(cache.get('a')).toBe(null);
  expect(cache.get('b')).toBe(null);
});

test('the least recently used response is removed first', () => {
  const cache = create();
  for (const name of ['a', 'b', 'c']) cache.put(name, name);
  cache.get('a');
  cache.put('d', 'd');
  expect(['a', 'b', 'c', 'd'].map((name) => cache.get(name))).toEqual(['a', null, 'c', 'd']);
});

test('the cache does not exceed its size, and larger responses are not cached', () => {
  const cache = create();
  cache.put('a', 'x'.repeat(600));
  cache.put('b', 'y'.repeat(600));
  expect([cache.get('a'), cache.get('b')?.length]).toEqual([null, 600]);
  cache.put('b', 'z'.repeat(2_000));
  expect(cache.get('b')).toBe(null);
  // What went made room for what comes.
  for (let turn = 0; turn < 100; turn++) cache.put(`c${turn}`, 'x'.repeat(300));
  expect(['c97', 'c98', 'c99'].map((name) => cache.get(name)?.length)).toEqual([300, 300, 300]);
});

test('without a duration, nothing is cached', () => {
  const cache = create({ ...LIMITS, ms: 0 });
  cache.put('a', 'one');
  expect(cache.get('a')).toBe(null);
});

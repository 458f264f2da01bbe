import { expect, test } from 'vitest';
import { createRate } from '../../../src/service/http/authenticate.js';

test('a visitor may send a minute at once, and then one whenever one is forgotten', () => {
  let now = 0;
  const rate = createRate(3, () => now);
  expect([1, 2, 3, 4].map(() => rate.take('one'))).toEqual([null, null, null, 20]);
  expect(rate.take('another')).toBe(null);
  now = 19_000;
  expect(rate.take('one')).toBe(1);
  now = 20_000;
  expect([rate.take('one'), rate.take('one')]).toEqual([null, 20]);
  now = 10 * 60_000;
  expect([1, 2, 3, 4].map(() => rate.take('one'))).toEqual([null, null, null, 20]);
});

test('a refused request does not extend the wait', () => {
  let now = 0;
  const rate = createRate(1, () => now);
  expect([rate.take('one'), rate.take('one'), rate.take('one')]).toEqual([null, 60, 60]);
  now = 60_000;
  expect(rate.take('one')).toBe(null);
});

test('without a limit no request waits', () => {
  const rate = createRate(null, () => 0);
  expect(Array.from({ length: 100 }, () => rate.take('one')).every((wait) => wait === null)).toBe(true);
});

import { expect, test } from 'vitest';
import { borrowBytes, borrowZeros, returnBytes } from '../../../src/image/buffer-pool.js';

const MB = 1 << 20;

test('what was given back is lent again, to one at a time', () => {
  const first = borrowBytes(8 * MB);
  returnBytes(first);
  returnBytes(first);
  const [second, third] = [borrowBytes(7 * MB), borrowBytes(7 * MB)];
  expect(second.buffer).toBe(first.buffer);
  expect(second).toHaveLength(7 * MB);
  expect(third.buffer).not.toBe(first.buffer);
});

test('zeros are zeros, whatever was there', () => {
  const dirty = borrowBytes(3 * MB).fill(9);
  returnBytes(dirty);
  const zeros = borrowZeros(3 * MB);
  expect(zeros.buffer).toBe(dirty.buffer);
  expect(zeros.every((byte) => byte === 0)).toBe(true);
});

test('little is not given much', () => {
  const large = borrowBytes(40 * MB);
  returnBytes(large);
  expect(borrowBytes(2 * MB).buffer).not.toBe(large.buffer);
});

test('a pair that is a few rows taller has the memory of the one before', () => {
  const first = borrowBytes(1280 * 40_000);
  returnBytes(first);
  const taller = borrowBytes(1280 * 40_048);
  expect(taller.buffer).toBe(first.buffer);
  expect(taller).toHaveLength(1280 * 40_048);
});

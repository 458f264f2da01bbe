import { expect, test } from 'vitest';
import { borrowBytes, borrowZeros, returnBytes } from '../../../src/image/buffer-pool.js';

const MB = 1 << 20;

test('a returned buffer is borrowed again, by one caller at a time', () => {
  const first = borrowBytes(8 * MB);
  returnBytes(first);
  returnBytes(first);
  const [second, third] = [borrowBytes(7 * MB), borrowBytes(7 * MB)];
  expect(second.buffer).toBe(first.buffer);
  expect(second).toHaveLength(7 * MB);
  expect(third.buffer).not.toBe(first.buffer);
});

test('borrowed zeros are zeros, whatever the buffer contained', () => {
  const dirty = borrowBytes(3 * MB).fill(9);
  returnBytes(dirty);
  const zeros = borrowZeros(3 * MB);
  expect(zeros.buffer).toBe(dirty.buffer);
  expect(zeros.every((byte) => byte === 0)).toBe(true);
});

test('a small request does not get a much larger buffer', () => {
  const large = borrowBytes(40 * MB);
  returnBytes(large);
  expect(borrowBytes(2 * MB).buffer).not.toBe(large.buffer);
});

test('images that are a few rows taller reuse the buffers of the previous images', () => {
  const first = borrowBytes(1280 * 40_000);
  returnBytes(first);
  const taller = borrowBytes(1280 * 40_048);
  expect(taller.buffer).toBe(first.buffer);
  expect(taller).toHaveLength(1280 * 40_048);
});

import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { borrowBytes, borrowZeros, createMemorySemaphore, returnBytes } from '../../../src/image/buffer-pool.js';

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
  expect(borrowBytes(1280 * 40_048).buffer).toBe(first.buffer);
});

/** Creates work that takes a moment, and records the bytes in use. */
function createWork() {
  let now = 0;
  const seen: number[] = [];
  const work = (bytes: number) => async () => {
    now += bytes;
    seen.push(now);
    await pause(5);
    now -= bytes;
    return bytes;
  };
  return { work, seen };
}

describe('createMemorySemaphore', () => {
  test('runs work concurrently up to the maximum, and all of it in the end', async () => {
    const { take } = createMemorySemaphore(100);
    const { work, seen } = createWork();
    const bytes = [40, 40, 40, 10, 90, 30, 30, 30];
    expect(await Promise.all(bytes.map((size) => take(size, work(size))))).toEqual(bytes);
    expect(Math.max(...seen)).toBeLessThanOrEqual(100);
    expect(seen.slice(0, 2)).toEqual([40, 80]);
  });

  test('runs work that needs more than the maximum alone', async () => {
    const { take } = createMemorySemaphore(100);
    const { work, seen } = createWork();
    await Promise.all([50, 300, 50].map((size) => take(size, work(size))));
    expect(seen).toEqual([50, 300, 50]);
  });

  test('continues after work that failed', async () => {
    const { take } = createMemorySemaphore(100);
    const failing = take(100, async () => {
      throw new Error('it failed');
    });
    const after = take(100, async () => 'done');
    await expect(failing).rejects.toThrow('it failed');
    expect(await after).toBe('done');
  });
});

import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createMemorySemaphore } from '../../../src/image/buffer-pool.js';

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

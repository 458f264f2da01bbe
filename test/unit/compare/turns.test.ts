import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createMemorySemaphore } from '../../../src/compare/worker/memory-semaphore.js';

/** Works for a moment, and takes note of how many bytes are at work meanwhile. */
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

describe('turns', () => {
  test('let as much work at once as there is room for, and all of it in the end', async () => {
    const { take } = createMemorySemaphore(100);
    const { work, seen } = createWork();
    const bytes = [40, 40, 40, 10, 90, 30, 30, 30];
    expect(await Promise.all(bytes.map((size) => take(size, work(size))))).toEqual(bytes);
    expect(Math.max(...seen)).toBeLessThanOrEqual(100);
    expect(seen.slice(0, 2)).toEqual([40, 80]);
  });

  test('let what needs more than there is work alone', async () => {
    const { take } = createMemorySemaphore(100);
    const { work, seen } = createWork();
    await Promise.all([50, 300, 50].map((size) => take(size, work(size))));
    expect(seen).toEqual([50, 300, 50]);
  });

  test('go on after something that failed', async () => {
    const { take } = createMemorySemaphore(100);
    const failing = take(100, async () => {
      throw new Error('it failed');
    });
    const after = take(100, async () => 'done');
    await expect(failing).rejects.toThrow('it failed');
    expect(await after).toBe('done');
  });
});

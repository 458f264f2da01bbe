import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pause, withTimeLimit } from '../../../src/browser/time-limit.js';

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.setTimerTickMode('nextTimerAsync');
});
afterEach(() => {
  vi.useRealTimers();
  process.off('unhandledRejection', note);
});

test('work that ends in time returns its value or error, and leaves no timer', async () => {
  expect(await withTimeLimit(1_000, Promise.resolve('done'), () => 'late')).toBe('done');
  await expect(withTimeLimit(1_000, Promise.reject(new Error('its own')), () => 'late')).rejects.toThrow('its own');
  expect(vi.getTimerCount()).toBe(0);
});

test('work that takes longer ends with the value or the error of the limit', async () => {
  const startedAt = performance.now();
  expect(await withTimeLimit(50, new Promise(() => {}), () => 'late')).toBe('late');
  expect(performance.now() - startedAt).toBe(50);
  const failing = () => {
    throw new Error('too slow');
  };
  await expect(withTimeLimit(50, new Promise(() => {}), failing)).rejects.toThrow('too slow');
});

test('an error after the limit is not left unhandled', async () => {
  const late = pause(40).then(() => Promise.reject(new Error('late')));
  expect(await withTimeLimit(10, late, () => null)).toBeNull();
  await pause(80);
  expect(unhandled).toEqual([]);
});

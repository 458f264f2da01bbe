import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStopwatch, pause, withTimeLimit } from '../../../../src/page/browser/timing.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.setTimerTickMode('nextTimerAsync');
});
afterEach(() => void vi.useRealTimers());

test('work that ends in time returns its value or error, and leaves no timer; what takes longer ends with the limit', async () => {
  expect(await withTimeLimit(1_000, Promise.resolve('done'), () => 'late')).toBe('done');
  await expect(withTimeLimit(1_000, Promise.reject(new Error('its own')), () => 'late')).rejects.toThrow('its own');
  expect(vi.getTimerCount()).toBe(0);
  const startedAt = performance.now();
  expect(await withTimeLimit(50, new Promise(() => {}), () => 'late')).toBe('late');
  expect(performance.now() - startedAt).toBe(50);
});

test('an error after the limit is not left unhandled', async () => {
  const unhandled = vi.fn();
  process.once('unhandledRejection', unhandled);
  const late = pause(40).then(() => Promise.reject(new Error('late')));
  expect(await withTimeLimit(10, late, () => null)).toBeNull();
  await pause(80);
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test('a stopwatch adds up the phases and the waits of a shot, also of work that fails', async () => {
  const stopwatch = createStopwatch();
  expect(await stopwatch.time('navigate', Promise.resolve('loaded'))).toBe('loaded');
  for (const ms of [30, 20]) await stopwatch.time('navigate', pause(ms));
  await stopwatch.settle('fonts', pause(15));
  stopwatch.addWait('fonts', 5.4);
  stopwatch.addWait('images', 0.3);
  const failing = pause(7).then(() => Promise.reject(new Error('its own')));
  await expect(stopwatch.time('compare', failing)).rejects.toThrow('its own');
  expect(stopwatch.read()).toEqual({
    ...{ queue: 0, navigate: 50, settle: { fonts: 20 }, screenshot: 0, compare: 7, write: 0 },
  });
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDeadline } from '../../../src/page/deadline.js';

const URL_OF_PAGE = 'http://user:hunter2@127.0.0.1:4173/slow';
const later = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), ms));
const never = new Promise<never>(() => {});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.setTimerTickMode('nextTimerAsync');
});
afterEach(() => void vi.useRealTimers());

test('the remaining time, or a share of it, is an integer, because Playwright prints it, and never 0, which means no limit', async () => {
  const deadline = createDeadline(1000, URL_OF_PAGE);
  expect(deadline.remainingMs()).toBe(1000);
  await later(20, null);
  expect(deadline.remainingMs()).toBe(980);
  expect(createDeadline(3606.8784731, URL_OF_PAGE).remainingMs(1 / 3)).toBe(1202);
  expect([deadline.remainingMs(0), createDeadline(-100, URL_OF_PAGE).remainingMs()]).toEqual([1, 1]);
});

test('a step has only the time that earlier steps left, and is named in the error, with the page and the timeout', async () => {
  const startedAt = performance.now();
  const deadline = createDeadline(1000, URL_OF_PAGE);
  await deadline.race('loading the page', later(600, null));
  await expect(deadline.race('taking the screenshot', never)).rejects.toMatchObject({
    code: 'page-timeout',
    message:
      'http://***@127.0.0.1:4173/slow: timeout of 1 s exceeded while taking the screenshot. ' +
      'Raise `timeout`, or find out what the page waits for.',
  });
  expect(performance.now() - startedAt).toBe(1000);
});

test('a step ends when an event of its deadline rejects, and other steps do not', async () => {
  const deadline = createDeadline(1000, URL_OF_PAGE);
  const navigated = later(5, null).then(() => Promise.reject(new Error('navigated')));
  await expect(deadline.until(navigated).race('waiting', never)).rejects.toThrow('navigated');
  expect(await deadline.race('waiting', later(5, 'done'))).toBe('done');
});

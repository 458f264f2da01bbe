import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDeadline, timedOut } from '../../../src/page/deadline.js';

const URL_OF_PAGE = 'http://user:hunter2@127.0.0.1:4173/slow';
const later = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), ms));
const never = new Promise<never>(() => {});

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

test('the remaining time, or a share of it, is an integer of at least 1 ms, because Playwright prints it', () => {
  const deadline = createDeadline(3606.8784731, URL_OF_PAGE);
  for (const share of [1, 1 / 2, 1 / 3, 0]) {
    expect(Number.isInteger(deadline.remainingMs(share))).toBe(true);
    expect(deadline.remainingMs(share)).toBeGreaterThanOrEqual(1);
  }
});

describe('a step', () => {
  test('that ends in time resolves or rejects with its own value or error', async () => {
    const deadline = createDeadline(5000, URL_OF_PAGE);
    expect(await deadline.race('waiting', later(5, 'done'))).toBe('done');
    await expect(deadline.race('waiting', Promise.reject(new Error('its own')))).rejects.toThrow('its own');
  });

  test('that exceeds the timeout is named in the error, with the page and the timeout', async () => {
    const startedAt = performance.now();
    const race = createDeadline(50, URL_OF_PAGE).race('waiting for fonts and images', never);
    await expect(race).rejects.toMatchObject({
      code: 'page-timeout',
      message:
        'http://***@127.0.0.1:4173/slow: timeout of 0.05 s exceeded while waiting for fonts and images. ' +
        'Raise `timeout`, or find out what the page waits for.',
    });
    expect(performance.now() - startedAt).toBe(50);
  });

  test('has only the time that earlier steps left', async () => {
    const startedAt = performance.now();
    const deadline = createDeadline(1000, URL_OF_PAGE);
    await deadline.race('loading the page', later(600, null));
    await expect(deadline.race('taking the screenshot', never)).rejects.toThrow('while taking the screenshot');
    expect(performance.now() - startedAt).toBe(1000);
  });

  test('that starts after the deadline fails immediately', async () => {
    const deadline = createDeadline(0, URL_OF_PAGE);
    await later(5, null);
    await expect(deadline.race('taking the screenshot', never)).rejects.toThrow('timeout of 0 s exceeded while taking');
  });

  test('that fails after the deadline passed is not left unhandled', async () => {
    const late = later(40, null).then(() => Promise.reject(new Error('late')));
    await expect(createDeadline(10, URL_OF_PAGE).race('loading the page', late)).rejects.toThrow('while loading');
    await later(80, null);
    expect(unhandled).toEqual([]);
  });

  test('that is done leaves no timer, and does not keep the process alive', async () => {
    const deadline = createDeadline(60_000, URL_OF_PAGE);
    await deadline.race('loading the page', Promise.resolve());
    await deadline.race('loading the page', Promise.reject(new Error('x'))).catch(() => {});
    expect(vi.getTimerCount()).toBe(0);
    expect(unhandled).toEqual([]);
  });
});

describe('the remaining time', () => {
  test('starts at the timeout and decreases', async () => {
    const deadline = createDeadline(1000, URL_OF_PAGE);
    expect(deadline.remainingMs()).toBe(1000);
    await later(20, null);
    expect(deadline.remainingMs()).toBe(980);
  });

  test('is never 0, because 0 means no limit in Playwright', async () => {
    for (const timeoutMs of [0, 5, -100]) {
      const deadline = createDeadline(timeoutMs, URL_OF_PAGE);
      await later(10, null);
      expect(deadline.remainingMs()).toBe(1);
    }
  });
});

test('the page-timeout error names the timeout in seconds', () => {
  expect(timedOut('http://127.0.0.1/', 30_000, 'loading the page').problem.found).toBe(
    'timeout of 30 s exceeded while loading the page',
  );
});

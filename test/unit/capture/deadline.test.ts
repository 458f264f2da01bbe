import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDeadline, timedOut } from '../../../src/capture/deadline.js';

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

test('what is left is whole milliseconds, also of a share, and never nothing: Playwright prints it', () => {
  const deadline = createDeadline(3606.8784731, URL_OF_PAGE);
  for (const share of [1, 1 / 2, 1 / 3, 0]) {
    expect(Number.isInteger(deadline.remainingMs(share))).toBe(true);
    expect(deadline.remainingMs(share)).toBeGreaterThanOrEqual(1);
  }
});

describe('a step', () => {
  test('that ends in time gives what it gives, and its own error', async () => {
    const deadline = createDeadline(5000, URL_OF_PAGE);
    expect(await deadline.race('waiting', later(5, 'done'))).toBe('done');
    await expect(deadline.race('waiting', Promise.reject(new Error('its own')))).rejects.toThrow('its own');
  });

  test('that does not is named in the error, with the page and the time it had', async () => {
    const startedAt = performance.now();
    const race = createDeadline(50, URL_OF_PAGE).race('waiting for fonts and images', never);
    await expect(race).rejects.toMatchObject({
      code: 'page-timeout',
      message:
        'http://***@127.0.0.1:4173/slow: not captured within 0.05 s: it ended while waiting for fonts and images. ' +
        'Raise `timeout` if the page is this slow, else look at what it waits for.',
    });
    expect(performance.now() - startedAt).toBe(50);
  });

  test('has what the steps before it left, not the whole time again', async () => {
    const startedAt = performance.now();
    const deadline = createDeadline(1000, URL_OF_PAGE);
    await deadline.race('loading the page', later(600, null));
    await expect(deadline.race('taking the image', never)).rejects.toThrow('while taking the image');
    expect(performance.now() - startedAt).toBe(1000);
  });

  test('that begins after the end fails at once', async () => {
    const deadline = createDeadline(0, URL_OF_PAGE);
    await later(5, null);
    await expect(deadline.race('taking the image', never)).rejects.toThrow('within 0 s: it ended while taking');
  });

  test('that fails after the deadline passed is not left unhandled', async () => {
    const late = later(40, null).then(() => Promise.reject(new Error('late')));
    await expect(createDeadline(10, URL_OF_PAGE).race('loading the page', late)).rejects.toThrow('while loading');
    await later(80, null);
    expect(unhandled).toEqual([]);
  });

  test('that is done leaves no timer that fires later, and keeps no process alive', async () => {
    const deadline = createDeadline(60_000, URL_OF_PAGE);
    await deadline.race('loading the page', Promise.resolve());
    await deadline.race('loading the page', Promise.reject(new Error('x'))).catch(() => {});
    expect(vi.getTimerCount()).toBe(0);
    expect(unhandled).toEqual([]);
  });
});

describe('the time that is left', () => {
  test('is at first the whole, and becomes less', async () => {
    const deadline = createDeadline(1000, URL_OF_PAGE);
    expect(deadline.remainingMs()).toBe(1000);
    await later(20, null);
    expect(deadline.remainingMs()).toBe(980);
  });

  test('is never 0, which Playwright takes for no limit', async () => {
    for (const timeoutMs of [0, 5, -100]) {
      const deadline = createDeadline(timeoutMs, URL_OF_PAGE);
      await later(10, null);
      expect(deadline.remainingMs()).toBe(1);
    }
  });
});

test('the error of a page that is too slow tells seconds', () => {
  expect(timedOut('http://127.0.0.1/', 30_000, 'loading the page').problem.found).toBe(
    'not captured within 30 s: it ended while loading the page',
  );
});

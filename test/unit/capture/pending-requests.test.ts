import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDeadline } from '../../../src/capture/deadline.js';
import type { Exchange } from '../../../src/capture/network.js';
import { isPolling } from '../../../src/capture/network.js';
import {
  createPendingWork,
  type LongPolls,
  type Patience,
  unsettledExchanges,
} from '../../../src/capture/stabilize/pending-requests.js';

const exchange = (more: Partial<Exchange>): Exchange => ({
  key: 'GET http://127.0.0.1/api?a',
  path: 'GET http://127.0.0.1/api',
  askedAt: 0,
  answeredAt: null,
  endedAt: null,
  isByScript: true,
  isCode: false,
  isOk: false,
  ...more,
});
const answered = (at: number, more: Partial<Exchange> = {}) =>
  exchange({ answeredAt: at, endedAt: at, isOk: true, ...more });

test('a request is awaited until scripts could react to its response', () => {
  expect(unsettledExchanges([exchange({})], 1_000)).toHaveLength(1);
  expect(unsettledExchanges([answered(990)], 1_000)).toHaveLength(1);
  expect(unsettledExchanges([answered(900)], 1_000)).toEqual([]);
  expect(unsettledExchanges([answered(990, { isByScript: false })], 1_000)).toEqual([]);
});

test('a body that no script reads is awaited for a moment', () => {
  expect(unsettledExchanges([exchange({ answeredAt: 900 })], 1_000)).toHaveLength(1);
  expect(unsettledExchanges([exchange({ answeredAt: 500 })], 1_000)).toEqual([]);
});

test('a request that was answered before and is repeated is polling', () => {
  const first = answered(100);
  const second = exchange({ askedAt: 200 });
  expect([first, second].map((one) => isPolling(one, [first, second]))).toEqual([false, true]);
});

test('requests that differ only in the query are polling from the third one', () => {
  const all = ['a', 'b', 'c'].map((key, index) => answered(100 * index + 50, { key, askedAt: 100 * index }));
  expect(all.map((one) => isPolling(one, all))).toEqual([false, false, true]);
});

test('requests that are made at the same time, or again after a failure, are not polling', () => {
  expect(isPolling(exchange({ askedAt: 50 }), [answered(100)])).toBe(false);
  expect(isPolling(exchange({ askedAt: 200 }), [answered(100, { isOk: false })])).toBe(false);
});

// Waits are measured on a clock that a busy machine does not slow down.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.setTimerTickMode('nextTimerAsync');
});
afterEach(() => {
  vi.useRealTimers();
});

function pendingWork(exchanges: () => readonly Exchange[], lateMs = 0, aheadMs = 0, longPolls: LongPolls = new Map()) {
  const change = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const network = { exchanges, hasSockets: () => false, change };
  const readTimers = async () => aheadMs;
  return createPendingWork(network, readTimers, {
    lateMs,
    longPolls,
    deadline: createDeadline(30_000, 'http://127.0.0.1/'),
  });
}

test('a request that stays open is waited for up to the cap, and on later pages for less', async () => {
  const longPolls: LongPolls = new Map();
  const wait = async (patience: Patience) => {
    const start = performance.now();
    await pendingWork(() => [exchange({})], 0, 0, longPolls).settled(patience);
    return Math.round((performance.now() - start) / 100) / 10;
  };
  expect(await wait('short'), 'seconds').toBe(2);
  expect(await wait('short'), 'seconds on a later page').toBe(0.5);
  expect(await wait('long'), 'seconds where two were not much').toBe(15);
  expect(await wait('long'), 'seconds on a later page').toBe(0.5);
  expect(await wait('short'), 'seconds on a later page').toBe(0.5);
});

test('a style sheet or a script counts only in a long wait, until its body has arrived', async () => {
  const code = { isByScript: false, isCode: true };
  expect(unsettledExchanges([exchange({ ...code, answeredAt: 100 })], 10_000)).toHaveLength(1);
  expect(unsettledExchanges([answered(990, code)], 1_000)).toHaveLength(1);
  expect(unsettledExchanges([answered(900, code)], 1_000)).toEqual([]);
  const work = pendingWork(() => [exchange({ ...code, answeredAt: 0 })]);
  expect(await work.isPendingSince(0, 'short')).toBe(false);
  expect(await work.isPendingSince(0, 'long')).toBe(true);
});

test('polling is awaited as long as a known long poll', async () => {
  const start = performance.now();
  await pendingWork(() => [answered(1), exchange({ askedAt: 2 })]).settled('long');
  expect(performance.now() - start).toBeLessThan(1_500);
});

test('timers count only if the list sets `late`', async () => {
  expect(await pendingWork(() => [], 0, 500).isPendingSince(0, 'short')).toBe(false);
  expect(await pendingWork(() => [], 3_000, 500).isPendingSince(0, 'short')).toBe(true);
  expect(await pendingWork(() => [], 3_000, 0).isPendingSince(0, 'short')).toBe(false);
});

import { describe, expect, test } from 'vitest';
import { type LineStyle, type Progress, renderProgress } from '../../../src/report/render-progress.js';

const PLAIN: LineStyle = { columns: null, hasColors: false };
const render = (progress: Partial<Progress>, style = PLAIN) =>
  renderProgress({ done: 120, total: 300, failed: 0, elapsedMs: 120_000, ...progress }, style);

test('a line tells count, failures and the time that is left at the pace so far', () => {
  expect(render({})).toBe('proofsheet: 120 of 300 tests, about 3 min left');
  expect(render({ failed: 3 })).toBe('proofsheet: 120 of 300 tests, 3 failed, about 3 min left');
  expect(render({ done: 1_200, total: 3_000, failed: 1_100 })).toBe(
    'proofsheet: 1,200 of 3,000 tests, 1,100 failed, about 3 min left',
  );
});

test.each([
  [59_000, '59 s'],
  [400, '1 s'],
  [59_100, '1 min'],
  [61_000, '1 min 10 s'],
  [119_000, '2 min'],
  [3_599_000, '1 h 0 min'],
  [3_660_000, '1 h 1 min'],
])('%i ms are told as %s, never as less than they are', (ms, told) => {
  // One of eleven is left: a tenth of the time that has passed.
  const elapsedMs = 10 * ms;
  expect(render({ done: 10, total: 11, elapsedMs })).toBe(`proofsheet: 10 of 11 tests, about ${told} left`);
});

describe('no time is told', () => {
  test.each([
    ['before enough is done to know it', { done: 2 }],
    ['in the first moments', { elapsedMs: 1_900 }],
    ['when all is done', { done: 300 }],
  ])('%s', (_, progress) => {
    expect(render(progress)).not.toContain('left');
  });
});

test('what does not fit the line is cut, and has no colour then', () => {
  const line = render({ failed: 3 }, { columns: 30, hasColors: true });
  expect(line).toBe('proofsheet: 120 of 300 tests, ');
  expect(line).toHaveLength(30);
});

test('failures have a colour only where that is wanted', () => {
  const red = '\u001b[31m3 failed\u001b[39m';
  expect(render({ failed: 3 }, { columns: 79, hasColors: true })).toContain(red);
  expect(render({ failed: 3 }, { columns: 79, hasColors: false })).not.toContain('\u001b');
  expect(render({}, { columns: 79, hasColors: true })).not.toContain('\u001b');
});

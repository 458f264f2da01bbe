import { setImmediate as moment } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { openProgress, type RunTest, type Terminal } from '../../../src/faces/playwright/reporter-progress.js';
import { DECLARED_ANNOTATION } from '../../../src/record/wire.js';
import { rowsOf } from './terminal.js';

let clock: number;
let sent: { stdout: string; stderr: string };

beforeEach(() => {
  clock = 0;
  sent = { stdout: '', stderr: '' };
});

const streamTo = (name: 'stdout' | 'stderr', isTTY: boolean) => ({
  isTTY,
  columns: 80,
  hasColors: () => true,
  write: (chunk: string | Uint8Array) => {
    sent[name] += chunk.toString();
    return true;
  },
});
const terminal = (isTTY: boolean, env: NodeJS.ProcessEnv = {}): Terminal => {
  return { stdout: streamTo('stdout', isTTY), stderr: streamTo('stderr', isTTY), env, now: () => clock };
};
const listed = (id: string, expectedStatus: RunTest['expectedStatus'] = 'passed'): RunTest => {
  return { id, expectedStatus, annotations: [{ type: DECLARED_ANNOTATION, description: '{}' }] };
};
const tests = Array.from({ length: 100 }, (_, index) => listed(`page-${index}`));
const run = async (on: Terminal, count: number, eachMs: number, of = tests) => {
  const progress = openProgress(of, on);
  for (const one of of.slice(0, count)) {
    clock += eachMs;
    progress.ended(one, { status: one.id === 'page-3' ? 'failed' : 'passed' });
  }
  await moment();
  return progress;
};

test('in a terminal one line tells count, failures and time left; closed, it is gone', async () => {
  const progress = await run(terminal(true), 40, 1_000);
  const row = 'proofsheet: 40 of 100 tests, 1 failed, about 1 min left';
  expect(rowsOf(sent.stderr)).toEqual([row]);
  expect(sent.stderr).toContain('\u001b[31m1 failed');
  progress.close();
  expect(rowsOf(sent.stderr)).toEqual([]);
  expect(sent.stdout).toBe('');
});

test.each([
  ['NO_COLOR=1', { NO_COLOR: '1' }, false],
  ['NO_COLOR empty', { NO_COLOR: '' }, true],
])('under %s colours are as asked', async (_, env, hasColour) => {
  await run(terminal(true, env), 40, 1_000);
  expect(sent.stderr.includes('\u001b[31m')).toBe(hasColour);
  expect(sent.stderr).toContain('1 failed');
});

describe.each([
  ['where there is no terminal, as in CI', false, {}],
  ['in a terminal that can erase nothing', true, { TERM: 'dumb' }],
])('%s', (_, isTTY, env) => {
  test('plain lines tell it every half minute, without a command among them', async () => {
    const progress = await run(terminal(isTTY, env), 100, 1_000);
    progress.close();
    expect(sent.stderr).toBe(
      [30, 60, 90]
        .map((done) => `proofsheet: ${done} of 100 tests, 1 failed, about ${told(100 - done)} left\n`)
        .join(''),
    );
  });

  test('a short run says nothing', async () => {
    await run(terminal(isTTY, env), 100, 200);
    expect(sent.stderr).toBe('');
  });
});

test('a test that is tried again is counted once, by its last attempt; a skipped one is not waited for', async () => {
  const of = [listed('page-3'), listed('later', 'skipped'), listed('home'), listed('about')];
  const progress = await run(terminal(true), 2, 1_000, of);
  expect(rowsOf(sent.stderr)).toEqual(['proofsheet: 1 of 3 tests, 1 failed']);
  progress.ended(listed('page-3'), { status: 'passed' });
  await moment();
  expect(rowsOf(sent.stderr)).toEqual(['proofsheet: 1 of 3 tests']);
});

test('a run without listed pages is not told of, and its streams are left alone', async () => {
  const on = terminal(true);
  const { write } = on.stderr;
  const progress = openProgress([{ ...listed('mine'), annotations: [] }], on);
  progress.ended(listed('mine'), { status: 'failed' });
  await moment();
  expect(sent.stderr).toBe('');
  expect(on.stderr.write).toBe(write);
});

function told(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : '1 min 10 s';
}

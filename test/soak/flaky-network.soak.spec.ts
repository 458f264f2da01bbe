import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { root } from '../e2e/project.js';

/** The parts of the benchmark's result that the test reads. */
interface FlakyResult {
  readonly summary: {
    readonly shots: number;
    readonly falseChanged: number;
    readonly wrongBaselines: number;
    readonly leftOut: number;
  };
  readonly runs: readonly { readonly name: string; readonly troubles: { readonly dropped: number } }[];
}

test('6 pages on a bad network, 3 runs: no false `changed`, no wrong baseline', () => {
  test.setTimeout(1_200_000);
  const args = ['test/bench/flaky.mjs', '--own', '6', '--unseen', '0', '--runs', '3'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });

  const path = join(root, '.tmp/flaky/result.json');
  const { summary, runs }: FlakyResult = JSON.parse(readFileSync(path, 'utf8'));
  expect(runs.map(({ name }) => name).join()).toBe('1-compare,1-write,2-compare,2-write,3-compare,3-write');
  expect(summary, stderr).toMatchObject({ shots: 36, leftOut: 0 });
  expect(runs.reduce((sum, { troubles }) => sum + troubles.dropped, 0)).toBeGreaterThan(0);
  expect(summary, stdout).toMatchObject({ falseChanged: 0, wrongBaselines: 0 });
});

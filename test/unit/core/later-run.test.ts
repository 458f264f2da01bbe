import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRun } from '../../../src/baselines/read-run.js';
import { describeLaterRun } from '../../../src/core/review/read-report.js';
import { finishRun } from './finished-run.js';

test('a run that captured after the reported one and wrote no report is named with both times', async () => {
  const { root, folder } = await finishRun([{ id: 'home', status: 'passed', before: '#ff0000', after: '#ff0000' }]);
  const run = await readRun(folder);
  expect(await describeLaterRun(root, run), 'there is nothing to see').toBeNull();
  const locks = join(root, 'test-results/.proofsheet/locks/4711');
  mkdirSync(locks, { recursive: true });
  const end = (Date.parse(run.startedAt) + run.durationMs) / 1000;
  utimesSync(locks, end - 1, end - 1);
  expect(await describeLaterRun(root, run), 'it is of the reported run').toBeNull();
  utimesSync(locks, end + 60, end + 60);
  expect(await describeLaterRun(root, run)).toMatch(
    /ended at \d{4}-.* UTC\. A later run \(\d{4}-.* UTC\) wrote no report/,
  );
  const fetchTime = new Date((end + 61) * 1000).toISOString();
  const shots = run.shots.map((shot) => ({
    ...shot,
    capture: { status: 'success' as const, fetchTime, message: '', url: '', width: 1, height: 1, link: null },
  }));
  expect(await describeLaterRun(root, { ...run, shots }), 'shards that were merged').toBeNull();
});

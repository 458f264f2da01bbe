import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { root } from '../e2e/project.js';

/** The parts of the benchmark's result that the test reads. */
interface StillResult {
  readonly runs: readonly {
    readonly name: string;
    readonly results: readonly { readonly page: string; readonly status: string; readonly reason: string | null }[];
  }[];
}

/**
 * Pages whose own style sheets and scripts race each other while they load. Each load has one of two renderings, by chance, so two
 * loads can agree on the one that is not the baseline: docs/benchmarks.md.
 */
const RACES = ['0513Tim+after@3f135e5/index.html', '3D-Dev+noot@8e36cdb/buttons.html'];

test('25 real pages that were never used during development: no run says that an unchanged page changed', () => {
  test.setTimeout(1_200_000);
  // Without GitHub, UNSEEN_SNAPSHOTS names a folder with the repositories.
  const args = ['test/bench/still.mjs', '--pages', 'unseen', '--count', '25', '--rounds', '2'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  const cannotBring = /Could not resolve host|unable to access 'https:\/\/github\.com/.test(stderr);
  test.skip(cannotBring, 'the pages cannot be had: GitHub is out of reach and UNSEEN_SNAPSHOTS is not set');

  const path = join(root, '.tmp/still/unseen/result.json');
  const { runs }: StillResult = JSON.parse(readFileSync(path, 'utf8'));
  expect(runs.map(({ name }) => name)).toEqual(['baselines', 'round 1', 'round 2']);
  for (const { name, results } of runs) expect(results, name).toHaveLength(25);
  const changed = runs.flatMap(({ name, results }) =>
    results
      .filter(({ status, page }) => status === 'changed' && !RACES.includes(page))
      .map(({ page, reason }) => `${name}: ${page}: ${reason}`),
  );
  expect(changed, stdout).toEqual([]);
});

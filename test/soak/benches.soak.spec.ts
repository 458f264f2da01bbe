import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { root } from '../e2e/project.js';

/** Specimens of `test/bench/whole` whose changes are all found: below the window, late, and moving. */
const FOUND =
  '^(frame|visibility|fixed|hides|inner|virtual|closes|late|stream|resource|module|timer|paused|smil|browser|video|moves|fifth-reveal|fifth-snapped|fourth-rail-lazy|fourth-rail-visibility)(-|$)';

/** Small runs of benchmarks, which end with 0 if nothing is wrong, and a line that each prints. */
const BENCHES = [
  {
    title: '13 pages of packages that do not change: no false alarm',
    args: ['still', '--pages', 'known', '--count', '13', '--rounds', '2'],
    says: /13 pages, 2 rounds: 0 changed/,
  },
  {
    // Without GitHub, UNSEEN_SNAPSHOTS names a folder with the repositories. Two pages have one of two renderings in each load, by chance.
    title: '25 pages that were never used during development: no false alarm',
    args: ['still', '--pages', 'unseen', '--count', '25', '--rounds', '2', '--match', '^(?!0513Tim|3D-Dev)'],
    says: /25 pages, 2 rounds: 0 changed/,
  },
  {
    title: '6 pages on a bad network: no false `changed`, no wrong baseline',
    args: ['flaky', '--own', '6', '--unseen', '0', '--runs', '3'],
    says: /0 false changed, 0 wrong baselines, .* in 36 shots; 0 pages left out/,
  },
  {
    title: 'what changes below the window, late, or in a page that moves is found, also while all cores are busy',
    args: ['whole', '--tool', 'proofsheet', '--only', FOUND],
    says: /proofsheet: the others/,
  },
];

for (const { title, args, says } of BENCHES)
  test(title, () => {
    test.setTimeout(1_800_000);
    const [bench, ...options] = args;
    const run = spawnSync(process.execPath, [`test/bench/${bench}.mjs`, ...options], { cwd: root, encoding: 'utf8' });
    const cannotBring = /Could not resolve host|unable to access 'https:\/\/github\.com/.test(run.stderr);
    test.skip(cannotBring, 'the pages cannot be had: GitHub is out of reach and UNSEEN_SNAPSHOTS is not set');
    expect(run.stdout, run.stderr).toMatch(says);
    expect(run.status, run.stdout).toBe(0);
  });

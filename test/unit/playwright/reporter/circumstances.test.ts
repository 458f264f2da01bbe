import { expect, test } from 'vitest';
import { outputDirsOf, readOnlyChanged, readWords } from '../../../../src/playwright/reporter/circumstances.js';

test.each([
  ['test', []],
  ['test -u --project two', ['-u', '--project', 'two']],
  ['test a.spec.ts -- --token=secret', ['a.spec.ts', '--']],
  ['test-server -c playwright.config.ts', ['test-server', '-c', 'playwright.config.ts']],
  ['merge-reports ./blobs', []],
])('the options of: playwright %s', (line, words) => {
  expect(readWords(['node', '/x/cli.js', ...line.split(' ')])).toEqual(words);
  expect(readWords(['node', 'cli.js', 'test', 'home page'])).toEqual(['"home page"']);
});

test.each([
  ['--only-changed', 'HEAD'],
  ['--only-changed --headed', 'HEAD'],
  ['--only-changed=main', 'main'],
  ['--only-changed main', 'main'],
  ['--headed', null],
])('the commit of %s: %s', (flags, commit) => {
  expect(readOnlyChanged(['node', 'playwright', 'test', ...flags.split(' ')])).toBe(commit);
});

test("the output folders of the projects are relative to the config, and Playwright's default is not named", () => {
  const dirs = (outputDirs: string[], configFile: string | undefined = '/repo/e2e/playwright.config.ts') =>
    outputDirsOf({ configFile, rootDir: '/repo/tests', projects: outputDirs.map((outputDir) => ({ outputDir })) });
  expect(dirs(['/repo/e2e/test-results', '/repo/e2e/test-results'])).toEqual({});
  expect(dirs(['/repo/e2e/out/a', '/repo/b', '/repo/e2e/out/a'])).toEqual({ outputDirs: ['out/a', '../b'] });
});

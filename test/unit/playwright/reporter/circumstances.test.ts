import { execFileSync } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { outputDirsOf, readWords, renderOnlyChangedNotice } from '../../../../src/playwright/reporter/circumstances.js';
import { makeTempFolder } from '../../temp-folder.js';

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

describe('--only-changed', () => {
  const [SPEC, LIST] = ['visual.spec.ts', 'pages.yaml'];
  let folder: string;

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const noticeOf = (...flags: string[]) =>
    renderOnlyChangedNotice({ file: join(folder, LIST), spec: join(folder, SPEC), list: LIST, shots: 12 }, [
      ...['node', 'playwright', 'test', ...flags],
    ]);

  beforeEach(() => {
    folder = realpathSync(makeTempFolder());
    git('init');
    write(SPEC, 'one');
    write(LIST, 'one');
    git('add', '.');
    git('commit', '-m', 'one');
  });

  test('a notice names a changed or untracked list whose spec did not change, and its shots', () => {
    expect(noticeOf('--only-changed')).toBeNull();
    write(LIST, 'two');
    expect(noticeOf('--only-changed')).toBe(
      'pages.yaml changed since HEAD, but --only-changed does not check page lists. ' +
        '12 shots of pages.yaml did NOT run, unless their spec imports a changed file. Run again without --only-changed.',
    );
    expect(noticeOf(), 'without the option all tests run').toBeNull();
    git('commit', '-am', 'two');
    for (const flags of [['--only-changed'], ['--only-changed', '--headed']]) expect(noticeOf(...flags)).toBeNull();
    for (const flags of [['--only-changed=HEAD~1'], ['--only-changed', 'HEAD~1']])
      expect(noticeOf(...flags)).toContain('since HEAD~1');
    write(SPEC, 'two');
    expect(noticeOf('--only-changed=HEAD~1'), 'the spec runs').toBeNull();
    git('rm', '--cached', LIST);
    git('commit', '-am', 'without');
    expect(noticeOf('--only-changed')).toContain('pages.yaml changed since HEAD');
  });
});

test("the output folders of the projects are relative to the config, and Playwright's default is not named", () => {
  const dirs = (outputDirs: string[], configFile: string | undefined = '/repo/e2e/playwright.config.ts') =>
    outputDirsOf({ configFile, rootDir: '/repo/tests', projects: outputDirs.map((outputDir) => ({ outputDir })) });
  expect(dirs(['/repo/e2e/test-results', '/repo/e2e/test-results'])).toEqual({});
  expect(dirs(['/repo/e2e/out/a', '/repo/b', '/repo/e2e/out/a'])).toEqual({ outputDirs: ['out/a', '../b'] });
  expect(outputDirsOf({ rootDir: '/repo/tests', projects: [{ outputDir: '/repo/tests/out' }] })).toEqual({
    outputDirs: ['out'],
  });
});

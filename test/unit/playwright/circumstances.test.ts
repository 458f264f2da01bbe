import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outputDirsOf, readFilters, renderOnlyChangedNotice } from '../../../src/playwright/reporter/circumstances.js';

const read = (line: string) => readFilters(['node', '/x/cli.js', ...line.split(' ')]);

test.each([
  ['test', []],
  ['test --grep @smoke', ['--grep @smoke']],
  ['test --grep=a=b -g @smoke -G@slow', ['--grep a=b', '--grep @smoke', '--grep-invert @slow']],
  ['test --project chromium phone --workers 4', ['--project chromium phone']],
  ['test --project=chromium visual.spec.ts', ['--project chromium', 'visual.spec.ts']],
  ['test --shard 1/3 --last-failed -x', ['--shard 1/3', '--last-failed']],
  ['test --only-changed --headed', ['--only-changed']],
  ['test --only-changed=main tests/a.spec.ts:7', ['--only-changed main', 'tests/a.spec.ts:7']],
  ['test --test-list list.txt --reporter line -c other.config.ts -j2 -u all', ['--test-list list.txt']],
  ['test --retries 2 --trace on --update-snapshots=all', []],
  ['test a.spec.ts -- --grep mine', ['a.spec.ts']],
  // Before Playwright 1.59, this option has no value.
  ['test --debug a.spec.ts', ['a.spec.ts']],
  ['test -xgsmoke -xG slow', ['--grep smoke', '--grep-invert slow']],
  ['test --ui --workers 2', ['--ui']],
  ['test --ui-host=0.0.0.0 --ui-port 8080', ['--ui-host 0.0.0.0', '--ui-port 8080']],
  // An option of a later version of Playwright: it may select tests.
  ['test --only-smoke --headed', ['--only-smoke']],
  ['test --pick=smoke', ['--pick smoke']],
  ['test-server -c playwright.config.ts', ['test-server']],
  ['merge-reports ./blobs', []],
])('playwright %s', (line, filters) => {
  expect(read(line)).toEqual(filters);
});

test('a filter with spaces is quoted', () => {
  expect(readFilters(['node', 'cli.js', 'test', '-g', 'home page'])).toEqual(['--grep "home page"']);
});

/** The options of Playwright that select tests. */
const SELECTING = [
  ...['--grep', '--grep-invert', '--last-failed', '--only-changed', '--project', '--shard', '--test-list'],
  ...['--test-list-invert', '--ui', '--ui-host', '--ui-port'],
];

test('each option of the installed Playwright is known to select tests, or not to', () => {
  const playwright = dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json'));
  const help = execFileSync(process.execPath, [join(playwright, 'cli.js'), 'test', '--help'], { encoding: 'utf8' });
  const options = [...help.matchAll(/^ {2}(?:-\w, )?(--?[\w-]+)/gm)].map(([, option = '']) => option);
  expect(options.length).toBeGreaterThan(30);
  const selecting = options.filter((option) => readFilters(['node', 'cli.js', 'test', option]).length > 0);
  expect(selecting.sort()).toEqual(SELECTING);
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
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'proofsheet-only-changed-')));
    git('init');
    write(SPEC, 'one');
    write(LIST, 'one');
    git('add', '.');
    git('commit', '-m', 'one');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('a notice names a changed list whose spec did not change, and its shots', () => {
    expect(noticeOf('--only-changed')).toBeNull();
    write(LIST, 'two');
    expect(noticeOf('--only-changed')).toBe(
      'pages.yaml changed since HEAD, but --only-changed does not check page lists. ' +
        '12 shots of pages.yaml did NOT run, unless their spec imports a changed file. Run again without --only-changed.',
    );
    expect(noticeOf(), 'without the option all tests run').toBeNull();
    git('commit', '-am', 'two');
    expect(noticeOf('--only-changed')).toBeNull();
    expect(noticeOf('--only-changed=HEAD~1')).toContain('since HEAD~1');
    write(SPEC, 'two');
    expect(noticeOf('--only-changed=HEAD~1'), 'the spec runs').toBeNull();
  });

  test('a notice names an untracked list', () => {
    git('rm', '--cached', LIST);
    git('commit', '-m', 'without');
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

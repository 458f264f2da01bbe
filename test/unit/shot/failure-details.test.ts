import { posix, win32 } from 'node:path';
import { expect, test } from 'vitest';
import {
  failureDetailsFor,
  hasOwnReporter,
  type RunnerConfig,
  reportCommand,
  shortPath,
} from '../../../src/shot/failure-details.js';

const OURS = '/repo/node_modules/proofsheet/dist/reporter.js';
const argv = ['node', 'playwright', 'test'];
const CONFIG: RunnerConfig = {
  configFile: '/repo/playwright.config.ts',
  reporter: [
    ['list', null],
    [OURS, undefined],
  ],
  projects: [{}],
  argv,
};
const SHOT = {
  id: 'home',
  project: 'chromium',
  position: { file: '/repo/e2e/pages.yaml', line: 3, column: 5 },
};
const details = (config: Partial<RunnerConfig> = {}, around = {}, shot = {}) =>
  failureDetailsFor({ ...SHOT, ...shot }, { ...CONFIG, ...config }, { cwd: '/repo', isCI: false, ...around });

test.each<[string, Partial<RunnerConfig>, isReviewed: boolean]>([
  ['no reporter of proofsheet', { reporter: [['list', null]] }, true],
  ['a blob, which is merged later', { reporter: [['blob', null]] }, false],
  ['another reporter of that name', { reporter: [['/repo/proofsheet-demo/reporter.js', null]] }, true],
  ['an editor', { argv: ['node', 'playwright', 'test-server'] }, false],
  ['UI mode', { argv: [...argv, '--ui'] }, false],
])(
  'with %s, no command can approve; it is said how to review where nothing shows the images',
  (_, config, isReviewed) => {
    const { approve, review } = details(config);
    expect(approve).toBeNull();
    expect(hasOwnReporter({ ...CONFIG, ...config })).toBe(false);
    expect(review).toEqual(
      isReviewed
        ? expect.stringMatching(
            /^To review the images, add \['proofsheet\/reporter'\] to .* run: npx proofsheet report$/,
          )
        : null,
    );
  },
);

test.each<[words: string, config?: Partial<RunnerConfig>, around?: object, shot?: object]>([
  ['home'],
  ['--config e2e/my.config.ts home', { configFile: '/repo/e2e/my.config.ts' }],
  ['--config /elsewhere/my.config.ts home', { configFile: '/elsewhere/my.config.ts' }],
  ['--from "out/visual report" home', { reporter: [[OURS, { outputFolder: 'out/visual report' }]] }],
  ['home', { reporter: [[OURS, { outputFolder: './proofsheet-report' }]] }],
  ['--project chromium home', { projects: [{}, {}] }],
  ['"docs/a b"', {}, {}, { id: 'docs/a b' }],
  ['-- --all', {}, {}, { id: '--all' }],
  ['--from DIR home (DIR: the downloaded report)', {}, { isCI: true }],
])('the command to approve names what it does not find by itself: %s', (words, ...given) => {
  expect(details(...given)).toMatchObject({ approve: `npx proofsheet approve ${words}`, review: null });
});

test('a command is not printed if it cannot be typed', () => {
  expect(details({}, {}, { id: 'a\u202eb' }).approve).toBeNull();
});

test('the command to update names the config that lies elsewhere', () => {
  const configFile = '/repo/e2e/my.config.ts';
  expect(details({ configFile }).update).toBe('npx playwright test --update-snapshots --config e2e/my.config.ts');
});

test('paths are relative to where the run was started', () => {
  expect(details()).toMatchObject({ place: 'e2e/pages.yaml:3:5' });
  expect(details({}, { cwd: '/elsewhere' })).toMatchObject({ place: '/repo/e2e/pages.yaml:3:5' });
});

test.each([
  ['', {}, {}],
  ['"out/visual report"', { folder: '/repo/out/visual report' }, {}],
  [
    '--config e2e/my.config.ts',
    { base: '/repo/e2e', configFile: '/repo/e2e/my.config.ts', folder: '/repo/e2e/proofsheet-report' },
    {},
  ],
  ['DIR (DIR: the downloaded report)', {}, { isCI: true }],
])('the command that opens the report: npx proofsheet report %s', (words, report, around) => {
  const place = {
    folder: '/repo/proofsheet-report',
    base: '/repo',
    configFile: '/repo/playwright.config.ts',
    ...report,
  };
  expect(reportCommand(place, { cwd: '/repo', isCI: false, ...around })).toBe(`npx proofsheet report ${words}`.trim());
});

test.each([
  [win32, 'C:\\work', 'C:\\work\\e2e\\playwright.config.ts', 'e2e/playwright.config.ts'],
  [win32, 'C:\\work', 'D:\\report', 'D:/report'],
  [win32, 'C:\\work', 'C:\\Work', '.'],
  [posix, '/project', '/project/a\\b', 'a\\b'],
])('a path of a command is relative, with the slashes that need no quotes', (rules, cwd, path, shown) => {
  expect(shortPath(path, cwd, rules)).toBe(shown);
});

import { describe, expect, test } from 'vitest';
import {
  failureDetailsFor,
  hasOwnReporter,
  type RunnerConfig,
  reportCommand,
} from '../../../src/shot/format-failure.js';

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
  baseline: '/repo/e2e/shots/home.png',
};
const details = (config: Partial<RunnerConfig> = {}, around = {}, shot = {}) =>
  failureDetailsFor({ ...SHOT, ...shot }, { ...CONFIG, ...config }, { cwd: '/repo', isCI: false, ...around });

describe('the command to approve', () => {
  test('needs no flags in addition to the config', () => {
    expect(details().approve).toBe('npx proofsheet approve home');
  });

  test.each<[string, Partial<RunnerConfig>]>([
    ['the reporter did not run', { reporter: [['list', null]] }],
    ['only a blob is written', { reporter: [['blob', null]] }],
    ['the reporter is another one of that name', { reporter: [['/repo/proofsheet-demo/reporter.js', null]] }],
    ['an editor runs the test', { argv: ['node', 'playwright', 'test-server'] }],
    ['UI mode runs the test', { argv: [...argv, '--ui'] }],
  ])('is not named where %s', (_, config) => {
    expect(details(config).approve).toBeNull();
    expect(hasOwnReporter({ ...CONFIG, ...config })).toBe(false);
  });

  test('names the config that lies elsewhere', () => {
    const configFile = '/repo/e2e/my.config.ts';
    expect(details({ configFile }).approve).toBe('npx proofsheet approve --config e2e/my.config.ts home');
    expect(details({ configFile }).update).toBe('npx playwright test --update-snapshots --config e2e/my.config.ts');
    expect(details({ configFile: '/elsewhere/my.config.ts' }).approve).toContain('--config /elsewhere/my.config.ts');
  });

  test("names the reporter's folder where it is another", () => {
    const reporter: RunnerConfig['reporter'] = [[OURS, { outputFolder: 'out/visual report' }]];
    expect(details({ reporter }).approve).toBe("npx proofsheet approve --from 'out/visual report' home");
    const same: RunnerConfig['reporter'] = [[OURS, { outputFolder: './proofsheet-report' }]];
    expect(details({ reporter: same }).approve).toBe('npx proofsheet approve home');
  });

  test('names the project where there are several', () => {
    expect(details({ projects: [{}, {}] }).approve).toBe('npx proofsheet approve --project chromium home');
  });

  test('quotes shell characters, and is not printed if it cannot be typed', () => {
    expect(details({}, {}, { id: 'docs/a b' }).approve).toBe("npx proofsheet approve 'docs/a b'");
    expect(details({}, {}, { id: '--all' }).approve).toBe('npx proofsheet approve -- --all');
    expect(details({}, {}, { id: 'a\u202eb' }).approve).toBeNull();
  });

  test('takes the downloaded report on a build server', () => {
    expect(details({}, { isCI: true }).approve).toBe(
      'npx proofsheet approve --from DIR home (DIR: the downloaded report)',
    );
  });
});

test('paths are relative to where the run was started', () => {
  expect(details()).toMatchObject({ place: 'e2e/pages.yaml:3:5', baseline: 'e2e/shots/home.png' });
  expect(details({}, { cwd: '/elsewhere' })).toMatchObject({ baseline: '/repo/e2e/shots/home.png' });
});

describe('how to review', () => {
  const REVIEW = /^To review the images, add \['proofsheet\/reporter'\] to .* then run: npx proofsheet report$/;

  test('is said where no reporter of proofsheet is configured', () => {
    expect(details({ reporter: [['list', null]] }).review).toMatch(REVIEW);
  });

  test.each<[string, Partial<RunnerConfig>]>([
    ['the reporter says it', {}],
    ['a blob is merged later', { reporter: [['blob', null]] }],
    ['UI mode shows the images', { reporter: [['list', null]], argv: [...argv, '--ui'] }],
    ['an editor shows the images', { reporter: [['list', null]], argv: ['node', 'playwright', 'test-server'] }],
  ])('is not said where %s', (_, config) => {
    expect(details(config).review).toBeNull();
  });
});

describe('the command that opens the report', () => {
  const REPORT = { folder: '/repo/proofsheet-report', base: '/repo', configFile: '/repo/playwright.config.ts' };
  const command = (report = {}, around = {}) =>
    reportCommand({ ...REPORT, ...report }, { cwd: '/repo', isCI: false, ...around });

  test('needs no arguments beside the config', () => {
    expect(command()).toBe('npx proofsheet report');
    expect(command({ configFile: undefined })).toBe('npx proofsheet report');
  });

  test('names a folder and a config elsewhere', () => {
    expect(command({ folder: '/repo/out/visual report' })).toBe("npx proofsheet report 'out/visual report'");
    const e2e = { base: '/repo/e2e', configFile: '/repo/e2e/my.config.ts', folder: '/repo/e2e/proofsheet-report' };
    expect(command(e2e)).toBe('npx proofsheet report --config e2e/my.config.ts');
  });

  test('takes the downloaded report on a build server', () => {
    expect(command({}, { isCI: true })).toBe('npx proofsheet report DIR (DIR: the downloaded report)');
  });
});

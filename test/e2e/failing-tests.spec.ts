import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareTwoPages, twoPages } from './baselines.js';
import { config, expect, html, type Project, type Site, SPEC, test } from './project.js';

/** The reporters of the README and of the config that `init` writes. */
const COMPACT = `[['proofsheet/reporter', { compact: true }]]`;

async function prepare(project: Project, site: Site, reporters: string, spec = SPEC): Promise<void> {
  await prepareTwoPages(project, site);
  project.write({
    'playwright.config.mjs': config('workers: 1,').replace(/reporter: .*,/, `reporter: ${reporters},`),
    'visual.spec.mjs': spec,
  });
}

/** Pages that fail or pass, with hooks and a test that is expected to fail. */
const SPEC_WITH_HOOKS = `import { appendFileSync } from 'node:fs';
import { definePages, expect, test } from 'proofsheet';
test.use({ screenshot: 'on' });
test.afterEach(({}, { title, status, expectedStatus }) => {
  appendFileSync('seen.txt', title + ' ' + status + '/' + expectedStatus + '\\n');
});
test.afterEach(({}, { title }) => {
  if (title === 'home') throw new Error('a hook that fails');
});
test('mine', () => {
  test.fail();
  expect(1).toBe(2);
});
definePages('pages.yaml');
`;

test('a changed page fails in its worker, with its regions as error context; hooks see the failed test', {
  tag: '@versions',
}, async ({ project, site }) => {
  await prepare(project, site, `[['proofsheet/reporter'], ['list']]`, SPEC_WITH_HOOKS);
  site.write({ 'index.html': html('<h1>Home, changed</h1>') });
  project.write({ 'pages.yaml': twoPages(site, '  - { name: gone, url: /none.html }\n') });
  const run = await project.test();
  expect(run).toExit(1);
  expect(run.output).toContain('2 failed');
  expect(run.output).toContain('2 passed');
  expect(run.output.trimEnd().split('\n').at(-1), 'the summary comes last').toContain('proofsheet-report');
  expect(project.statuses()).toEqual(['about: passed', 'gone: error', 'home: changed']);

  // Each failure is that of its worker, and Playwright did not expect it.
  expect(readFileSync(project.path('seen.txt'), 'utf8').trim().split('\n').sort()).toEqual([
    ...['about passed/passed', 'gone failed/passed', 'home failed/passed', 'mine failed/failed'],
  ]);
  expect(run.output, 'the error of a hook').toContain('a hook that fails');

  expect(screenshotsOf(project), "Playwright's own").toEqual(['about: finished', 'gone: failed', 'home: failed']);
  // Before this version, a matcher cannot give one.
  if (!project.hasPlaywright('1.60')) return;
  const contexts = project.files('test-results').filter((file) => /home.*error-context[.]md$/.test(file));
  expect(contexts).toHaveLength(1);
  const context = readFileSync(project.path(join('test-results', contexts[0] ?? '')), 'utf8');
  expect(context).toMatch(
    /```yaml\nstatus: changed\nregions:\n {2}- \{"x":\d+,"y":\d+,"width":\d+,"height":\d+,"pixels":\d+\}/,
  );
  expect(context, 'no snapshot of a page that was reset').not.toContain('Page snapshot');
});

test('--max-failures ends a run, which names the pages without a result and fails; our reporter is the last', async ({
  project,
  site,
}) => {
  await prepare(project, site, `[['list'], ['proofsheet/reporter']]`);
  site.write({ 'index.html': html('<h1>Home, changed</h1>'), 'about.html': html('<h1>About, changed</h1>') });
  const run = await project.test(['--max-failures=1']);
  expect(run).toExit(1);
  expect(project.results().run.complete).toBe(false);
  expect(run.output).toContain('no result');
  expect(project.statuses()).toEqual(['about: changed', 'home: error']);
  expect(run.output).toContain('1 failed');
});

// At most 40 lines of many changes: test/unit/report/render-text.test.ts.
test('changed and new pages fail the run although their tests are expected to fail; with compact, the terminal has the summary alone', async ({
  project,
  site,
}) => {
  await prepare(project, site, COMPACT);
  site.write({ 'index.html': html('<h1>Home, changed</h1>'), 'about.html': html('<h1>About, changed</h1>') });
  project.write({
    'pages.yaml': twoPages(site, '  - { name: new, url: /about.html }\n'),
    'visual.spec.mjs': `import { test } from 'proofsheet';\ntest.fail();\n${SPEC}`,
    'other.spec.mjs': `import { expect, test } from '@playwright/test';\ntest('adds', () => expect(1 + 1).toBe(3));\n`,
  });
  const run = await project.test();
  expect(run).toExit(1);
  expect(run.stdout).toMatch(/^\nproofsheet: 2 changes on 2 of 3 pages, 1 new shot /);
  expect(run.stdout).toMatch(/\n {2}changed +home .*\n/);
  expect(run.stdout).toMatch(
    /\n {2}report +proofsheet-report\/index\.html.*\n {2}tests +1 test without a shot, 1 failed\n/,
  );
  expect(run.stdout).toMatch(/\n {2}failed +other\.spec\.mjs:2 adds: expect\(received\)\.toBe\(expected\)[^\n]*\n$/);
  project.write({ 'other.spec.mjs': 'this is no JavaScript' });
  expect((await project.test(['other'])).output).toMatch(/error +SyntaxError/);
});

function screenshotsOf(project: Project): (string | undefined)[] {
  const images = project.files('test-results').filter((file) => /test-(failed|finished)-\d+[.]png$/.test(file));
  const shown = images.map((file) => /(about|gone|home).*test-(\w+)-/.exec(file)?.slice(1).join(': '));
  return shown.filter(Boolean).sort();
}

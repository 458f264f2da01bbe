import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { makeBaselines } from './baselines.js';
import { config, expect, filesOf, html, type Project, type Site, test } from './project.js';

test('a spec file, its line, and a project select shots, as do ids and tags; the summary names the options, and nothing is obsolete', {
  tag: '@versions',
}, async ({ project, site }) => {
  prepare(project, site, `projects: [{ name: 'one' }, { name: 'two' }],`);
  const run = await project.test(['visual.spec.mjs:2', '--project=two', '--grep', 'pricing/wide|@smoke', '-u']);
  expect(run).toExit(0);
  expect(project.statuses()).toEqual([
    ...['index/phone: new', 'index/wide: new', 'old/phone: skipped', 'old/wide: skipped', 'pricing/wide: new'],
  ]);
  const { shots } = project.results();
  expect(shots.map((shot) => shot.project)).toEqual(Array(5).fill('two'));
  expect(project.shot('old/wide'), 'skipped in the list').toMatchObject({ reason: 'being rebuilt' });
  expect(run.output).toContain('options   visual.spec.mjs:2 --project=two --grep pricing/wide|@smoke -u\n');
  expect(project.results().obsolete, 'an option selects tests').toBeNull();
  const refused = await project.proofsheet(['prune', '--yes']);
  expect(refused).toExit(2);
  expect(refused.output).toContain('the run did not include every test that exists (its options: visual.spec.mjs:2 ');
  const list = await project.test(['--list', '--project=one']);
  expect(list.output).toContain('[one] › visual.spec.mjs:2:1 › pricing/wide');
});

test('--only-changed prints that it does not run a page list that has changed', async ({ project, site }) => {
  prepare(project, site);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: project.folder });
  project.write({ '.gitignore': 'node_modules' });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'all');
  project.write({ 'pages.yaml': `${readFileSync(project.path('pages.yaml'), 'utf8')}# edited\n` });
  const run = await project.test(['--only-changed']);
  expect(run.output).toContain('8 shots of pages.yaml did NOT run');
  expect(run.output.match(/did NOT run/g), 'once').toHaveLength(1);
});

// That no retry writes a baseline: update-modes.spec.ts.
test('a shot that passes in a retry is flaky, and has the images of its first attempt', async ({ project }) => {
  project.write({
    'flaky.spec.mjs': `import { expect, test } from 'proofsheet';
test('sometimes', async ({ page }, info) => {
  await page.setContent('<h1>Now</h1>');
  if (info.retry === 0 && process.env.FLIP) await page.evaluate(() => { document.querySelector('h1').textContent = 'Then' });
  await expect(page).toMatchBaseline('sometimes');
});`,
    'playwright.config.mjs': config(),
  });
  await makeBaselines(project);
  expect(await project.test(['--retries=1'], { FLIP: '1' })).toExit(0);
  expect(project.shot('flaky/sometimes')).toMatchObject({
    status: 'passed',
    flaky: true,
    attempts: [{ status: 'changed' }, { status: 'passed' }],
  });
  expect(project.results().summary.flaky).toBe(1);
  const [first] = project.shot('flaky/sometimes').attempts;
  for (const image of [first?.before, first?.after, first?.diff]) {
    expect(project.exists(`proofsheet-report/${image?.link}`), 'images of the first attempt').toBe(true);
  }
});

function prepare(project: Project, site: Site, more = ''): void {
  for (const page of ['index', 'pricing', 'about']) site.write({ [`${page}.html`]: html(`<h1>${page}</h1>`) });
  const list = `baseURL: ${site.url}
viewports:
  wide: { width: 1000, height: 600 }
  phone: { device: iPhone 15 }
pages:
  - { url: /, tags: [smoke] }
  - { name: pricing, url: /pricing.html }
  - { name: about, url: /about.html }
  - { url: /pricing.html, name: old, tags: [smoke], skip: being rebuilt }
`;
  project.write(filesOf(list, more));
}

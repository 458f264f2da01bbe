import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { sha256 } from '../../src/baselines/baseline.js';
import { makeBaselines } from './baselines.js';
import { config, expect, html, type Project, type Site, SPEC, test } from './project.js';

test('--grep takes ids and tags, and the summary names the filter', async ({ project, site }) => {
  prepare(project, site, '', '  - { url: /pricing.html, name: old, tags: [smoke], skip: being rebuilt }\n');
  await makeBaselines(project, site);
  const byId = await project.test(['--grep', 'pricing']);
  expect(byId).toExit(0);
  expect(project.statuses()).toEqual(['pricing/phone: passed', 'pricing/wide: passed']);
  expect(project.results().run.selected.join(' ')).toContain('pricing');
  expect(byId.output).toMatch(/--grep[ =]pricing/);
  expect(await project.test(['--grep', '@smoke'])).toExit(0);
  expect(project.statuses()).toEqual([
    ...['index/phone: passed', 'index/wide: passed', 'old/phone: skipped', 'old/wide: skipped'],
  ]);
  expect(project.shot('old/wide'), 'skipped in the list').toMatchObject({ reason: 'being rebuilt' });
  const none = await project.test(['--grep', 'no-such-page']);
  expect(none).toExit(1);
  expect(none.output).toContain('No tests found');
});

test('a spec file, its line, and a project select as they do for any test', async ({ project, site }) => {
  prepare(project, site, `projects: [{ name: 'one' }, { name: 'two' }],`);
  expect(await project.test(['visual.spec.ts', '--update-snapshots'])).toExit(0);
  expect(project.results().summary).toMatchObject({ expected: 12, written: 12 });
  expect(await project.test(['visual.spec.ts:2', '--project=two'])).toExit(0);
  expect(project.results().shots.map((shot) => shot.project)).toEqual(Array(6).fill('two'));
  expect(project.results().run.selected.join(' ')).toContain('--project two');
  const list = await project.test(['--list', '--project=one']);
  expect(list.output).toContain('[one] › visual.spec.ts:2:1 › pricing/wide');
});

test('shots run on all workers and spread over shards', async ({ project, site }) => {
  prepare(project, site);
  await makeBaselines(project, site);
  const sizes: number[] = [];
  for (const shard of ['1/3', '2/3', '3/3']) {
    expect(await project.test([`--shard=${shard}`, '--workers=2'])).toExit(0);
    sizes.push(project.results().shots.length);
    expect(project.results().run.shards).toEqual([{ current: Number(shard[0]), total: 3 }]);
  }
  expect(sizes).toEqual([2, 2, 2]);
});

test('--only-changed says that it passes over a page list that has changed', async ({ project, site }) => {
  prepare(project, site);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: project.folder });
  project.write({ '.gitignore': 'node_modules' });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'all');
  project.write({ 'pages.yaml': `${readFileSync(project.path('pages.yaml'), 'utf8')}# edited\n` });
  const run = await project.test(['--only-changed']);
  expect(run.output).toContain('6 shots of pages.yaml did NOT run');
  expect(run.output.match(/did NOT run/g), 'once').toHaveLength(1);
});

test('--last-failed runs the shots that failed, and those only', async ({ project, site }) => {
  prepare(project, site);
  await makeBaselines(project, site);
  site.write({ 'pricing.html': html('<h1>Pricing, changed</h1>') });
  expect(await project.test()).toExit(1);
  expect(await project.test(['--last-failed'])).toExit(1);
  expect(project.statuses()).toEqual(['pricing/phone: changed', 'pricing/wide: changed']);
});

test('a page that differs only at first is flaky, with both attempts, and passes', { tag: '@pain-34' }, async ({
  project,
  site,
}) => {
  prepare(project, site);
  const counter = `<script>
    const n = Number(new URL(location).searchParams.get('n'));
  </script>`;
  project.write({
    'flaky.spec.ts': `import { expect, test } from 'proofsheet';
test('sometimes', async ({ page }, info) => {
  await page.setContent(${JSON.stringify(html(`<h1>Now</h1>${counter}`))});
  if (info.retry === 0 && process.env.FLIP) await page.evaluate(() => { document.querySelector('h1').textContent = 'Then' });
  await expect(page).toMatchBaseline('sometimes');
});`,
  });
  await project.test(['flaky.spec.ts', '--update-snapshots']);
  const run = await project.test(['flaky.spec.ts', '--retries=2'], { FLIP: '1' });
  expect(run).toExit(0);
  expect(project.shot('flaky/sometimes')).toMatchObject({
    status: 'passed',
    flaky: true,
    attempts: [{ status: 'changed' }, { status: 'passed' }],
  });
  expect(project.results().summary.flaky).toBe(1);
  const [first] = project.shot('flaky/sometimes').attempts;
  for (const image of [first?.before, first?.after, first?.diff]) {
    expect(project.exists(`proofsheet-report/${image?.link}`), 'what the first one saw is in the report').toBe(true);
  }
});

test('a page that changed is compared with the same baseline on every attempt, and is one entry', {
  tag: '@pain-34',
}, async ({ project, site }) => {
  prepare(project, site);
  await makeBaselines(project, site);
  site.write({ 'index.html': html('<h1>Other</h1>') });
  const [path = '', ...others] = project
    .files('visual.spec.ts-snapshots')
    .filter((name) => name.includes('index/wide'));
  expect(others).toEqual([]);
  const baseline = readFileSync(project.path(`visual.spec.ts-snapshots/${path}`));
  expect(await project.test(['--grep', 'index/wide', '--retries=2'])).toExit(1);
  expect(project.results().shots).toHaveLength(1);
  const { status, flaky, attempts, baseline: compared } = project.shot('index/wide');
  expect({ status, flaky, attempts }).toEqual({
    status: 'changed',
    flaky: false,
    attempts: [{ status: 'changed' }, { status: 'changed' }, { status: 'changed' }],
  });
  expect(compared).toMatchObject({ path: `visual.spec.ts-snapshots/${path}`, sha256: sha256(baseline) });
  expect(readFileSync(project.path(`visual.spec.ts-snapshots/${path}`)).equals(baseline), 'it stays').toBe(true);
});

test('--repeat-each judges every repetition', async ({ project, site }) => {
  prepare(project, site);
  await makeBaselines(project, site);
  const run = await project.test(['--repeat-each=3', '--grep', 'index/wide']);
  expect(run).toExit(0);
  expect(project.shot('index/wide').status).toBe('passed');
});

function prepare(project: Project, site: Site, more = '', pages = ''): void {
  for (const page of ['index', 'pricing', 'about']) site.write({ [`${page}.html`]: html(`<h1>${page}</h1>`) });
  project.write({
    'pages.yaml': `baseURL: ${site.url}
viewports:
  wide: { width: 1000, height: 600 }
  phone: { device: iPhone 15 }
pages:
  - { url: /, tags: [smoke] }
  - { name: pricing, url: /pricing.html }
  - { name: about, url: /about.html }
${pages}`,
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(more),
  });
}

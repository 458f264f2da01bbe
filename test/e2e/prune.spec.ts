import { rmSync } from 'node:fs';
import { makeBaselines } from './baselines.js';
import { config, expect, html, type Project, type Site, SPEC, test } from './project.js';

const SNAPSHOTS = 'visual.spec.ts-snapshots';
const OLD = `${SNAPSHOTS}/docs/old-linux.png`;

test.skip(process.platform !== 'linux', 'names of baselines hold the platform');

test('the baseline of a page that was removed is listed, and deleted when told to; the others stay', {
  tag: '@pain-44',
}, async ({ project, site }) => {
  await withBaselines(project, site);
  project.write({ 'pages.yaml': list(site, ['home', 'docs/new']) });
  const run = await project.test(['--update-snapshots']);
  expect(run).toExit(0);
  expect(project.results()).toMatchObject({ obsolete: [OLD], summary: { obsolete: 1 } });
  expect(run.output).toContain(
    `  obsolete  1 baseline without a shot: ${OLD} (to list or delete: npx proofsheet prune)\n`,
  );

  const listed = await project.proofsheet(['prune']);
  expect(listed).toExit(0);
  expect(listed.stdout).toBe(`1 obsolete baseline (delete with --yes):\n  ${OLD}\n`);
  expect(project.exists(OLD)).toBe(true);
  const pruned = await project.proofsheet(['prune', '--yes', '--json']);
  expect(pruned).toExit(0);
  expect(JSON.parse(pruned.stdout)).toEqual({
    status: 'success',
    error: false,
    obsolete: [],
    deleted: [OLD],
    kept: [],
  });
  expect(project.files(SNAPSHOTS)).toEqual(['docs/new-linux.png', 'home-linux.png']);
  expect(await project.test()).toExit(0);
});

for (const { how, args, pages, reason, tag } of [
  { how: 'filtered', args: ['--grep=home'], pages: ['home'], reason: 'the run was filtered (--grep home)', tag: [] },
  {
    how: 'sharded',
    args: ['--shard=1/1'],
    pages: ['home'],
    reason: 'the run was filtered (--shard 1/1)',
    tag: ['@soak'],
  },
  {
    how: 'stopped',
    args: ['--max-failures=1'],
    pages: ['gone', 'home'],
    reason: 'the run has shots without a result',
    tag: ['@soak'],
  },
]) {
  test(`a run that was ${how} prunes nothing, and says why`, { tag }, async ({ project, site }) => {
    await withBaselines(project, site);
    project.write({ 'pages.yaml': list(site, pages) });
    await project.test(['--workers=1', ...args]);
    const run = await project.proofsheet(['prune', '--yes']);
    expect(run).toExit(2);
    expect(run.output).toContain(`${reason}. Run all tests first: npx playwright test`);
    expect(project.files(SNAPSHOTS)).toHaveLength(2);
  });
}

test('a run that failed to list prunes nothing', async ({ project, site }) => {
  await withBaselines(project, site);
  expect(await project.test()).toExit(0);
  // A second list that cannot be read: its shots are unknown, and so is what they claim.
  project.write({
    'pages.yaml': list(site, ['home']),
    'more.spec.ts': SPEC.replace('pages.yaml', 'more.yaml'),
    'more.yaml': 'pages: 5\n',
  });
  expect(await project.test()).toExit(1);
  // The report is still that of the last run that listed its tests, in which both baselines were used.
  expect((await project.proofsheet(['prune', '--yes'])).stdout).toBe('no obsolete baselines\n');
  expect(project.files(SNAPSHOTS)).toHaveLength(2);
});

for (const version of ['current', 'lowest'] as const) {
  test(`test.only, and a test of one's own that is skipped, hide what they claim; a spec that is gone claims nothing (Playwright ${version})`, {
    tag: version === 'lowest' ? '@soak' : [],
  }, async ({ project: current, lowest, site }) => {
    const project = version === 'current' ? current : lowest;
    await withBaselines(project, site);
    const own = (mark: string) => `import { expect, test } from 'proofsheet';
test${mark}('mine', async ({ page }) => {
  await page.goto('${site.url}/home.html');
  await expect(page).toMatchBaseline('mine');
});
`;
    project.write({ 'own.spec.ts': own('') });
    expect(await project.test(['--update-snapshots'])).toExit(0);
    expect(project.results().obsolete).toEqual([]);
    project.write({ 'own.spec.ts': own('.only') });
    expect(await project.test()).toExit(0);
    expect(project.results()).toMatchObject({ obsolete: null, run: { selected: [], complete: true } });
    project.write({ 'own.spec.ts': own('.skip') });
    expect(await project.test()).toExit(0);
    expect(project.results().obsolete).toEqual([]);

    rmSync(project.path('own.spec.ts'));
    expect(await project.test()).toExit(0);
    const left = ['own.spec.ts-snapshots/mine-linux.png'];
    expect(project.results().obsolete, "the spec is gone, and its baseline is nobody's").toEqual(left);
    expect(await project.proofsheet(['prune', '--yes'])).toExit(0);
    expect(project.exists('own.spec.ts-snapshots')).toBe(false);
    expect(project.files(SNAPSHOTS)).toHaveLength(2);
  });
}

function list(site: Site, pages: readonly string[]): string {
  return `baseURL: ${site.url}\npages:\n${pages.map((page) => `  - { name: ${page}, url: /${page}.html }\n`).join('')}`;
}

async function withBaselines(project: Project, site: Site): Promise<void> {
  for (const page of ['home', 'docs/old', 'docs/new']) site.write({ [`${page}.html`]: html(`<h1>${page}</h1>`) });
  project.write({
    'pages.yaml': list(site, ['home', 'docs/old']),
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(),
  });
  await makeBaselines(project, site);
}

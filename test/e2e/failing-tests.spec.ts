import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBaselines } from './baselines.js';
import { config, expect, html, type Project, type Site, SPEC, test } from './project.js';

const NAMES = ['a', 'b', 'c'];

/** A test in the file of Playwright's JSON reporter. */
interface Told {
  readonly title: string;
  readonly ok: boolean;
  readonly tests: readonly {
    readonly status: string;
    readonly expectedStatus: string;
    readonly results: readonly { readonly status: string }[];
  }[];
}

interface ToldSuite {
  readonly specs: readonly Told[];
  readonly suites?: readonly ToldSuite[];
}

const specsOf = (suite: ToldSuite): Told[] => [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];

/** The reporters of a config as `init` writes it, and one whose file this test reads. */
const REPORTERS = "[['proofsheet/reporter'], ['list'], ['json', { outputFile: 'told.json' }]]";

/** Writes pages with their baselines, then the config and the spec of the test: neither is part of a baseline. */
async function write(
  project: Project,
  site: Site,
  { more = '', reporters = REPORTERS, spec = SPEC, names = NAMES } = {},
): Promise<void> {
  site.write(Object.fromEntries(names.map((name) => [`${name}.html`, html(`<h1>${name}</h1>`)])));
  project.write({
    'playwright.config.ts': config(),
    'visual.spec.ts': SPEC,
    'pages.yaml': `baseURL: ${site.url}\npages: [${names.map((name) => `/${name}.html`).join(', ')}]\n`,
  });
  await makeBaselines(project, site);
  project.write({
    'playwright.config.ts': config(`workers: 1, ${more}`).replace(/reporter: .*,/, `reporter: ${reporters},`),
    'visual.spec.ts': spec,
  });
}

function change(site: Site, names = NAMES): void {
  site.write(Object.fromEntries(names.map((name) => [`${name}.html`, html(`<h1>${name}, changed</h1>`)])));
}

function told(project: Project): Told[] {
  const { suites } = JSON.parse(readFileSync(project.path('told.json'), 'utf8')) as { suites: ToldSuite[] };
  return suites.flatMap(specsOf).sort((one, other) => (one.title < other.title ? -1 : 1));
}

/** Every test failed in its worker, and Playwright did not expect it to. */
function expectFailures(all: readonly Told[]): void {
  for (const { ok, tests } of all) {
    expect(ok).toBe(false);
    for (const { status, expectedStatus, results } of tests) {
      expect([status, expectedStatus]).toEqual(['unexpected', 'passed']);
      for (const result of results) expect(result.status).toBe('failed');
    }
  }
}

for (const version of ['current', 'lowest'] as const) {
  test(`Playwright ${version}: a changed page fails in its worker, with its regions as error context`, {
    tag: version === 'lowest' ? '@soak' : [],
  }, async ({ project: current, lowest, site }) => {
    const project = version === 'current' ? current : lowest;
    await write(project, site);
    change(site, ['a', 'b']);
    const ended = await project.test();
    expect(ended).toExit(1);
    expect(ended.output).toContain('2 failed');
    expect(ended.output).toContain('1 passed');
    expect(ended.output.trimEnd().split('\n').at(-1), 'the summary comes last').toContain('proofsheet-report');
    const all = told(project);
    expectFailures(all.slice(0, 2));
    expect(all[2]?.tests[0]?.status).toBe('expected');
    expect(project.statuses()).toEqual(['a.html: changed', 'b.html: changed', 'c.html: passed']);
    const contexts = project.files('test-results').filter((file) => file.endsWith('error-context.md'));
    expect(contexts.length).toBe(2);
    for (const file of contexts) {
      const context = readFileSync(project.path(join('test-results', file)), 'utf8');
      expect(context).toMatch(
        /```yaml\nstatus: changed\nregions:\n {2}- \{"x":\d+,"y":\d+,"width":\d+,"height":\d+,"pixels":\d+\}/,
      );
      expect(context, 'no snapshot of a page that was reset').not.toContain('Page snapshot');
    }
  });
}

for (const [name, reporters] of Object.entries({
  'our reporter stands last': "[['list'], ['json', { outputFile: 'told.json' }], ['proofsheet/reporter']]",
  'no other reporter prints': "[['proofsheet/reporter'], ['json', { outputFile: 'told.json' }]]",
  'our reporter is not there': "[['list'], ['json', { outputFile: 'told.json' }]]",
})) {
  // Without our reporter, the verdict is also that of a test in reporters.spec.ts.
  const tag = name === 'our reporter stands last' ? [] : '@soak';
  test(`changed pages, and one that cannot be captured, fail where ${name}`, { tag }, async ({ project, site }) => {
    await write(project, site, { reporters });
    change(site, ['a', 'b']);
    project.write({ 'pages.yaml': `baseURL: ${site.url}\npages: [/a.html, /b.html, /c.html, /none.html]\n` });
    expect(await project.test()).toExit(1);
    const all = told(project);
    expect(all.map(({ ok }) => ok)).toEqual([false, false, true, false]);
    expectFailures(all.filter(({ ok }) => !ok));
  });
}

test('hooks see a failed test for a changed page, and their own errors count too', async ({ project, site }) => {
  const spec = `import { appendFileSync } from 'node:fs';
import { definePages, test } from 'proofsheet';
test.afterEach(({}, { status, expectedStatus }) => {
  appendFileSync('seen.txt', status + '/' + expectedStatus + '\\n');
});
test.afterEach(({}, { title }) => {
  if (title === 'b.html') throw new Error('a hook that fails');
});
definePages('pages.yaml');
`;
  await write(project, site, { spec });
  change(site);
  expect(await project.test()).toExit(1);
  expectFailures(told(project));
  expect(readFileSync(project.path('seen.txt'), 'utf8').trim().split('\n')).toEqual(NAMES.map(() => 'failed/passed'));
});

test('a test of your own that is expected to fail stays so', async ({ project, site }) => {
  const spec = `import { definePages, expect, test } from 'proofsheet';
definePages('pages.yaml');
test('mine', () => {
  test.fail();
  expect(1).toBe(2);
});
`;
  await write(project, site, { spec });
  expect(await project.test()).toExit(0);
  const mine = told(project).find(({ title }) => title === 'mine');
  expect(mine?.tests[0]).toMatchObject({ status: 'expected', expectedStatus: 'failed' });
});

test('--max-failures ends a run, which says what was never judged, and fails', async ({ project, site }) => {
  await write(project, site);
  change(site);
  const run = await project.test(['--max-failures=1']);
  expect(run).toExit(1);
  expect(project.results().run.complete).toBe(false);
  expect(run.output).toContain('no result');
  expect(project.statuses()).toEqual(['a.html: changed', 'b.html: error', 'c.html: error']);
  const failed = told(project).filter(({ tests }) => tests.some(({ results }) => results[0]?.status === 'failed'));
  expect(failed).toHaveLength(1);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBaselines } from './baselines.js';
import { config, expect, html, type Project, type Site, SPEC, test } from './project.js';

const NAMES = ['a', 'b', 'c'];

/** What Playwright's own JSON reporter tells of a test. */
interface Told {
  readonly title: string;
  readonly ok: boolean;
  readonly tests: readonly {
    readonly status: string;
    readonly expectedStatus: string;
    readonly results: readonly { readonly status: string; readonly workerIndex: number }[];
  }[];
}

interface ToldSuite {
  readonly specs: readonly Told[];
  readonly suites?: readonly ToldSuite[];
}

const specsOf = (suite: ToldSuite): Told[] => [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];

/** The reporters of a config as `init` writes it, and one that tells what they were told. */
const REPORTERS = "[['proofsheet/reporter'], ['list'], ['json', { outputFile: 'told.json' }]]";

/** Pages with their baselines, and then the config and the spec that are to be looked at: neither is in a baseline. */
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

const workers = (all: readonly Told[]) =>
  new Set(all.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ workerIndex }) => workerIndex))));

/** That Playwright takes each test for one that failed and was not expected to. */
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
  test.describe(`Playwright: ${version}`, () => {
    test('pages that differ fail, one worker judges them all, and the next page is as clean as the first', async ({
      project: current,
      lowest,
      site,
    }) => {
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
      expect(workers(all)).toEqual(new Set([0]));
      expect(project.statuses()).toEqual(['a.html: changed', 'b.html: changed', 'c.html: passed']);
      const contexts = project.files('test-results').filter((file) => file.endsWith('error-context.md'));
      expect(contexts.length).toBe(2);
      for (const file of contexts) {
        const context = readFileSync(project.path(join('test-results', file)), 'utf8');
        expect(context).toMatch(
          /```yaml\nstatus: changed\nregions:\n {2}- \{"x":\d+,"y":\d+,"width":\d+,"height":\d+,"pixels":\d+\}/,
        );
        expect(context, 'of a page that is empty by now').not.toContain('Page snapshot');
      }
    });
  });
}

test.describe('Playwright begins another worker, and the pages fail all the same', () => {
  for (const [name, settings] of Object.entries({
    'behind another reporter, which has been told before ours': {
      reporters: "[['list'], ['proofsheet/reporter'], ['json', { outputFile: 'told.json' }]]",
    },
    'with no reporter that prints, since Playwright puts one before ours then': {
      reporters: "[['proofsheet/reporter'], ['json', { outputFile: 'told.json' }]]",
    },
    'without our reporter': { reporters: "[['list'], ['json', { outputFile: 'told.json' }]]" },
    'where tests are tried again': { more: 'retries: 1,' },
    'where a trace is kept of what failed': { more: "use: { trace: 'retain-on-failure' }," },
    'where a screenshot is': { more: "use: { screenshot: 'only-on-failure' }," },
    'where a video is': { more: "use: { video: 'retain-on-failure' }," },
    'where the output of what passed is removed': { more: "preserveOutput: 'failures-only'," },
  })) {
    test(name, async ({ project, site }) => {
      const names = NAMES.slice(1);
      await write(project, site, { ...settings, names });
      change(site, names);
      expect(await project.test()).toExit(1);
      const all = told(project);
      expectFailures(all);
      expect(workers(all).size).toBeGreaterThan(1);
    });
  }

  test('where a page could not be captured', async ({ project, site }) => {
    await write(project, site);
    project.write({ 'pages.yaml': `baseURL: ${site.url}\npages: [/a.html, /none.html, /c.html]\n` });
    expect(await project.test()).toExit(1);
    const all = told(project);
    expectFailures(all.slice(2));
    expect(all.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(workers(all).size).toBe(2);
  });
});

test('hooks see a page that differs as a test that failed, and what they find counts too', async ({
  project,
  site,
}) => {
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
  expect(workers(told(project)).size, 'one that was spoilt by the hook is not kept').toBe(2);
});

test('what a test of your own is expected to do is left alone', async ({ project, site }) => {
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

test('a run ends after as many failures as it was told to', async ({ project, site }) => {
  await write(project, site);
  change(site);
  expect(await project.test(['--max-failures=1'])).toExit(1);
  const failed = told(project).filter(({ tests }) => tests.some(({ results }) => results[0]?.status === 'failed'));
  expect(failed).toHaveLength(1);
});

test('a run within a run, which has other reporters, is not told of what the outer one keeps', async ({
  project,
  site,
}) => {
  await write(project, site, { reporters: "[['list'], ['json', { outputFile: 'told.json' }]]" });
  change(site);
  expect(await project.test([], { PROOFSHEET_KEPT_WORKERS_OF: '1' })).toExit(1);
  expectFailures(told(project));
});

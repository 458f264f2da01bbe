import { rmSync } from 'node:fs';
import type { RunRecord, ShotRecord } from '../../src/model/run-record.js';
import { test as base, config, type Ended, expect, type Project, withProject } from './project.js';
import { LISTS, MUTATIONS, type Mutation, NEVER_REUSED, REUSABLE, SITE } from './reuse-site.js';

/** What the runs left behind. All tests of this file look at the same runs. */
interface Runs {
  readonly project: Project;
  /** The first run, which writes the baselines. */
  readonly first: RunRecord;
  /** A second run of the same site. */
  readonly same: RunRecord;
  readonly sameOutput: Ended;
}

const ENV = { PROOFSHEET_CACHE: 'cache' };

const test = base.extend<object, { runs: Runs }>({
  runs: [
    async ({}, use) => {
      await withProject('current', async (project) => use(await runAll(project)));
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

// All tests in one worker, so that the runs are made once.
test.describe.configure({ mode: 'default' });

async function runAll(project: Project): Promise<Runs> {
  project.write({
    ...SITE,
    ...LISTS,
    'own.spec.ts': "import { test } from 'proofsheet';\ntest('of its own', () => { throw new Error('it ran'); });\n",
    'playwright.config.ts': config('workers: 2,'),
  });
  expect(await project.test(['visual', '--update-snapshots=all'], ENV)).toExit(0);
  const first = project.results();
  const sameOutput = await project.test(['visual'], ENV);
  return { project, first, same: project.results(), sameOutput };
}

function find({ shots }: RunRecord, id: string): ShotRecord {
  const shot = shots.find((one) => one.id === id);
  if (!shot) throw new Error(`no shot ${id}`);
  return shot;
}

/** Changes files, and restores those of the site. */
async function withFiles(project: Project, files: Mutation['files'], look: () => Promise<void>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    if (content === null) rmSync(project.path(name));
    else project.write({ [name]: content });
  }
  await look();
  for (const name of Object.keys(files)) rmSync(project.path(name), { force: true });
  project.write({ ...SITE });
}

async function affected(project: Project): Promise<Map<string, string | null>> {
  const json = await project.proofsheet(['affected', '--json'], ENV);
  expect(json).toExit(0);
  const { shots }: { shots: { id: string; why: string | null }[] } = JSON.parse(json.stdout);
  return new Map(shots.map(({ id, why }) => [id, why]));
}

for (const id of REUSABLE) {
  test(`${id}: a page is reused while its files are the same`, ({ runs }) => {
    const [first, same] = [find(runs.first, id), find(runs.same, id)];
    expect(first).toMatchObject({ reused: false, status: 'new', written: true });
    expect(first.notReusable).toBeUndefined();
    expect(same).toMatchObject({ reused: true, status: 'passed', written: false, environment: first.environment });
    expect(same.capture?.fetchTime).toBe(first.capture?.fetchTime);
    expect(same.after?.link).toMatch(/^screenshots\//);
  });
}

for (const [id, [, reason]] of Object.entries(NEVER_REUSED)) {
  test(`${id}: a page that depends on more than served files is captured in each run, and the record says why`, ({
    runs,
  }) => {
    expect(find(runs.same, id)).toMatchObject({ reused: false, status: 'passed' });
    expect(find(runs.same, id).notReusable).toMatch(reason);
  });
}

for (const [what, { files, captured }] of Object.entries(MUTATIONS)) {
  test(`${what}: exactly the pages that use it would be captured`, async ({ runs: { project } }) => {
    await withFiles(project, files, async () => {
      const why = await affected(project);
      expect(REUSABLE.filter((id) => why.get(id) !== null).sort()).toEqual(captured);
      for (const id of captured) expect(why.get(id)).toMatch(/^\/\S+ changed$/);
    });
  });
}

test('a verified page that differs says what no file contains, and is captured from then on', async ({ runs }) => {
  const { reason, warnings } = find(runs.same, 'hidden');
  expect(reason).toMatch(
    /; no file of the page has changed since its capture of \d{4}-\d\d-\d\d passed, so `reuse` would have missed this: its scripts read storage and the clock, which no file contains$/,
  );
  expect(warnings.map(({ code }) => code)).toContain('reuse-incomplete');
  const why = await affected(runs.project);
  expect([why.get('hidden'), why.get('random')]).toEqual(['no capture of it is known', 'it was chosen to be verified']);
});

test('the counts and the verdict say how many shots were reused', ({ runs }) => {
  const [reused, all] = [REUSABLE.length, runs.same.shots.length];
  expect(runs.sameOutput).toExit(1);
  expect(runs.same.summary).toMatchObject({ expected: all, captured: all - reused, reused, compared: all });
  expect(runs.sameOutput.output).toContain(
    `counts    ${all} expected, ${all - reused} captured, ${reused} reused, ${all} compared: ${all - 1} passed`,
  );
});

test('affected runs no other tests, and names the first file that changed', async ({ runs: { project, same } }) => {
  const { files } = MUTATIONS['a byte of a style sheet'] ?? { files: {} };
  await withFiles(project, files, async () => {
    const text = await project.proofsheet(['affected'], ENV);
    expect(text).toExit(0);
    const captured = same.shots.length - REUSABLE.length + 1;
    expect(text.stdout).toContain(`proofsheet: ${captured} of ${same.shots.length} shots would be captured\n`);
    expect(text.stdout).toContain('\n  capture  style  /style.css changed\n');
    expect(text.stdout).toMatch(/\n {2}capture {2}post {2}it sends a POST request to dist\/api\n/);
  });
});

test('a change that a visitor sees is found', async ({ runs: { project } }) => {
  const { files, captured } = MUTATIONS['every file that only data, frames and styles load'] ?? {
    files: {},
    captured: [],
  };
  await withFiles(project, files, async () => {
    expect(await project.test(['visual'], ENV)).toExit(1);
    const { shots } = project.results();
    expect(shots.flatMap(({ id, status }) => (status === 'changed' ? [id] : [])).sort()).toEqual(
      [...captured, 'hidden'].sort(),
    );
    expect(shots.filter(({ reused }) => reused)).toHaveLength(REUSABLE.length - captured.length);
  });
});

test('the cache is where PROOFSHEET_CACHE says, without temporary files', ({ runs: { project } }) => {
  const files = project.files('cache');
  expect(files.length).toBeGreaterThan(REUSABLE.length);
  const entry = /^v2\/(environments|[\da-f]{64})\/([\da-f]{64}\.json|reason\.txt)$/;
  expect(files.filter((path) => !entry.test(path))).toEqual([]);
});

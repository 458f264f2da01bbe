import { createServer } from 'node:http';
import type { RunRecord, ShotRecord } from '../../src/model/run-record.js';
import { test as base, config, type Ended, expect, type Project, withProject } from './project.js';
import { HIDDEN, NEVER_REUSED, REUSABLE, type ReuseSite, serveReuseSite } from './reuse-site.js';

/** What the runs left behind. All tests of this file look at the same runs. */
interface Runs {
  /** The first run, which writes the baselines. */
  readonly first: RunRecord;
  /** A second run of the same site. */
  readonly same: RunRecord;
  readonly sameOutput: Ended;
  /** A run after every file has changed. */
  readonly changed: RunRecord;
  /** `proofsheet affected` after that run: as JSON, and as text. */
  readonly affected: { readonly json: Ended; readonly text: Ended };
  readonly files: readonly string[];
}

const test = base.extend<object, { runs: Runs }>({
  runs: [
    async ({}, use) => {
      const site = await serveReuseSite();
      await withProject('current', async (project) => use(await runAll(project, site)));
      await site.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

// All tests in one worker, so that the runs are made once.
test.describe.configure({ mode: 'default' });

async function runAll(project: Project, site: ReuseSite): Promise<Runs> {
  const listOf = (reuse: string, names: readonly string[]) => {
    const pages = names.map((name) => `  - { name: ${name}, url: /${name} }\n`).join('');
    const defaults = 'defaults: { width: 300, height: 200, fullSize: true }';
    return `baseURL: ${site.url}\nreuse: ${reuse}\n${defaults}\npages:\n${pages}`;
  };
  project.write({
    'pages.yaml': listOf('true', [...REUSABLE, ...Object.keys(NEVER_REUSED)]),
    'verified.yaml': listOf('{ verify: 1 }', HIDDEN),
    'visual.spec.ts':
      "import { definePages } from 'proofsheet';\ndefinePages('pages.yaml');\ndefinePages('verified.yaml');\n",
    'own.spec.ts': "import { test } from 'proofsheet';\ntest('of its own', () => { throw new Error('it ran'); });\n",
    'playwright.config.ts': config('workers: 2,'),
  });
  const env = { PROOFSHEET_CACHE: 'cache' };
  expect(await project.test(['visual', '--update-snapshots=all'], env)).toExit(0);
  const first = project.results();
  const sameOutput = await project.test(['visual'], env);
  const same = project.results();
  site.state = 'after';
  expect(await project.test(['visual'], env)).toExit(1);
  const changed = project.results();
  const affected = {
    json: await project.proofsheet(['affected', '--json'], env),
    text: await project.proofsheet(['affected'], env),
  };
  return { first, same, sameOutput, changed, affected, files: project.files('cache') };
}

function find({ shots }: RunRecord, id: string): ShotRecord {
  const shot = shots.find((one) => one.id === id);
  if (!shot) throw new Error(`no shot ${id}`);
  return shot;
}

for (const id of REUSABLE) {
  test(`${id}: a page is reused while its files are the same, and captured once one of them changed`, ({ runs }) => {
    const [first, same, changed] = [runs.first, runs.same, runs.changed].map((run) => find(run, id));
    expect(first).toMatchObject({ reused: false, status: 'new', written: true });
    expect(first?.notReusable).toBeUndefined();
    expect(same).toMatchObject({ reused: true, status: 'passed', written: false, environment: first?.environment });
    expect(same?.capture?.fetchTime).toBe(first?.capture?.fetchTime);
    expect(same?.after?.link).toMatch(/^screenshots\//);
    expect(changed).toMatchObject({ reused: false, status: 'changed' });
  });
}

for (const [id, reason] of Object.entries(NEVER_REUSED)) {
  test(`${id}: a page that depends on more than its URLs is captured in each run, and the record says why`, ({
    runs,
  }) => {
    for (const run of [runs.same, runs.changed]) {
      const shot = find(run, id);
      expect(shot).toMatchObject({ reused: false, status: 'passed' });
      expect(shot.notReusable).toMatch(reason);
    }
  });
}

for (const id of HIDDEN) {
  test(`${id}: a page that depends on what no request shows is captured to verify it`, ({ runs }) => {
    expect(find(runs.same, id)).toMatchObject({ reused: false, status: 'passed' });
    expect(find(runs.changed, id)).toMatchObject({ reused: false, status: id === 'hidden' ? 'changed' : 'passed' });
  });
}

test('a verified page that differs says what no input contains, and is captured from then on', ({ runs }) => {
  const { reason, warnings } = find(runs.changed, 'hidden');
  expect(reason).toMatch(
    /; no input of the page has changed since its capture of \d{4}-\d\d-\d\d passed, so `reuse` would have missed this: its scripts read storage and the clock, which no input contains$/,
  );
  expect(warnings.map(({ code }) => code)).toContain('reuse-incomplete');
  const { shots } = JSON.parse(runs.affected.json.stdout);
  expect(shots.find(({ id }: ShotRecord) => id === 'hidden')).toMatchObject({ why: 'no capture of it is known' });
});

test('the counts and the verdict say how many shots were reused', ({ runs }) => {
  const [reused, all] = [REUSABLE.length, runs.same.shots.length];
  expect(runs.sameOutput).toExit(0);
  expect(runs.same.summary).toMatchObject({
    expected: all,
    captured: all - reused,
    reused,
    compared: all,
    passed: all,
  });
  expect(runs.sameOutput.output).toContain(
    `counts    ${all} expected, ${all - reused} captured, ${reused} reused, ${all} compared: ${all} passed`,
  );
  expect(runs.sameOutput.output).toContain(`all ${all} shots passed, ${reused} of them not captured again`);
});

test('affected names the first input that changed, and runs neither a browser nor other tests', ({ runs }) => {
  const { json, text } = runs.affected;
  expect(json).toExit(0);
  const { shots, captured, reused } = JSON.parse(json.stdout);
  expect(captured + reused).toBe(runs.same.shots.length);
  const whyOf = (id: string) => shots.find((shot: ShotRecord) => shot.id === id)?.why;
  expect(whyOf('style')).toMatch(/\/style\.css changed$/);
  expect(whyOf('redirect')).toMatch(/\/moved changed$/);
  expect(whyOf('post')).toMatch(NEVER_REUSED.post);
  expect(whyOf('clock')).toBe('it was chosen to be verified');
  expect(text).toExit(0);
  expect(text.stdout).toContain(`proofsheet: ${captured} of ${captured + reused} shots would be captured\n`);
  expect(text.stdout).toMatch(/\n {2}capture {2}style {2}http:\/\/127\.0\.0\.1:\d+\/style\.css changed\n/);
});

test('the cache is where PROOFSHEET_CACHE says, without temporary files', ({ runs }) => {
  expect(runs.files.length).toBeGreaterThan(REUSABLE.length);
  expect(
    runs.files.every((path) => /^v1\/(environments|[\da-f]{64})\/([\da-f]{64}\.json|reason\.txt)$/.test(path)),
  ).toBe(true);
});

test('the inputs of the next shots are requested while a shot still waits for its own', async ({ project }) => {
  const answered: string[] = [];
  let waiting: (() => void) | null = null;
  let isHolding = false;
  const site = createServer(({ url = '' }, response) => {
    const answer = () => {
      answered.push(url);
      response.setHeader('content-type', 'text/html').end(`<title>Page</title><h1>The page ${url}</h1>`);
    };
    // The first page is answered once the second one was, or too late.
    if (isHolding && url === '/one') {
      const timer = setTimeout(answer, HELD_MS);
      waiting = () => {
        clearTimeout(timer);
        answer();
      };
    } else {
      answer();
      if (url === '/two') waiting?.();
    }
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  try {
    const address = site.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    project.write({
      'pages.yaml': `baseURL: http://127.0.0.1:${port}\nreuse: true\npages: [/one, /two]\n`,
      'visual.spec.ts': "import { definePages } from 'proofsheet';\ndefinePages('pages.yaml');\n",
      'playwright.config.ts': config('workers: 1,'),
    });
    const env = { PROOFSHEET_CACHE: 'cache' };
    expect(await project.test(['--update-snapshots=all'], env)).toExit(0);
    answered.length = 0;
    isHolding = true;
    expect(await project.test([], env)).toExit(0);
    expect(project.results().summary).toMatchObject({ captured: 0, reused: 2 });
    expect(answered).toEqual(['/two', '/one']);
  } finally {
    site.close();
  }
});

/** How long the first page waits for a request of the second one, in milliseconds. */
const HELD_MS = 5_000;

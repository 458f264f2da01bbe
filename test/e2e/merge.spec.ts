import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '../../src/model/run-record.js';
import { makeBaselines, SNAPSHOTS } from './baselines.js';
import { config, expect, filesOf, html, type Project, type Site, SPEC, test } from './project.js';

const PROJECTS = "projects: [{ name: 'one' }],";
const PAGES = ['a', 'b', 'c', 'd'];

interface ShardRun {
  readonly code: number;
  readonly output: string;
  readonly blob: Buffer;
}

test('two shards in two folders, merged in a third, give the results of the whole run; a missing one and a failed shot fail the merge', {
  tag: '@versions',
}, async ({ project, site }) => {
  await prepare(project, site);
  expect(await project.test(['--project=one'])).toExit(0);
  const whole = comparable(project.results());
  const [first, second] = [await runShard(project, 1), await runShard(project, 2)];
  expect([first.code, second.code]).toEqual([0, 0]);

  await test.step('the whole run', async () => {
    expect(await merge(project, 'whole', [first, second])).toExit(0);
    const merged = project.results('whole/proofsheet-report');
    const run = { ...whole.run, shards: [1, 2].map((current) => ({ current, total: 2 })), selected: [] };
    expect(comparable(merged)).toEqual({ ...whole, run });
    for (const { after } of merged.shots)
      expect(project.exists(join('whole/proofsheet-report', after?.link ?? 'none'))).toBe(true);
  });

  // Other faults of a merge: test/unit/run/problems.test.ts.
  await test.step('a missing one fails the merge, which names it and the missing pages', async () => {
    const merged = await merge(project, 'half', [first, first]);
    expect(merged).toExit(2);
    expect(merged.output).toContain('expected each shard equally often, found 2/2 never');
    expect(merged.output).toMatch(/c, d/);
    expect(project.results('half/proofsheet-report').run.complete).toBe(false);
  });

  await test.step('a failed shot fails the merge, with its images; only the merge writes to a job of GitHub', async () => {
    site.write({ 'd.html': html('<h1>changed</h1>') });
    const job = (name: string) => ({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: project.path(name) });
    // This shard has our reporter beside that of the blobs, as a config may have it.
    const both = config(`reporter: [['blob'], ['proofsheet/reporter']],${PROJECTS}`);
    const failed = await runShard(project, 2, { name: 'failed', config: both, env: job('shards.md'), reporter: [] });
    expect(failed.code).toBe(1);
    expect(project.results('failed-2/proofsheet-report').run.shards).toEqual([{ current: 2, total: 2 }]);
    expect(failed.output).toContain('proofsheet: 1 change on 1 of 2 pages');
    expect(failed.output).not.toContain('::error');
    expect(project.exists('shards.md')).toBe(false);

    const env = { ...job('merged.md'), GITHUB_WORKSPACE: project.path('red') };
    const merged = await merge(project, 'red', [first, failed], env);
    expect(merged).toExit(1);
    const annotations = merged.output.split('\n').filter((line) => line.startsWith('::error'));
    expect(annotations).toEqual([
      expect.stringMatching(/^::error file=pages\.yaml,line=6,title=changed%3A d \[one\]::/),
    ]);
    const summary = readFileSync(project.path('merged.md'), 'utf8');
    expect(summary.match(/^## proofsheet: not passed$/gm)).toHaveLength(1);
    expect(summary).toContain('| `d [one]` |');
    const shot = project.results('red/proofsheet-report').shots.find(({ id }) => id === 'd');
    expect(shot?.status).toBe('changed');
    for (const image of [shot?.before, shot?.after, shot?.diff])
      expect(project.exists(join('red/proofsheet-report', image?.link ?? 'none'))).toBe(true);
  });
});

test('a merge of shards that could not run fails, with the errors of the shards', async ({ project }) => {
  project.write({
    ...filesOf('baseURL: http://127.0.0.1:9\npages: [/]\n'),
    'playwright.config.mjs': `export default { reporter: [['blob']], globalSetup: './setup.mjs' };`,
    'setup.mjs': `export default () => { throw new Error('this file is broken'); };`,
    'merge.config.mjs': `export default { reporter: [['proofsheet/reporter']] };`,
  });
  expect(await project.test(['--shard=1/1'])).toExit(1);
  const merged = await project.playwright(['merge-reports', '-c', 'merge.config.mjs', 'blob-report']);
  expect(merged).toExit(2);
  expect(merged.output).toMatch(/^proofsheet: a shard failed: .*this file is broken/m);
});

test('a worker that is killed during a shot leaves that shot as an error', async ({ project, site }) => {
  await prepare(project, site);
  project.write({
    'visual.spec.mjs': `${SPEC}
import { test } from 'proofsheet';
test.beforeEach(async ({}, info) => { if (info.title === 'c') setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50); });`,
  });
  const run = await project.test(['--workers=1', '--project=one']);
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(['a: passed', 'b: passed', 'c: error', 'd: passed']);
  expect(project.shot('c').reason).toMatch(/worker/i);
  expect(run.output).toMatch(/error +c \[one\]/);
});

async function prepare(project: Project, site: Site): Promise<void> {
  for (const page of PAGES) site.write({ [`${page}.html`]: html(`<h1>${page}</h1>`) });
  const pages = PAGES.map((page) => `  - { name: ${page}, url: /${page}.html }\n`);
  project.write(filesOf(`baseURL: ${site.url}\npages:\n${pages.join('')}`, PROJECTS));
  await makeBaselines(project);
}

async function runShard(
  project: Project,
  shard: number,
  options: { name?: string; config?: string; env?: Record<string, string>; reporter?: string[] } = {},
): Promise<ShardRun> {
  const { name = 'machine', config, env = {}, reporter = ['--reporter=blob'] } = options;
  const folder = project.path(`${name}-${shard}`);
  mkdirSync(folder);
  for (const file of ['pages.yaml', 'visual.spec.mjs', 'playwright.config.mjs', 'package.json', SNAPSHOTS])
    cpSync(project.path(file), join(folder, file), { recursive: true });
  if (config !== undefined) writeFileSync(join(folder, 'playwright.config.mjs'), config);
  symlinkSync(project.path('node_modules'), join(folder, 'node_modules'));
  const blob = project.path(`${name}-${shard}.zip`);
  // There is no git here, and no build server.
  const run = { PROOFSHEET_RUN_ID: 'one', PLAYWRIGHT_BLOB_OUTPUT_FILE: blob };
  const args = ['test', '-c', folder, `--shard=${shard}/2`, ...reporter];
  const { code, output } = await project.playwright(args, { ...run, ...env });
  return { code, output, blob: readFileSync(blob) };
}

async function merge(project: Project, folder: string, shards: readonly ShardRun[], env: Record<string, string> = {}) {
  // Shards in different folders need a config that says where the tests are.
  const testDir = JSON.stringify(project.path(folder));
  project.write({
    [`${folder}/merge.config.mjs`]: `export default { testDir: ${testDir}, reporter: [['proofsheet/reporter']] };`,
  });
  for (const [index, { blob }] of shards.entries()) project.write({ [`${folder}/blobs/shard-${index + 1}.zip`]: blob });
  symlinkSync(project.path('node_modules'), project.path(`${folder}/node_modules`));
  const paths = ['merge.config.mjs', 'blobs'].map((name) => project.path(`${folder}/${name}`));
  return project.playwright(['merge-reports', '-c', ...paths], env);
}

/** All but times, uuids and what depends on them, and but for what a run that was cut into shards cannot know. */
function comparable({ run: { tests: _tests, ...run }, summary, shots }: RunRecord) {
  return {
    run: { ...run, commit: null },
    summary: { ...summary, obsolete: null },
    shots: shots.map(({ durationMs: _, timings: __, before, after, diff, capture, ...shot }) => ({
      ...shot,
      before: before && { ...before, link: null },
      after: after && { ...after, link: null },
      diff: diff && { ...diff, link: null },
      capture: capture && { ...capture, link: null, fetchTime: null },
    })),
  };
}

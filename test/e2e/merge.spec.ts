import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '../../src/model/run-record.js';
import { makeBaselines } from './baselines.js';
import { config, expect, html, type Project, type Site, SPEC, test, withProject, withSite } from './project.js';

const PROJECTS = "projects: [{ name: 'one' }],";
const SNAPSHOTS = 'visual.spec.mjs-snapshots';
const PAGES = ['a', 'b', 'c', 'd'];

/** The results of a project without shards, and the blobs of its two shards, in their order. */
interface Whole {
  readonly results: RunRecord;
  readonly blobs: readonly Buffer[];
  /** The second shard, with a page that changed, as a job of GitHub. */
  readonly failed: ShardRun & { readonly hasSummary: boolean; readonly results: RunRecord };
}

interface ShardRun {
  readonly code: number;
  readonly output: string;
  readonly blob: Buffer;
}

test.describe('two shards in two folders', () => {
  // One after the other: they merge the same shards, each in a project of its own.
  test.describe.configure({ mode: 'default' });
  let whole: Whole;
  test.beforeAll(() =>
    withProject('current', (project) =>
      withSite(async (site) => {
        await prepare(project, site);
        expect(await project.test(['--project=one'])).toExit(0);
        const results = project.results();
        const shards = [];
        for (const shard of [1, 2]) shards.push(await runShard(project, shard));
        expect(shards.map(({ code }) => code)).toEqual([0, 0]);
        site.write({ 'd.html': html('<h1>changed</h1>') });
        // This shard has our reporter beside that of the blobs, as a config may have it.
        const both = "reporter: [['blob'], ['proofsheet/reporter']],";
        const failed = await runShard(project, 2, {
          name: 'failed',
          alter: (folder) => writeFileSync(join(folder, 'playwright.config.mjs'), config(both + PROJECTS)),
          env: { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: project.path('shards.md') },
          reporter: [],
        });
        const hasSummary = project.exists('shards.md');
        const failedResults = project.results('failed-2/proofsheet-report');
        whole = {
          results,
          blobs: shards.map(({ blob }) => blob),
          failed: { ...failed, hasSummary, results: failedResults },
        };
      }),
    ),
  );

  test('merged in a third give the results of the whole run', async ({ project }) => {
    const merged = await merge(project, writeBlobs(project, whole.blobs));
    expect(merged).toExit(0);
    const results = project.results('merged/proofsheet-report');
    expect(comparable(results)).toEqual({
      ...comparable(whole.results),
      run: { ...comparable(whole.results).run, shards: SHARDS, selected: [] },
    });
    for (const { after } of results.shots) {
      expect(project.exists(join('merged/proofsheet-report', after?.link ?? 'none'))).toBe(true);
    }
  });

  test('a missing one and a duplicate one fail the merge, which names them and the missing pages', async ({
    project,
  }) => {
    const [first = Buffer.of()] = whole.blobs;
    const merged = await merge(project, writeBlobs(project, [first, first]));
    expect(merged).not.toExit(0);
    expect(merged.output).toContain('shard 2/2 is missing');
    expect(merged.output).toMatch(/c, d/);
    expect(merged.output).toMatch(/shard 1\/2 occurs 2 times/);
    expect(project.results('merged/proofsheet-report').run.complete).toBe(false);
  });

  test('a failed shot fails the merge, with its images; only the merge writes to a job of GitHub', async ({
    project,
  }) => {
    const { code, output, blob, hasSummary, results } = whole.failed;
    expect(code).toBe(1);
    expect(results.run.shards).toEqual([{ current: 2, total: 2 }]);
    expect(results.shots.map(({ id }) => id).sort()).toEqual(['c', 'd']);
    expect(output).toContain('proofsheet: 1 change on 1 of 2 pages');
    expect(output).not.toContain('::error');
    expect(hasSummary).toBe(false);

    const job = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: project.path('merged.md') };
    const workspace = { GITHUB_WORKSPACE: project.path('merged') };
    const merged = await merge(project, writeBlobs(project, whole.blobs.with(1, blob)), { ...job, ...workspace });
    expect(merged).not.toExit(0);
    const annotations = merged.output.split('\n').filter((line) => line.startsWith('::error'));
    expect(annotations).toHaveLength(1);
    expect(annotations[0]).toMatch(/^::error file=pages\.yaml,line=6,title=changed%3A d \[one\]::/);
    const summary = readFileSync(project.path('merged.md'), 'utf8');
    expect(summary.match(/^## proofsheet: not passed$/gm)).toHaveLength(1);
    expect(summary).toContain('| `d [one]` |');
    const shot = project.results('merged/proofsheet-report').shots.find(({ id }) => id === 'd');
    expect(shot?.status).toBe('changed');
    for (const image of [shot?.before, shot?.after, shot?.diff]) {
      expect(project.exists(join('merged/proofsheet-report', image?.link ?? 'none'))).toBe(true);
    }
  });
});

const SHARDS = [1, 2].map((current) => ({ current, total: 2 }));

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
  project.write({
    'pages.yaml': `baseURL: ${site.url}\npages:\n${PAGES.map((page) => `  - { name: ${page}, url: /${page}.html }\n`).join('')}`,
    'visual.spec.mjs': SPEC,
    'playwright.config.mjs': config(PROJECTS),
  });
  await makeBaselines(project, site);
}

function writeBlobs(project: Project, blobs: readonly Buffer[]): string {
  for (const [index, blob] of blobs.entries()) project.write({ [`blobs/shard-${index + 1}.zip`]: blob });
  return project.path('blobs');
}

/** Runs a shard in a copy of the project of its own. */
async function runShard(
  project: Project,
  shard: number,
  {
    name = 'machine',
    alter = () => {},
    env = {},
    reporter = ['--reporter=blob'],
  }: { name?: string; alter?: (folder: string) => void; env?: Record<string, string>; reporter?: string[] } = {},
): Promise<ShardRun> {
  const folder = project.path(`${name}-${shard}`);
  mkdirSync(folder);
  for (const file of ['pages.yaml', 'visual.spec.mjs', 'playwright.config.mjs', 'package.json', SNAPSHOTS]) {
    cpSync(project.path(file), join(folder, file), { recursive: true });
  }
  symlinkSync(project.path('node_modules'), join(folder, 'node_modules'));
  alter(folder);
  const blob = project.path(`${name}-${shard}.zip`);
  const { code, output } = await project.playwright(['test', '-c', folder, `--shard=${shard}/2`, ...reporter], {
    // There is no git here, and no build server.
    PROOFSHEET_RUN_ID: 'one',
    ...env,
    PLAYWRIGHT_BLOB_OUTPUT_FILE: blob,
  });
  return { code, output, blob: readFileSync(blob) };
}

async function merge(project: Project, blobs: string, env: Record<string, string> = {}) {
  mkdirSync(project.path('merged'));
  symlinkSync(project.path('node_modules'), project.path('merged/node_modules'));
  // Shards in different folders need a config that says where the tests are.
  writeFileSync(
    project.path('merged/merge.config.mjs'),
    `export default { testDir: ${JSON.stringify(project.path('merged'))}, reporter: [['proofsheet/reporter']] };`,
  );
  return project.playwright(['merge-reports', '-c', project.path('merged/merge.config.mjs'), blobs], env);
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

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '../../src/model/run-record.js';
import { makeBaselines } from './baselines.js';
import { config, expect, html, type Project, type Site, SPEC, test, withProject, withSite } from './project.js';

const PROJECTS = "projects: [{ name: 'one' }],";
const PAGES = ['a', 'b', 'c', 'd', 'e', 'f'];

/** What a project came to as a whole, and the blobs of its three shards, by their files. */
interface Whole {
  readonly results: RunRecord;
  readonly blobs: ReadonlyMap<string, Buffer>;
}

test.describe('three shards in three folders', () => {
  // One after the other: they merge the same shards, each in a project of its own.
  test.describe.configure({ mode: 'default' });
  let whole: Whole;
  test.beforeAll(() =>
    withProject('current', (project) =>
      withSite(async (site) => {
        await prepare(project, site);
        expect(await project.test(['--project=one'])).toExit(0);
        const results = project.results();
        const { inFolder } = await runShards(project);
        const files = readdirSync(inFolder).map((name) => [name, readFileSync(join(inFolder, name))] as const);
        whole = { results, blobs: new Map(files) };
      }),
    ),
  );

  test('merged in a fourth give the results of the whole run', async ({ project }) => {
    const merged = await merge(project, writeBlobs(project, whole));
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

  test('a missing one fails the merge, and is named with its pages', async ({ project }) => {
    const blobs = writeBlobs(project, whole);
    rmSync(join(blobs, 'shard-2.zip'));
    const merged = await merge(project, blobs);
    expect(merged).not.toExit(0);
    expect(merged.output).toContain('shard 2/3 is missing');
    expect(merged.output).toMatch(/c, d/);
    expect(project.results('merged/proofsheet-report').run.complete).toBe(false);
  });

  test('a doubled one fails the merge', async ({ project }) => {
    const blobs = writeBlobs(project, whole);
    cpSync(join(blobs, 'shard-2.zip'), join(blobs, 'shard-2-again.zip'));
    const merged = await merge(project, blobs);
    expect(merged).not.toExit(0);
    expect(merged.output).toMatch(/shard 2\/3 is there 2 times/);
  });
});

const SHARDS = [1, 2, 3].map((current) => ({ current, total: 3 }));

test('a failed shot fails the merge, with its images; a job of GitHub is told once, by the merge', async ({
  project,
  site,
}) => {
  await prepare(project, site);
  site.write({ 'd.html': html('<h1>changed</h1>') });
  const job = (name: string) => ({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: project.path(name) });
  // One shard has our reporter beside that of the blobs, as a config may have it.
  const both = "reporter: [['blob'], ['proofsheet/reporter']],";
  const alter = (folder: string) => writeFileSync(join(folder, 'playwright.config.ts'), config(both + PROJECTS));
  const { inFolder, codes, outputs } = await runShards(project, alter, job('shards.md'), []);
  expect(codes).toEqual([0, 1, 0]);
  expect(outputs[1]).toContain('proofsheet: 1 of 2 shots did not pass');
  expect(outputs.join('')).not.toContain('::error');
  expect(project.exists('shards.md')).toBe(false);

  const workspace = { GITHUB_WORKSPACE: project.path('merged') };
  const merged = await merge(project, inFolder, { ...job('merged.md'), ...workspace });
  expect(merged).not.toExit(0);
  const annotations = merged.output.split('\n').filter((line) => line.startsWith('::error'));
  expect(annotations).toHaveLength(1);
  expect(annotations[0]).toMatch(/^::error file=pages\.yaml,line=6,title=changed%3A d \[one\]::/);
  const told = readFileSync(project.path('merged.md'), 'utf8');
  expect(told.match(/^## proofsheet: not passed$/gm)).toHaveLength(1);
  expect(told).toContain('| changed | d \\[one\\] |');
  const shot = project.results('merged/proofsheet-report').shots.find(({ id }) => id === 'd');
  expect(shot?.status).toBe('changed');
  for (const image of [shot?.before, shot?.after, shot?.diff]) {
    expect(project.exists(join('merged/proofsheet-report', image?.link ?? 'none'))).toBe(true);
  }
});

test('a shard of another list is foreign, and fails the merge', async ({ project, site }) => {
  await prepare(project, site);
  const { inFolder } = await runShards(project, (folder, shard) => {
    if (shard === 3)
      writeFileSync(join(folder, 'pages.yaml'), list(site, ['a', 'b', 'c', 'd', 'e', 'f'], '# another\n'));
  });
  const merged = await merge(project, inFolder);
  expect(merged).not.toExit(0);
  expect(merged.output).toMatch(/list/);
});

test('a worker that dies in the middle of a shot leaves that shot as an error', async ({ project, site }) => {
  await prepare(project, site);
  project.write({
    'visual.spec.ts': `${SPEC}
import { test } from 'proofsheet';
test.beforeEach(async ({}, info) => { if (info.title === 'c') setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50); });`,
  });
  const run = await project.test(['--workers=1', '--project=one']);
  expect(run).toExit(1);
  expect(project.statuses()).toEqual(['a: passed', 'b: passed', 'c: error', 'd: passed', 'e: passed', 'f: passed']);
  expect(project.shot('c').reason).toMatch(/worker/i);
  expect(run.output).toMatch(/error +c \[one\]/);
});

test('a run that is cut short says which shots were never judged, and fails', async ({ project, site }) => {
  await prepare(project, site);
  site.write({ 'a.html': html('<h1>changed</h1>') });
  const run = await project.test(['--workers=1', '--max-failures=1', '--project=one']);
  expect(run).toExit(1);
  expect(project.results().run.complete).toBe(false);
  expect(run.output).toContain('never judged');
  expect(project.statuses()).toEqual(['a: changed', ...PAGES.slice(1).map((page) => `${page}: error`)]);
});

function list(site: Site, pages: readonly string[], more = ''): string {
  return `${more}baseURL: ${site.url}\npages:\n${pages.map((page) => `  - { name: ${page}, url: /${page}.html }\n`).join('')}`;
}

async function prepare(project: Project, site: Site): Promise<void> {
  for (const page of PAGES) site.write({ [`${page}.html`]: html(`<h1>${page}</h1>`) });
  project.write({
    'pages.yaml': list(site, PAGES),
    'visual.spec.ts': SPEC,
    'playwright.config.ts': config(PROJECTS),
  });
  await makeBaselines(project, site);
}

function writeBlobs(project: Project, { blobs }: Whole): string {
  for (const [name, bytes] of blobs) project.write({ [join('blobs', name)]: bytes });
  return project.path('blobs');
}

/** Runs every shard in a copy of the project of its own; gathers the blobs in one folder. */
async function runShards(
  project: Project,
  alter: (folder: string, shard: number) => void = () => {},
  env: Record<string, string> = {},
  reporter = ['--reporter=blob'],
) {
  const outputs: string[] = [];
  const inFolder = project.path('blobs');
  mkdirSync(inFolder);
  const codes: number[] = [];
  for (const shard of [1, 2, 3]) {
    const folder = project.path(`machine-${shard}`);
    mkdirSync(folder);
    for (const name of [
      'pages.yaml',
      'visual.spec.ts',
      'playwright.config.ts',
      'package.json',
      'visual.spec.ts-snapshots',
    ]) {
      cpSync(project.path(name), join(folder, name), { recursive: true });
    }
    symlinkSync(project.path('node_modules'), join(folder, 'node_modules'));
    alter(folder, shard);
    const run = await project.playwright(['test', '-c', folder, `--shard=${shard}/3`, ...reporter], {
      // There is no git here, and no build server.
      PROOFSHEET_RUN_ID: 'one',
      ...env,
      PLAYWRIGHT_BLOB_OUTPUT_FILE: join(inFolder, `shard-${shard}.zip`),
    });
    codes.push(run.code);
    outputs.push(run.output);
  }
  expect(readdirSync(inFolder)).toHaveLength(3);
  return { inFolder, codes, outputs };
}

async function merge(project: Project, blobs: string, env: Record<string, string> = {}) {
  mkdirSync(project.path('merged'));
  symlinkSync(project.path('node_modules'), project.path('merged/node_modules'));
  // Shards in different folders need a config that says where the tests are.
  writeFileSync(
    project.path('merged/merge.config.ts'),
    `export default { testDir: ${JSON.stringify(project.path('merged'))}, reporter: [['proofsheet/reporter']] };`,
  );
  return project.playwright(['merge-reports', '-c', project.path('merged/merge.config.ts'), blobs], env);
}

/** All but times, uuids and what depends on them, and but for what a run that was cut into shards cannot know. */
function comparable({ run, summary, shots }: RunRecord) {
  return {
    run: { ...run, commit: null },
    summary: { ...summary, obsolete: null },
    shots: shots.map(({ durationMs: _, before, after, diff, capture, ...shot }) => ({
      ...shot,
      before: before && { ...before, link: null },
      after: after && { ...after, link: null },
      diff: diff && { ...diff, link: null },
      capture: capture && { ...capture, link: null, fetchTime: null },
    })),
  };
}

import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FakeGitHub, serveGitHub } from '../unit/commands/github-server.js';
import { finishRun } from '../unit/review/finished-run.js';
import { prepareTwoPages } from './baselines.js';
import { test as base, copyFolder, expect, html } from './project.js';

const test = base.extend<{ github: FakeGitHub }>({
  github: async ({}, use) => {
    const server = await serveGitHub();
    await use(server);
    await server.close();
  },
});

const COMMENT = ['github-comment', '--repo', 'octo/site', '--pr', '12'];

test('in GitHub Actions a changed page is an error at its line of the list, and the job gets the summary; github-comment makes one comment and updates it', async ({
  project,
  site,
  github,
}) => {
  await prepareTwoPages(project, site);
  const workspace = dirname(project.folder);
  const jobOf = (summary: string) => ({
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: workspace,
    GITHUB_STEP_SUMMARY: project.path(summary),
  });
  mkdirSync(project.path('folder'));
  const green = await project.test([], jobOf('folder'));
  expect(green, 'a summary that cannot be written changes no result').toExit(0);
  expect(green.stdout).toContain('proofsheet: cannot write the job summary: EISDIR');
  const env = { GITHUB_TOKEN: 'sesame', GITHUB_API_URL: github.url };
  const greenReport = project.path('green-report');
  copyFolder(project.path('proofsheet-report'), greenReport);

  site.write({ 'index.html': html('<h1>Home, sweet home</h1>') });
  project.write({ 'job.md': '' });
  const run = await project.test([], jobOf('job.md'));
  expect(run).toExit(1);
  const annotations = run.stdout.split('\n').filter((line) => line.startsWith('::'));
  expect(annotations).toHaveLength(1);
  const [properties = '', message] = annotations[0]?.split(/(?<=home)::/) ?? [];
  expect(properties).toBe(`::error file=${basename(project.folder)}/pages.yaml,line=3,title=changed%3A home`);
  expect(message).toMatch(/^h1: text "Home" -> "Home, sweet home"; [\d,]+ px \([\d.]+ %25\) differ, limit 0 px; /);
  expect(readFileSync(project.path('job.md'), 'utf8').trim()).toBe(
    readFileSync(project.path('proofsheet-report/summary.md'), 'utf8').trim(),
  );

  const before = readFileSync(project.path('proofsheet-report/results.json'));
  github.trouble.set('POST', 403);
  const refused = await project.proofsheet(COMMENT, env);
  expect(refused).toExit(2);
  expect(refused.stdout).toBe('');
  expect(refused.output).toMatch(
    /^proofsheet: no comment was posted: GitHub responded with status 403 to POST \S+: .*\n$/,
  );
  expect(refused.output).not.toContain('sesame');

  github.trouble.clear();
  expect((await project.proofsheet(COMMENT, env)).stdout).toBe('proofsheet: the comment was created\n');
  expect(github.comments[0]?.body).toMatch(/^<!-- proofsheet:proofsheet -->\n## proofsheet: not passed\n/);
  expect((await project.proofsheet(COMMENT, env)).stdout).toBe('proofsheet: the comment is already up to date\n');
  expect(readFileSync(project.path('proofsheet-report/results.json'))).toEqual(before);

  const update = await project.proofsheet([...COMMENT, '--from', greenReport], env);
  expect(update.stdout).toBe('proofsheet: the comment was updated\n');
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0]?.body).toContain('## proofsheet: passed');
});

test('github-comment finds the pull request by the event of the finished workflow, not by the run', async ({
  project,
  github,
}) => {
  const { root } = await finishRun([{ id: 'home', status: 'changed', before: '#ff0000', after: '#0000ff' }]);
  const sha = 'a'.repeat(40);
  const workflow_run = {
    ...{ head_sha: sha, head_branch: 'topic', head_repository: { id: 7, owner: { login: 'fork' } } },
    html_url: 'https://github.com/octo/site/actions/runs/9',
  };
  project.write({ 'event.json': JSON.stringify({ action: 'completed', workflow_run }) });
  const env = {
    ...{ GITHUB_TOKEN: 'sesame', GITHUB_API_URL: github.url, GITHUB_REPOSITORY: 'octo/site' },
    GITHUB_EVENT_PATH: project.path('event.json'),
  };
  const none = await project.proofsheet(['github-comment', '--from', join(root, 'proofsheet-report')], env);
  expect(none).toExit(0);
  expect(none.output).toContain('no open pull request has the tested commit as its head');
  github.pulls.push({ number: 12, label: 'fork:topic', head: { sha, repo: { id: 7 } } });
  expect(await project.proofsheet(['github-comment', '--from', join(root, 'proofsheet-report')], env)).toExit(0);
  expect(github.comments[0]?.body).toContain(
    `Commit ${sha}. The report with its images is an artifact of the [workflow run](<${workflow_run.html_url}>).`,
  );
  rmSync(root, { recursive: true });
});

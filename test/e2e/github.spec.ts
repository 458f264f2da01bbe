import { readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type FakeGitHub, serveGitHub } from '../unit/commands/github-server.js';
import { finishRun } from '../unit/review/finished-run.js';
import { prepareTwoPages } from './baselines.js';
import { test as base, expect, html } from './project.js';

const test = base.extend<{ github: FakeGitHub }>({
  github: async ({}, use) => {
    const server = await serveGitHub();
    await use(server);
    await server.close();
  },
});

// When a comment is created, updated or refused: test/unit/commands/github-comment.test.ts.
test('in GitHub Actions a changed page is an error at its line of the list, and the job gets the summary', async ({
  project,
  site,
}) => {
  await prepareTwoPages(project, site);
  site.write({ 'index.html': html('<h1>Home, sweet home</h1>') });
  project.write({ 'job.md': '' });
  const run = await project.test([], {
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: dirname(project.folder),
    GITHUB_STEP_SUMMARY: project.path('job.md'),
  });
  expect(run).toExit(1);
  const annotations = run.stdout.split('\n').filter((line) => line.startsWith('::'));
  expect(annotations).toHaveLength(1);
  const [properties = '', message] = annotations[0]?.split(/(?<=home)::/) ?? [];
  expect(properties).toBe(`::error file=${basename(project.folder)}/pages.yaml,line=4,title=changed%3A home`);
  expect(message).toMatch(/^h1: text "Home" -> "Home, sweet home"; [\d,]+ px \([\d.]+ %25\) differ, limit 0 px; /);
  expect(readFileSync(project.path('job.md'), 'utf8').trim()).toBe(
    readFileSync(project.path('proofsheet-report/summary.md'), 'utf8').trim(),
  );
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
  github.pulls.push({ number: 12, label: 'fork:topic', head: { sha, repo: { id: 7 } } });
  expect(await project.proofsheet(['github-comment', '--from', join(root, 'proofsheet-report')], env)).toExit(0);
  expect(github.comments[0]?.body).toContain(
    `Commit ${sha}. The report with its images is an artifact of the [workflow run](<${workflow_run.html_url}>).`,
  );
  rmSync(root, { recursive: true });
});

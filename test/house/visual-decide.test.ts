// @module-tag slow
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readRun } from '../../src/baselines/read-run.js';
import { renderMarkdown } from '../../src/report/render-markdown.js';
import { markRejections, readRejections } from '../../src/run/rejections.js';
import { finishRun, pathOf } from '../unit/review/finished-run.js';
import { jobSchema, runJob, writePrograms } from './run-job.js';
import { serveApi, useSandbox } from './sandbox.js';

/*
 * Runs the steps of visual-decide.yml: with `proofsheet`, git, Git LFS and jq as they are, local bare repositories, and a server that answers
 * as GitHub's API does. Only actions, `npx` and `gh` are replaced: a checkout, a copy, the package of this checkout, and requests to the server.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const { jobs } = z
  .object({ jobs: z.object({ decide: jobSchema }) })
  .parse(parse(readFileSync(join(root, '.github/workflows/visual-decide.yml'), 'utf8')));
const job = jobs.decide;

const hasLfs = spawnSync('git', ['lfs', 'version']).status === 0;
const hasJq = spawnSync('jq', ['--version']).status === 0;
const IDS = ['home', 'docs', 'price'];

interface Comment {
  readonly id: number;
  readonly body: string;
  readonly user: { readonly login: string };
  readonly created_at: string;
  readonly html_url: string;
}

const sandbox = useSandbox();
const { env, at, put, git } = sandbox;
let server: Awaited<ReturnType<typeof serveApi>>;
let github: {
  comments: Comment[];
  pull: { head: { sha: string; ref: string; repo: { id: number; full_name: string } }; maintainer_can_modify: boolean };
  runs: { id: number; head_sha: string; head_repository: { id: number } }[];
  /** When the report of each run was uploaded. */
  reports: Map<number, string>;
  started: string[];
};

/** A pull request of `topic` with one report: group 1 of `home` and `docs`, and `price`. */
beforeEach(async ({ skip }) => {
  skip(!hasJq, 'needs jq, which is no dependency of the project');
  const changed = { status: 'changed', before: '#ffffff', after: '#ff0000' } as const;
  const run = await finishRun([
    { id: 'home', ...changed, changes: { group: '1' } },
    { id: 'docs', ...changed, changes: { group: '1' } },
    { id: 'price', ...changed, changes: { group: '2' } },
  ]);
  cpSync(run.folder, at('reports/9'), { recursive: true });
  rmSync(run.folder, { recursive: true });
  cpSync(run.root, at('author'), { recursive: true });
  writePrograms(at('bin'));
  git('.', 'init', '-q', '--bare', 'octo/site');
  git('.', 'init', '-q', '--bare', 'fan/site');
  git('author', 'init', '-q', '-b', 'topic');
  put('author/site.css', 'old');
  commit('first');
  github = {
    comments: [],
    pull: { head: { sha: '', ref: 'topic', repo: { id: 1, full_name: 'octo/site' } }, maintainer_can_modify: false },
    runs: [],
    reports: new Map(),
    started: [],
  };
  reportOf(9, '2026-11-28T10:00:00Z');
  server = await serveApi(answer);
  Object.assign(env, {
    ...{ API: server.url, GITHUB_SERVER_URL: `file://${at('.')}` },
    ...{ GITHUB_REPOSITORY: 'octo/site', GITHUB_RUN_ID: '77' },
  });
});

afterEach(() => void server?.close());

test('approves a group for a person with write access, commits it, starts the checks and answers once; a later comment takes it back', async () => {
  const before = tip();
  expect(await say('/proofsheet approve 1', 'writer')).toBe('success');
  const committed = tip();
  expect(approved()).toEqual(['home', 'docs']);
  expect(git('octo/site', 'rev-parse', 'topic^').trim()).toBe(before);
  expect(git('octo/site', 'log', '-1', '--format=%an: %B', 'topic')).toMatch(
    /^github-actions\[bot\]: Decide visual changes\n\nDecided by writer: https:\/\/github.com\/octo\/site\/pull\/12#1\n/,
  );
  expect(github.started).toEqual(['visual-compare.yml topic']);
  await decide(github.comments[0]);
  await say('Should I write `/proofsheet approve all`?\n> /proofsheet approve all', 'writer');
  expect(tip()).toBe(committed);
  expect(answers()).toEqual([expect.stringContaining(`approved, baseline written: 2 shots`)]);
  expect(answers()[0]).toContain(`Committed as ${committed}.`);
  await say('/proofsheet reject home', 'writer');
  expect(approved()).toEqual(['docs']);
  expect(answers()[1]).toContain('rejected, baseline restored: 1 shot: `home [chromium]`');
});

test('refuses a comment without write access; the text of a comment is no command, and no markup in the answer', async () => {
  for (const login of ['reader', 'stranger']) {
    expect(await say('/proofsheet approve all', login)).toBe('success');
    expect(answers().at(-1)).toContain(`Refused: \`${login}\` has no write access`);
  }
  expect(approved()).toEqual([]);
  const text = `/proofsheet reject 1 "$(touch ${at('owned')})\`touch ${at('owned')}\`' @octo <b>"`;
  expect(await say(text, 'writer')).toBe('success');
  expect(existsSync(at('owned'))).toBe(false);
  expect(answers()[2]?.replace(/(`+).*?\1/g, '')).not.toMatch(/@octo|<b>/);
});

test('of two comments at once, the second is done on the result of the first and knows what it rejected', async () => {
  const both = [
    add('/proofsheet reject price "it must stay"\n/proofsheet approve docs', 'writer'),
    add('/proofsheet approve all', 'admin'),
  ];
  const seen = [];
  for (const comment of both) {
    expect(await decide(comment)).toBe('success');
    seen.push(approved());
  }
  expect(seen).toEqual([['docs'], ['home', 'docs']]);
  expect(git('octo/site', 'log', '--format=%s', 'topic').trim().split('\n')).toHaveLength(3);
  expect(answers()[1]).toContain(
    'refused: 1 shot: `price [chromium]`: `the shot was rejected; pass its ID to approve it`',
  );
  expect(answers()).toHaveLength(2);
});

test('a rejection is committed: the next run marks the same change as rejected before, until it is approved', async () => {
  expect(await say('/proofsheet reject price "it must stay"', 'writer')).toBe('success');
  const changedFiles = () => git('octo/site', 'show', '--name-only', '--format=', 'topic').trim().split('\n');
  expect(changedFiles()).toEqual(['proofsheet-rejections.json']);
  expect(github.started).toEqual(['visual-compare.yml topic']);
  git('.', 'clone', '-q', '--branch', 'topic', `file://${at('octo/site')}`, 'next');
  const next = markRejections(await readRun(at('reports/9')), await readRejections(at('next')));
  const lines = renderMarkdown(next).split('\n');
  expect(lines.filter((line) => line.includes('rejected before'))).toEqual([
    expect.stringMatching(/`rejected before by writer on 2026-11-28: it must stay; .*`price /),
  ]);
  await say('/proofsheet approve price', 'writer');
  expect(approved()).toEqual(['price']);
  expect(changedFiles()).toEqual(['proofsheet-rejections.json', pathOf('price')]);
});

test('refuses a report of another fork with a branch of the same name, a missing one, and one whose branch has other changes since then', async () => {
  const { runs, reports } = github;
  github.runs = runs.map((run) => ({ ...run, head_repository: { id: 3 } }));
  await say('/proofsheet approve all', 'writer');
  Object.assign(github, { runs, reports: new Map() });
  await say('/proofsheet approve all', 'writer');
  github.reports = reports;
  put('author/site.css', 'new');
  commit('second');
  expect(await say('/proofsheet approve all', 'writer')).toBe('success');
  expect(approved()).toEqual([]);
  expect(answers()).toEqual([
    expect.stringContaining('Refused: this pull request has no report that is older than the comment.'),
    expect.stringContaining('Refused: this pull request has no report that is older than the comment.'),
    expect.stringMatching(/Refused: the report is of the commit \w{40}, but the branch is at \w{40}/),
  ]);
});

test('takes the report that the author of the comment has seen, not one that came later', async () => {
  const comment = add('/proofsheet approve 2', 'writer');
  cpSync(at('reports/9'), at('reports/10'), { recursive: true });
  reportOf(10, comment.created_at);
  // In the new report, group 2 is another one.
  const path = 'reports/10/results.json';
  const { shots, ...record } = JSON.parse(readFileSync(at(path), 'utf8'));
  const swapped = shots.map((shot: { group: string }) => ({ ...shot, group: shot.group === '1' ? '2' : '1' }));
  put(path, JSON.stringify({ ...record, shots: swapped }));
  await decide(comment);
  expect(approved()).toEqual(['price']);
});

function openFork(maintainer_can_modify: boolean): void {
  const head = { ...github.pull.head, repo: { id: 1, full_name: 'fan/site' } };
  Object.assign(github.pull, { head, maintainer_can_modify });
  git('octo/site', 'update-ref', '-d', 'refs/heads/topic');
}

test('commits to a fork that may be modified', async () => {
  openFork(true);
  expect(await say('/proofsheet approve all', 'writer')).toBe('success');
  expect({ approved: approved(), started: github.started }).toEqual({ approved: IDS, started: [] });
});

test('of a fork that may not be modified, the author gets a command with the images of all comments', async () => {
  openFork(false);
  await say('/proofsheet approve home', 'writer');
  expect(await say('/proofsheet approve docs', 'writer')).toBe('success');
  expect({ approved: approved(), started: github.started }).toEqual({ approved: [], started: [] });
  const [command = ''] = /(?<=```sh\n).*(?=\n```)/.exec(answers()[1] ?? '') ?? [];
  expect(command).toMatch(/^gh run download 77 --repo octo\/site --name baselines --dir \S+ && cp -R \S+ \.$/);
  const download = `gh() { cp -R ${at('temp/baselines')} "\${!#}"; }\n${command}`;
  expect(spawnSync('bash', ['-c', download], { cwd: at('author') }).status).toBe(0);
  commit('approved');
  expect(approved()).toEqual(['home', 'docs']);
});

test('a branch that does not take the push gets a command, too', async () => {
  writeFileSync(at('octo/site/hooks/pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  expect(await say('/proofsheet approve all', 'writer')).toBe('success');
  expect(answers()).toEqual([expect.stringContaining('This workflow could not write to the branch.')]);
});

test('an error is answered once, with the log', async () => {
  rmSync(at('reports/9/results.json'));
  expect(await say('/proofsheet approve all', 'writer')).toBe('failure');
  expect(answers()).toEqual([
    expect.stringContaining(`This failed: see [the log](file://${at('octo')}/site/actions/runs/77)`),
  ]);
});

// Needs git-lfs, which is no dependency of the project.
test.skipIf(!hasLfs)('uploads the objects of Git LFS, so that another clone has the new image', async () => {
  git('.', 'lfs', 'install', '--skip-repo');
  git('author', 'lfs', 'install', '--local');
  put('author/.gitattributes', '*.png filter=lfs diff=lfs merge=lfs -text\n');
  git('author', 'add', '--renormalize', '.');
  commit('lfs');
  github.runs = [];
  reportOf(9, '2026-11-28T10:00:00Z');
  expect(await say('/proofsheet approve 1', 'writer')).toBe('success');
  expect(git('octo/site', 'show', `topic:${pathOf('home')}`)).toMatch(/^version https:\/\/git-lfs/);
  expect(git('octo/site', 'show', '--name-only', '--format=', 'topic').trim().split('\n')).toEqual([
    pathOf('docs'),
    pathOf('home'),
  ]);
  git('.', 'clone', '-q', '--branch', 'topic', `file://${at('octo/site')}`, 'later');
  expect(readFileSync(at(`later/${pathOf('home')}`))).toEqual(afterOf(0));
});

function add(body: string, login: string): Comment {
  const id = github.comments.length + 1;
  const created_at = `2026-11-28T10:1${id}:00Z`;
  github.comments.push({
    id,
    body,
    user: { login },
    created_at,
    html_url: `https://github.com/octo/site/pull/12#${id}`,
  });
  return github.comments.at(-1) ?? expect.unreachable();
}

function say(body: string, login: string): Promise<string> {
  return decide(add(body, login));
}

function decide(comment: Comment | undefined): Promise<string> {
  for (const name of ['temp', 'checkout']) rmSync(at(name), { recursive: true, force: true });
  mkdirSync(at('temp'));
  const values = {
    'github.event.comment.user.login': comment?.user.login ?? '',
    'github.event.comment.id': String(comment?.id),
    'github.event.issue.number': '12',
    'github.token': 'sesame',
    'secrets.PROOFSHEET_TOKEN || github.token': 'sesame',
    "secrets.PROOFSHEET_TOKEN != ''": 'false',
  };
  const use = (action: string, outputs: ReadonlyMap<string, string>) => {
    if (action === 'actions/checkout') checkout(outputs.get('find.commit') ?? '');
    if (action !== 'actions/download-artifact') return;
    cpSync(at(`reports/${outputs.get('find.run')}`), at('temp/proofsheet-report'), { recursive: true });
  };
  return runJob(job, { sandbox, env: { TOOL_FOLDER: at('temp/decide') }, values, use });
}

/** As `actions/checkout` does for a commit: without a branch, and without the commits before it. */
function checkout(sha: string): void {
  git('.', 'init', '-q', 'checkout');
  git('checkout', 'remote', 'add', 'origin', `file://${at('octo/site')}`);
  if (hasLfs) git('checkout', 'lfs', 'install', '--local');
  git('octo/site', 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  git('checkout', 'fetch', '-q', '--depth', '1', 'origin', sha);
  git('checkout', 'checkout', '-q', '--force', sha);
}

function answer(method: string, { pathname, searchParams }: URL, body: string): unknown {
  const { comments, pull, runs, reports, started } = github;
  const [, login] = /^\/repos\/octo\/site\/collaborators\/(\w+)\/permission$/.exec(pathname) ?? [];
  const permissions: Record<string, string> = { writer: 'write', admin: 'admin', reader: 'read' };
  if (login) return permissions[login] ? { permission: permissions[login] } : null;
  const [, run] = /^\/repos\/octo\/site\/actions\/runs\/(\d+)\/artifacts$/.exec(pathname) ?? [];
  if (run) {
    const created_at = searchParams.get('name') === 'proofsheet-report' ? reports.get(Number(run)) : undefined;
    return { artifacts: created_at ? [{ id: Number(run) * 100, expired: false, created_at }] : [] };
  }
  switch (`${method} ${pathname}`) {
    case 'GET /repos/octo/site/issues/12/comments':
      return comments;
    case 'POST /repos/octo/site/issues/12/comments':
      add(JSON.parse(body).body, 'github-actions[bot]');
      return {};
    case 'GET /repos/octo/site/pulls/12':
      return pull;
    case 'GET /repos/octo/site/actions/workflows/visual-compare.yml/runs':
      return { workflow_runs: searchParams.get('branch') === 'topic' ? runs : [] };
    case 'POST /dispatch/visual-compare.yml':
      started.push(`visual-compare.yml ${JSON.parse(body).ref}`);
      return {};
    default:
      return null;
  }
}

/** Adds the report of a run on the branch as it is now. Its files are in `reports`. */
function reportOf(run: number, created: string): void {
  const path = `reports/${run}/results.json`;
  const record = JSON.parse(readFileSync(at(path), 'utf8'));
  put(path, JSON.stringify({ ...record, run: { ...record.run, commit: tip() } }));
  github.runs.unshift({ id: run, head_sha: tip(), head_repository: { id: 1 } });
  github.reports.set(run, created);
}

function commit(message: string): void {
  git('author', 'add', '.');
  git('author', 'commit', '-q', '-m', message);
  for (const repo of ['octo', 'fan']) git('author', 'push', '-q', '--force', `file://${at(repo)}/site`, 'topic');
  git('author', 'push', '-q', '--force', `file://${at('octo')}/site`, 'topic:refs/pull/12/head');
}

function tip(): string {
  return git(github?.pull.head.repo.full_name ?? 'octo/site', 'rev-parse', 'topic').trim();
}

/** The shots whose baseline on the branch of the pull request is the image of the report. */
function approved(): string[] {
  const { full_name } = github.pull.head.repo;
  const options = { cwd: at(full_name), env: { ...env, GIT_DIR: '.' } };
  return IDS.filter((id, n) => execFileSync('git', ['show', `topic:${pathOf(id)}`], options).equals(afterOf(n)));
}

function afterOf(n: number): Buffer {
  return readFileSync(at(`reports/9/screenshots/localhost/${n}/1.png`));
}

function answers(): string[] {
  return github.comments.filter(({ user }) => user.login === 'github-actions[bot]').map(({ body }) => body);
}

// @module-tag slow
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readDocs, snippetsOf } from '../docs-snippets.js';
import { finishRun, pathOf } from '../unit/review/finished-run.js';
import { writePrograms } from './run-job.js';
import { serveApi, useSandbox } from './sandbox.js';

/*
 * Runs the scripts of docs/gitlab.md: with `proofsheet`, curl, jq, unzip, git and Git LFS as they are, a local bare repository, and a server that
 * answers as GitLab's API does. Only `npx` is replaced, by the package of this checkout.
 */

const [snippet] = readDocs()
  .filter(({ path }) => path === 'docs/gitlab.md')
  .flatMap(snippetsOf);
const jobs = z.record(z.string(), z.object({ script: z.array(z.string()) })).parse(parse(snippet?.text ?? ''));

const hasTools = ['curl', 'jq', 'zip', 'unzip', 'git-lfs'].every(
  (tool) => spawnSync(tool, ['--version']).error === undefined,
);

const REPORT = 'author/proofsheet-report/results.json';

const { env, at, put, git, bash } = useSandbox();

let server: Awaited<ReturnType<typeof serveApi>>;
let notes: { id: number; body: string; author: { username: string }; created_at: string }[];
let tokens: Set<string | undefined>;

/** A merge request of `topic` with a report of three changed shots, whose baselines are in Git LFS. */
beforeEach(async ({ skip }) => {
  skip(!hasTools, 'needs curl, jq, zip, unzip and git-lfs, which are no dependencies of the project');
  const changed = { status: 'changed', before: '#ffffff', after: '#ff0000' } as const;
  const run = await finishRun(['home', 'docs', 'price'].map((id) => ({ id, ...changed })));
  writePrograms(at('bin'));
  git('.', 'lfs', 'install', '--skip-repo');
  git('.', 'init', '-q', '--bare', 'site.git');
  cpSync(run.root, at('author'), { recursive: true });
  git('author', 'init', '-q', '-b', 'topic');
  put('author/.gitattributes', '*.png filter=lfs diff=lfs merge=lfs -text\n');
  put('author/.gitignore', 'proofsheet-report\n');
  commit('first');
  const record = JSON.parse(readFileSync(at(REPORT), 'utf8'));
  put(REPORT, JSON.stringify({ ...record, run: { ...record.run, commit: tip() } }));
  execFileSync('zip', ['-qr', at('report.zip'), 'proofsheet-report'], { cwd: at('author') });
  git('.', 'clone', '-q', '--branch', 'topic', `file://${at('site.git')}`, 'checkout');
  cpSync(at('author/proofsheet-report'), at('checkout/proofsheet-report'), { recursive: true });
  [notes, tokens] = [[], new Set()];
  server = await serveApi((method, url, body, token) => {
    tokens.add(token);
    return answer(method, url, new URLSearchParams(body).get('body') ?? '');
  });
  Object.assign(env, {
    CI_API_V4_URL: `${server.url}/api/v4`,
    ...{
      CI_PROJECT_ID: '7',
      CI_MERGE_REQUEST_IID: '12',
      CI_PIPELINE_ID: '30',
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'topic',
    },
    ...{ CI_PROJECT_URL: `file://${at('site')}`, CI_JOB_URL: 'https://gitlab.example.com/octo/site/-/jobs/99' },
    ...{ CI_COMMIT_SHA: tip(), GITLAB_USER_LOGIN: 'ann', PROOFSHEET_TOKEN: 'sesame', CI_PROJECT_DIR: at('checkout') },
  });
});

afterEach(() => void server?.close());

test('writes the summary as one note, and updates it', async () => {
  add('Please have a look', 'ann');
  expect(await run('visual-note')).toBe(true);
  const summary = readFileSync(at('checkout/proofsheet-report/summary.md'), 'utf8');
  expect(notes.map(({ body }) => body)).toEqual(['Please have a look', `<!-- proofsheet -->\n${summary}`]);
  put('checkout/proofsheet-report/summary.md', 'All & passed +1\n');
  expect(await run('visual-note')).toBe(true);
  expect(notes[1]?.body).toBe('<!-- proofsheet -->\nAll & passed +1\n');
  expect({ notes: notes.length, tokens: [...tokens] }).toEqual({ notes: 2, tokens: ['Bearer sesame'] });
});

test('decides what the person who starts the job wrote since the report, commits it with Git LFS, and answers once', async () => {
  add('/proofsheet approve price', 'ann', '09:00');
  add(`/proofsheet reject price "$(touch ${at('owned')})"`, 'ann');
  add('/proofsheet approve all', 'somebody');
  add('/proofsheet approve home', 'ann');
  const before = tip();
  expect(await run('visual-decide')).toBe(true);
  expect(git('site.git', 'show', '--name-only', '--format=%P %B', 'topic').trim().split(/\n+/)).toEqual([
    `${before} Decide visual changes`,
    'Decided by ann: https://gitlab.example.com/octo/site/-/jobs/99',
    'proofsheet-rejections.json',
    pathOf('home'),
  ]);
  expect(git('site.git', 'show', `topic:${pathOf('home')}`)).toMatch(/^version https:\/\/git-lfs/);
  git('.', 'clone', '-q', '--branch', 'topic', `file://${at('site.git')}`, 'later');
  const after = at('author/proofsheet-report/screenshots/localhost/0/1.png');
  expect(readFileSync(at(`later/${pathOf('home')}`))).toEqual(readFileSync(after));
  expect(notes).toHaveLength(5);
  expect(notes[4]?.body).toMatch(/rejected: 1 shot: `price.*approved, baseline written: 1 shot: `home/s);
  expect(existsSync(at('owned'))).toBe(false);
});

test('answers that the branch has a newer commit, and does not overwrite it', async () => {
  add('/proofsheet approve all', 'ann');
  put('author/site.css', 'new');
  commit('second');
  expect(await run('visual-decide')).toBe(true);
  expect(git('site.git', 'log', '-1', '--format=%s', 'topic').trim()).toBe('second');
  expect(notes[1]?.body).toBe('Refused: the branch has a newer commit. Decide in its pipeline.\n');
});

test('in a pipeline of merged results, commits on the branch and not on the merge', async () => {
  add('/proofsheet approve home', 'ann');
  const before = tip();
  const merge = git('checkout', 'commit-tree', 'HEAD^{tree}', '-p', before, '-m', 'merge').trim();
  git('checkout', 'checkout', '-q', merge);
  put(REPORT, readFileSync(at(REPORT), 'utf8').replace(before, merge));
  execFileSync('zip', ['-qr', at('report.zip'), 'proofsheet-report'], { cwd: at('author') });
  Object.assign(env, { CI_COMMIT_SHA: merge, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: before });
  expect(await run('visual-decide')).toBe(true);
  expect(git('site.git', 'rev-parse', 'topic^').trim()).toBe(before);
});

test('ends with an error if the person wrote no note, and does nothing for a note without a decision', async () => {
  add('/proofsheet approve all', 'somebody');
  expect(await run('visual-decide')).toBe(false);
  add('Looks good', 'ann');
  expect(await run('visual-decide')).toBe(true);
  expect(notes).toHaveLength(2);
});

function add(body: string, username: string, time = `10:1${notes.length}`): void {
  notes.push({ id: 500 + notes.length, body, author: { username }, created_at: `2026-11-28T${time}:00.000Z` });
}

/** Runs the script of a job, as a runner does. @returns whether it ended well */
function run(job: string): Promise<boolean> {
  return bash('checkout', jobs[job]?.script.join('\n') ?? 'exit 99');
}

function answer(method: string, { pathname, searchParams }: URL, body: string): unknown {
  const [, path = ''] = /^\/api\/v4\/projects\/7(\/.*)$/.exec(pathname) ?? [];
  const [, id] = /^\/merge_requests\/12\/notes\/(\d+)$/.exec(path) ?? [];
  const found = notes.find((note) => String(note.id) === id);
  if (method === 'PUT' && found) return Object.assign(found, { body });
  switch (`${method} ${path}`) {
    case 'GET /merge_requests/12/notes':
      return searchParams.get('sort') === 'asc' ? notes : notes.toReversed();
    case 'POST /merge_requests/12/notes':
      add(body, 'project_7_bot');
      return {};
    case 'GET /pipelines/30/jobs':
      return searchParams.getAll('scope[]').includes('failed')
        ? [
            { id: 40, name: 'lint', finished_at: '2026-11-28T11:00:00.000Z' },
            { id: 41, name: 'visual', finished_at: '2026-11-28T10:00:00.000Z' },
          ]
        : [];
    case 'GET /jobs/41/artifacts':
      return readFileSync(at('report.zip'));
    default:
      return null;
  }
}

function commit(message: string): void {
  git('author', 'add', '.');
  git('author', 'commit', '-q', '-m', message);
  git('author', 'push', '-q', '--force', `file://${at('site.git')}`, 'topic');
}

function tip(): string {
  return git('site.git', 'rev-parse', 'topic').trim();
}

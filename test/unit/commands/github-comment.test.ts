import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CommentFlags, postComment } from '../../../src/commands/github-comment.js';
import type { RunRecord } from '../../../src/model/run-record.js';
import { changedOf, runOf, shotOf } from '../report/specimens.js';
import { BOT, type FakeGitHub, serveGitHub } from './github-server.js';
import { runCommand } from './run-command.js';

const MARKER = '<!-- proofsheet:proofsheet -->\n';
const ACTIONS = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'octo/site', GITHUB_RUN_ID: '9' };
const GREEN = runOf([shotOf()]);
const RED = runOf([changedOf()]);

let server: FakeGitHub;
let folder: string;

beforeEach(async () => {
  server = await serveGitHub();
  folder = mkdtempSync(join(tmpdir(), 'proofsheet-comment-'));
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Changes extends Partial<CommentFlags> {
  /** Content of the event file. */
  readonly event?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Writes the comment of a run, as a workflow of a pull request does. */
function post(record: RunRecord, { event, env = {}, ...changes }: Changes = {}) {
  writeFileSync(join(folder, 'results.json'), JSON.stringify(record));
  if (event !== undefined) writeFileSync(join(folder, 'event.json'), event);
  const settings = {
    from: folder,
    repo: 'octo/site',
    pr: '12',
    name: 'proofsheet',
    author: BOT,
    report: null,
    pictures: true,
    status: false,
    ...changes,
  };
  const github = { GITHUB_TOKEN: 'sesame', GITHUB_API_URL: server.url };
  return postComment(
    settings,
    { ...github, ...(event !== undefined && { GITHUB_EVENT_PATH: join(folder, 'event.json') }), ...env },
    300,
  );
}

/** Writes the comment and returns the result. */
async function put(record: RunRecord, changes: Changes = {}) {
  return (await post(record, changes)).result;
}

/** Writes the comment and returns its text. */
async function textOf(record: RunRecord, changes: Changes = {}): Promise<string> {
  expect(await put(record, changes)).toEqual({ kind: 'created' });
  return server.comments.at(-1)?.body ?? '';
}

describe('a comment', () => {
  test('is created once and then updated', async () => {
    expect(await put(runOf([changedOf({ id: 'first' })]))).toEqual({ kind: 'created' });
    expect(await put(runOf([changedOf({ id: 'second' })]))).toEqual({ kind: 'updated' });
    expect(server.comments).toHaveLength(1);
    expect(server.comments[0]?.body.startsWith(`${MARKER}## proofsheet: not passed\n`)).toBe(true);
    expect(server.comments[0]?.body).toContain('second');
    expect(server.comments[0]?.body).not.toContain('first');
    expect([...server.tokens]).toEqual(['Bearer sesame']);
  });

  test('with the same text is not updated', async () => {
    await put(RED);
    server.comments.forEach((comment) => {
      comment.body = comment.body.replaceAll('\n', '\r\n');
    });
    expect(await put(RED)).toEqual({ kind: 'unchanged' });
    expect(server.requests.filter((request) => !request.startsWith('GET'))).toHaveLength(1);
  });

  test('of a green run is not created, but updates an earlier one', async () => {
    expect(await put(GREEN)).toEqual({ kind: 'unneeded' });
    expect(server.comments).toEqual([]);
    await put(RED);
    expect(await put(GREEN)).toEqual({ kind: 'updated' });
  });

  test('is found behind 250 others', async () => {
    for (let id = 1; id <= 250; id++) server.comments.push({ id, body: 'hello', user: { login: 'octocat' } });
    server.comments.push({ id: 900, body: `${MARKER}old`, user: { login: BOT } });
    expect(await put(RED)).toEqual({ kind: 'updated' });
    expect(server.comments.at(-1)?.body).toContain('## proofsheet: not passed');
    expect(server.requests.filter((request) => request.startsWith('GET'))).toHaveLength(3);
  });

  test('of another account is ignored, even with our marker', async () => {
    server.comments.push({ id: 1, body: `${MARKER}trust me`, user: { login: 'mallory' } });
    server.comments.push({ id: 2, body: `> quoted ${MARKER}`, user: { login: BOT } });
    expect(await put(RED)).toEqual({ kind: 'created' });
    expect(server.comments[0]?.body).toBe(`${MARKER}trust me`);
  });

  test('of another page list is a separate comment', async () => {
    await put(RED);
    expect(await put(RED, { name: 'docs' })).toEqual({ kind: 'created' });
    expect(server.comments).toHaveLength(2);
  });
});

describe('a request that fails has a reason of one line, without the token', () => {
  test.each([401, 403, 404, 422, 429, 500, 503, 302])('status %i, for reading and for writing', async (status) => {
    for (const method of ['POST', 'GET']) {
      server.trouble.set(method, status);
      const refused = await put(RED);
      expect(refused).toMatchObject({
        kind: 'refused',
        why: expect.stringContaining(`GitHub responded with status ${status} to ${method}`),
      });
      expect(JSON.stringify(refused)).not.toMatch(/sesame|\\n/);
    }
  });

  test.each(['silence', 'reset'] as const)('%s', async (trouble) => {
    server.trouble.set('GET', trouble);
    expect(await put(RED)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('GitHub did not respond to GET'),
    });
  });

  test.each([
    [{ GITHUB_TOKEN: '' }, 'GITHUB_TOKEN is not set. Add it to the environment of this step.'],
    [{ GITHUB_API_URL: 'nonsense' }, 'GitHub did not respond to GET'],
  ])('%j', async (env, why) => {
    expect(await put(RED, { env })).toMatchObject({ kind: 'refused', why: expect.stringContaining(why) });
  });

  test('of the command, with code 2, also in JSON', async () => {
    writeFileSync(join(folder, 'results.json'), JSON.stringify(RED));
    const words = ['github-comment', '--from', '.', '--repo', 'octo/site', '--pr', '12', '--json'];
    const { code, stdout } = await runCommand(folder, words, { GITHUB_TOKEN: '' });
    expect([code, JSON.parse(stdout)]).toMatchObject([2, { status: 'refused', error: true, comment: 'refused' }]);
  });

  test('a response that is not from GitHub', async () => {
    server.comments.push({ id: 1.5, body: 'x', user: { login: BOT } });
    expect(await put(RED)).toMatchObject({ why: expect.stringContaining('with unexpected data') });
  });
});

describe('the pull request of a workflow run', () => {
  const sha = 'abc0123';
  const head_repository = { id: 77, owner: { login: 'fork&head=octo' } };
  const run = { head_sha: sha, head_branch: 'a b&state=all', head_repository, html_url: 'https://github.com/' };
  const find = () => put(RED, { pr: null, event: JSON.stringify({ workflow_run: run }) });
  const label = `${head_repository.owner.login}:${run.head_branch}`;

  test('is the open one of that branch, that repository and that commit', async () => {
    server.pulls.push({ number: 3, label, head: { sha: 'old', repo: { id: 77 } } });
    server.pulls.push({ number: 4, label, head: { sha, repo: { id: 78 } } });
    server.pulls.push({ number: 5, label, head: { sha, repo: null } });
    server.pulls.push({ number: 12, label, head: { sha, repo: { id: 77 } } });
    expect(await find()).toEqual({ kind: 'created' });
    expect(server.requests.at(-1)).toBe('POST /repos/octo/site/issues/12/comments');
  });

  test('is not found if its head is another commit', async () => {
    server.pulls.push({ number: 12, label, head: { sha: 'newer', repo: { id: 77 } } });
    expect(await find()).toEqual({ kind: 'outdated' });
  });

  test('comes from the event; without an event, --pr is required', async () => {
    const event = JSON.stringify({ pull_request: { number: 12, head: { sha } } });
    expect(await put(RED, { pr: null, event })).toEqual({ kind: 'created' });
    expect(server.comments[0]?.body).toContain(`Commit ${sha}.`);
    expect(await put(RED, { pr: null })).toMatchObject({
      why: expect.stringContaining('has no pull request. Use --pr.'),
    });
  });
});

test('the command finds the pull request by the event of the finished workflow, not by the run', async () => {
  const sha = 'a'.repeat(40);
  const head = { head_sha: sha, head_branch: 'topic', head_repository: { id: 7, owner: { login: 'fork' } } };
  const workflow_run = { ...head, html_url: 'https://github.com/octo/site/actions/runs/9' };
  writeFileSync(join(folder, 'event.json'), JSON.stringify({ action: 'completed', workflow_run }));
  writeFileSync(join(folder, 'results.json'), JSON.stringify(RED));
  server.pulls.push({ number: 12, label: 'fork:topic', head: { sha, repo: { id: 7 } } });
  const env = { GITHUB_TOKEN: 'sesame', GITHUB_API_URL: server.url, GITHUB_REPOSITORY: 'octo/site' };
  const event = { GITHUB_EVENT_PATH: join(folder, 'event.json') };
  const ended = await runCommand(folder, ['github-comment', '--from', '.'], { ...env, ...event });
  expect(ended.code, ended.output).toBe(0);
  expect(server.comments[0]?.body).toContain(
    `Commit ${sha}. The report with its images is an artifact of the [workflow run](<${workflow_run.html_url}>).`,
  );
});

describe('the text of a comment', () => {
  const event = JSON.stringify({ pull_request: { number: 12, head: { sha: 'abcdef0123' } } });

  test('has the summary, the commit and the link of the workflow run', async () => {
    const text = await textOf(RED, { event, env: ACTIONS });
    expect(text).toContain('## proofsheet: not passed');
    expect(text).toContain(
      'Commit abcdef0123. The report with its images is an artifact of the [workflow run](<https://github.com/octo/site/actions/runs/9>).',
    );
  });

  test('links the published report instead of the workflow run', async () => {
    const event = JSON.stringify({ pull_request: { number: 1, head: { sha: 'abcdef0123' } } });
    const report = 'https://octo.github.io/site/proofsheet/pr-12/index.html';
    const text = await textOf(RED, { event, report, env: { GITHUB_RUN_ID: '9' } });
    expect(text.endsWith(`\n\nCommit abcdef0123. [Open the report](<${report}>).\n`)).toBe(true);
  });

  test('of 500 changed pages with long names stays below 60,000 characters and counts the others', async () => {
    const shots = Array.from({ length: 500 }, (_, index) => changedOf({ id: `${'n'.repeat(300)}${index}` }));
    const text = await textOf(runOf(shots), { event, env: ACTIONS });
    expect(text.length).toBeLessThan(60_000);
    expect(text).toMatch(/\n\nand \d+ more changes on \d+ shots\n/);
  });

  test('has no invalid link or commit', async () => {
    const made = JSON.stringify({ pull_request: { number: 12, head: { sha: '<b>' } } });
    const text = await textOf(RED, { event: made, env: { ...ACTIONS, GITHUB_SERVER_URL: 'javascript:alert(1)//' } });
    expect(text).not.toMatch(/javascript|<b>|Commit/);
  });
});

describe('the status of a commit', () => {
  const sha = 'abcdef0123456789abcdef0123456789abcdef01';
  const event = JSON.stringify({ pull_request: { number: 12, head: { sha } } });
  const report = 'https://octo.github.io/site/proofsheet/pr-12/index.html';

  test('counts the changes without a decision, links the report, and is of the head of the pull request', async () => {
    const merged = { commit: 'e'.repeat(40) };
    const shots = ['a', 'b', 'c'].map((id) => changedOf({ id, page: id, group: id === 'c' ? null : '1' }));
    const decided = changedOf({ id: 'd', page: 'd', decision: 'rejected' });
    await put(runOf([...shots, decided], merged), { event, report, status: true });
    expect(server.statuses).toEqual([
      {
        ...{ sha, state: 'failure', context: 'proofsheet', target_url: report },
        description: '3 changes on 4 of 4 pages, 2 undecided',
      },
    ]);
    await put(runOf([shotOf()], merged), { event, env: ACTIONS, name: 'docs', status: true });
    expect(server.statuses[1]).toMatchObject({ sha, state: 'success', context: 'proofsheet/docs' });
    expect(server.statuses[1]?.target_url).toBe('https://github.com/octo/site/actions/runs/9');
  });

  test('is set only on request, and without an event for the commit of the run', async () => {
    const run = runOf([changedOf()], { commit: sha });
    await put(run);
    expect(server.statuses).toEqual([]);
    await put(run, { status: true });
    expect(server.statuses).toMatchObject([{ sha, target_url: null }]);
    const { notes } = await post(runOf([changedOf()], { commit: '../../x' }), { status: true });
    expect(notes).toEqual(['no commit status was set: the tested commit is not known']);
  });

  test('is a warning, not a failure, if the permission is missing', async () => {
    server.trouble.set('POST statuses', 403);
    const { result, notes } = await post(RED, { event, status: true });
    expect(result).toEqual({ kind: 'created' });
    expect(notes).toEqual([
      `no commit status was set: GitHub responded with status 403 to POST /repos/octo/site/statuses/${sha}: the token lacks the permission "statuses: write", or the rate limit is exceeded`,
    ]);
  });

  test('has at most the length that GitHub takes', async () => {
    const kinds = (['changed', 'new', 'unstable', 'error'] as const).flatMap((status) =>
      Array.from({ length: 1200 }, (_, index) => shotOf({ id: `${status}${index}`, page: `${index}`, status })),
    );
    const problem = { code: 'x', where: 'x', found: 'x', advice: 'x' };
    await put(runOf(kinds, { problems: [problem], complete: false }), { event, status: true });
    expect(server.statuses).toHaveLength(1);
  });
});

describe('the event of a workflow', () => {
  test.each([
    [
      '{"pull_request":{},"workflow_run":{"head_branch":7}}',
      / pull_request.number is missing or has an unexpected value$/,
    ],
    ['[]', / it has an unexpected form$/],
    ['{', /Expected property name/],
  ])('that is %s has a note of one line', async (event, why) => {
    const { result, notes } = await post(RED, { event });
    expect(result).toEqual({ kind: 'created' });
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain(`${join(folder, 'event.json')}: the workflow event cannot be read: `);
    expect(notes[0]).toMatch(why);
    expect(notes[0]).not.toContain('\n');
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CommentFlags, postComment } from '../../../src/commands/github-comment.js';
import type { RunRecord } from '../../../src/model/run-record.js';
import { changedOf, runOf, shotOf } from '../report/specimens.js';
import { makeTempFolder } from '../temp-folder.js';
import { BOT, type FakeGitHub, serveGitHub } from './github-server.js';
import { runCommand } from './run-command.js';

const MARKER = '<!-- proofsheet:proofsheet -->\n';
const ACTIONS = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'octo/site', GITHUB_RUN_ID: '9' };
const REPORT = 'https://octo.github.io/site/proofsheet/pr-12/index.html';
const GREEN = runOf([shotOf()]);
const RED = runOf([changedOf()]);
const SHA = 'abcdef0123456789abcdef0123456789abcdef01';
const EVENT = JSON.stringify({ pull_request: { number: 12, head: { sha: SHA } } });

let server: FakeGitHub;
let folder: string;

beforeEach(async () => {
  server = await serveGitHub();
  folder = makeTempFolder();
});

afterEach(() => server.close());

interface Changes extends Partial<CommentFlags> {
  /** Content of the event file. */
  readonly event?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Writes the comment of a run, as a workflow of a pull request does. */
function post(record: RunRecord, { event, env = {}, ...changes }: Changes = {}) {
  const [path, results] = [join(folder, 'event.json'), join(folder, 'results.json')];
  writeFileSync(results, JSON.stringify(record));
  if (event !== undefined) writeFileSync(path, event);
  const flags = {
    ...{ from: folder, repo: 'octo/site', pr: '12', name: 'proofsheet', author: BOT },
    ...{ report: null, pictures: true, status: false, ...changes },
  };
  const github = { GITHUB_TOKEN: 'sesame', GITHUB_API_URL: server.url };
  return postComment(flags, { ...github, ...(event !== undefined && { GITHUB_EVENT_PATH: path }), ...env }, 300);
}

const put = async (record: RunRecord, changes: Changes = {}) => (await post(record, changes)).result;

async function textOf(record: RunRecord, changes: Changes = {}): Promise<string> {
  expect(await put(record, changes)).toEqual({ kind: 'created' });
  return server.comments.at(-1)?.body ?? '';
}

describe('a comment', () => {
  test('is created once and then updated, unless it has the same text, and another page list has its own', async () => {
    expect(await put(runOf([changedOf({ id: 'first' })]))).toEqual({ kind: 'created' });
    expect(await put(runOf([changedOf({ id: 'second' })]))).toEqual({ kind: 'updated' });
    expect(server.comments.map(({ body }) => body)).toEqual([
      expect.stringMatching(/^<!-- proofsheet:proofsheet -->\n## proofsheet: not passed\n(?!.*first).*second/s),
    ]);
    expect([...server.tokens]).toEqual(['Bearer sesame']);
    for (const comment of server.comments) comment.body = comment.body.replaceAll('\n', '\r\n');
    const count = server.requests.length;
    expect(await put(runOf([changedOf({ id: 'second' })]))).toEqual({ kind: 'unchanged' });
    expect(server.requests.slice(count)).toEqual([expect.stringMatching(/^GET/)]);
    expect(await put(RED, { name: 'docs' })).toEqual({ kind: 'created' });
    expect(server.comments).toHaveLength(2);
  });

  test('of a green run is not created, but updates an earlier one', async () => {
    expect(await put(GREEN)).toEqual({ kind: 'unneeded' });
    expect(server.comments).toEqual([]);
    await put(RED);
    expect(await put(GREEN)).toEqual({ kind: 'updated' });
  });

  test('is found behind 250 others, and none of another account is taken for it', async () => {
    const strange = { id: 1, body: `${MARKER}trust me`, user: { login: 'mallory' } };
    server.comments.push(strange, { id: 2, body: `> quoted ${MARKER}`, user: { login: BOT } });
    for (let id = 3; id <= 250; id++) server.comments.push({ id, body: 'hello', user: { login: 'octocat' } });
    expect(await put(RED)).toEqual({ kind: 'created' });
    expect(await put(GREEN)).toEqual({ kind: 'updated' });
    expect(server.comments[0]).toEqual(strange);
    expect(server.comments.at(-1)?.body).toContain('## proofsheet: passed');
    expect(server.requests.filter((request) => request.startsWith('GET'))).toHaveLength(6);
  });
});

describe('a request that fails has a reason of one line, without the token', () => {
  test.each([401, 403, 404, 422, 302, 'silence', 'reset'] as const)('%s, to read and to write', async (trouble) => {
    const why = `GitHub ${typeof trouble === 'number' ? `responded with status ${trouble}` : 'did not respond'} to `;
    for (const method of ['POST', 'GET']) {
      server.trouble.set(method, trouble);
      const refused = await put(RED);
      expect(refused).toMatchObject({ kind: 'refused', why: expect.stringContaining(`${why}${method}`) });
      expect(JSON.stringify(refused)).not.toMatch(/sesame|\\n/);
    }
  });

  test.each([
    [{ GITHUB_TOKEN: '' }, 'GITHUB_TOKEN is not set. Add it to the environment of this step.'],
    [{ GITHUB_API_URL: 'nonsense' }, 'GitHub did not respond to GET'],
  ])('%j', async (env, why) => {
    expect(await put(RED, { env })).toMatchObject({ kind: 'refused', why: expect.stringContaining(why) });
  });

  test('of the command, with code 2, also in JSON; and a response that is not from GitHub', async () => {
    server.comments.push({ id: 1.5, body: 'x', user: { login: BOT } });
    expect(await put(RED)).toMatchObject({ why: expect.stringContaining('with unexpected data') });
    const words = ['github-comment', '--from', '.', '--repo', 'octo/site', '--pr', '12', '--json'];
    const { code, stdout } = await runCommand(folder, words, { GITHUB_TOKEN: '' });
    expect([code, JSON.parse(stdout)]).toMatchObject([2, { status: 'refused', error: true, comment: 'refused' }]);
  });
});

describe('the pull request', () => {
  const head_repository = { id: 77, owner: { login: 'fork&head=octo' } };
  const link = 'https://github.com/octo/site/actions/runs/9';
  const workflow_run = { head_sha: SHA, head_branch: 'a b&state=all', head_repository, html_url: link };
  const label = `${head_repository.owner.login}:${workflow_run.head_branch}`;
  const pullOf = (number: number, sha: string, id: number | null) => ({
    ...{ number, label, head: { sha, repo: id === null ? null : { id } } },
  });

  test('of a workflow run is the open one of that branch, that repository and that commit', async () => {
    const find = () => put(RED, { pr: null, event: JSON.stringify({ workflow_run }) });
    server.pulls.push(pullOf(3, 'newer', 77), pullOf(4, SHA, 78), pullOf(5, SHA, null));
    expect(await find()).toEqual({ kind: 'outdated' });
    server.pulls.push(pullOf(12, SHA, 77));
    expect(await find()).toEqual({ kind: 'created' });
    expect(server.requests.at(-1)).toBe('POST /repos/octo/site/issues/12/comments');
  });

  test('comes from the event, also that of the command, not from the run; without an event, --pr is required', async () => {
    expect(await put(RED, { pr: null })).toMatchObject({
      why: expect.stringContaining('has no pull request. Use --pr.'),
    });
    expect(await put(RED, { pr: null, event: EVENT })).toEqual({ kind: 'created' });
    writeFileSync(join(folder, 'event.json'), JSON.stringify({ action: 'completed', workflow_run }));
    server.pulls.push(pullOf(12, SHA, 77));
    const env = { GITHUB_TOKEN: 'sesame', GITHUB_API_URL: server.url, GITHUB_REPOSITORY: 'octo/site' };
    const event = { GITHUB_EVENT_PATH: join(folder, 'event.json') };
    const ended = await runCommand(folder, ['github-comment', '--from', '.'], { ...env, ...event });
    expect(ended.code, ended.output).toBe(0);
    expect(server.comments.at(-1)?.body).toContain(
      `Commit ${SHA}. The report with its images is an artifact of the [workflow run](<${link}>).`,
    );
  });
});

describe('the text of a comment', () => {
  test('has the commit, and the link of the published report or else of the workflow run', async () => {
    expect(await textOf(RED, { event: EVENT, env: ACTIONS })).toContain(
      `Commit ${SHA}. The report with its images is an artifact of the [workflow run](<https://github.com/octo/site/actions/runs/9>).`,
    );
    const text = await textOf(RED, { event: EVENT, report: REPORT, name: 'docs', env: ACTIONS });
    expect(text.endsWith(`\n\nCommit ${SHA}. [Open the report](<${REPORT}>).\n`)).toBe(true);
  });

  test('of 500 changed pages with long names stays below 60,000 characters and counts the others', async () => {
    const shots = Array.from({ length: 500 }, (_, index) => changedOf({ id: `${'n'.repeat(300)}${index}` }));
    const text = await textOf(runOf(shots), { event: EVENT, env: ACTIONS });
    expect(text.length).toBeLessThan(60_000);
    expect(text).toMatch(/\n\nand \d+ more changes on \d+ shots\n/);
  });
});

describe('the status of a commit', () => {
  const merged = { commit: 'e'.repeat(40) };

  test('counts the changes without a decision, links the report, and is of the head of the pull request', async () => {
    const shots = ['a', 'b', 'c'].map((id) => changedOf({ id, page: id, group: id === 'c' ? null : '1' }));
    const decided = changedOf({ id: 'd', page: 'd', decision: 'rejected' });
    await put(runOf([...shots, decided], merged), { event: EVENT, report: REPORT, status: true });
    await put(runOf([shotOf()], merged), { event: EVENT, env: ACTIONS, name: 'docs', status: true });
    const description = '3 changes on 4 of 4 pages, 2 undecided';
    const link = 'https://github.com/octo/site/actions/runs/9';
    expect(server.statuses).toMatchObject([
      { sha: SHA, state: 'failure', context: 'proofsheet', target_url: REPORT, description },
      { sha: SHA, state: 'success', context: 'proofsheet/docs', target_url: link },
    ]);
  });

  test('is set only on request, without an event for the commit of the run, and with the length that GitHub takes', async () => {
    await put(runOf([changedOf()], merged));
    expect(server.statuses).toEqual([]);
    const kinds = (['changed', 'new', 'unstable', 'error'] as const).flatMap((status) =>
      Array.from({ length: 1200 }, (_, index) => shotOf({ id: `${status}${index}`, page: `${index}`, status })),
    );
    const problems = [{ code: 'x', where: 'x', found: 'x', advice: 'x' }];
    await put(runOf(kinds, { ...merged, problems, complete: false }), { status: true });
    expect(server.statuses).toMatchObject([{ sha: merged.commit, target_url: null }]);
    const { notes } = await post(runOf([changedOf()], { commit: '../../x' }), { status: true });
    expect(notes).toEqual(['no commit status was set: the tested commit is not known']);
  });

  test('is a warning, not a failure, if the permission is missing', async () => {
    server.trouble.set('POST statuses', 403);
    const { result, notes } = await post(RED, { event: EVENT, status: true });
    expect(result).toEqual({ kind: 'created' });
    expect(notes).toEqual([
      `no commit status was set: GitHub responded with status 403 to POST /repos/octo/site/statuses/${SHA}: the token lacks the permission "statuses: write", or the rate limit is exceeded`,
    ]);
  });
});

test('an event of another form, or that is no JSON, says nothing', async () => {
  for (const event of ['{"pull_request":{},"workflow_run":{"head_branch":7}}', '[]', '{'])
    expect(await textOf(RED, { event, name: `n${event.length}` })).not.toContain('Commit');
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findPull, putComment } from '../../../src/github/comment.js';
import { readEvent } from '../../../src/github/main.js';
import { renderComment } from '../../../src/report/markdown/github.js';
import { changedOf, runOf, shotOf } from '../report/specimens.js';
import { BOT, type FakeGitHub, serveGitHub } from './github-server.js';

const MARKER = '<!-- proofsheet:proofsheet -->\n';
const ENVIRONMENT = {
  ...{ os: 'linux', arch: 'x64', browser: '&'.repeat(5000), browserVersion: '141', headless: 'shell' as const },
  ...{ scale: 1, fonts: null, engine: 'pixelmatch 7.2.0' },
};
const THREAD = { repo: 'octo/site', number: 12 };

let server: FakeGitHub;

beforeEach(async () => {
  server = await serveGitHub();
});

afterEach(() => server.close());

function put(body: string, changes: { isQuiet?: boolean; marker?: string } = {}) {
  const github = { url: server.url, token: 'sesame', timeoutMs: 300 };
  return putComment(github, THREAD, { marker: MARKER, author: BOT, body, isQuiet: false, ...changes });
}

describe('a comment', () => {
  test('is made once and then updated', async () => {
    expect(await put('first')).toEqual({ kind: 'created' });
    expect(await put('second')).toEqual({ kind: 'updated' });
    expect(server.comments.map(({ body }) => body)).toEqual([`${MARKER}second`]);
    expect([...server.tokens]).toEqual(['Bearer sesame']);
  });

  test('that says so already is left as it is', async () => {
    await put('same\nlines');
    server.comments.forEach((comment) => {
      comment.body = comment.body.replaceAll('\n', '\r\n');
    });
    expect(await put('same\nlines')).toEqual({ kind: 'unchanged' });
    expect(server.requests.filter((request) => !request.startsWith('GET'))).toHaveLength(1);
  });

  test('of a green run is not made, but updates an earlier one', async () => {
    expect(await put('green', { isQuiet: true })).toEqual({ kind: 'unneeded' });
    expect(server.comments).toEqual([]);
    await put('red');
    expect(await put('green', { isQuiet: true })).toEqual({ kind: 'updated' });
  });

  test('is found behind 250 others', async () => {
    for (let id = 1; id <= 250; id++) server.comments.push({ id, body: 'hello', user: { login: 'octocat' } });
    server.comments.push({ id: 900, body: `${MARKER}old`, user: { login: BOT } });
    expect(await put('new')).toEqual({ kind: 'updated' });
    expect(server.comments.at(-1)?.body).toBe(`${MARKER}new`);
    expect(server.requests.filter((request) => request.startsWith('GET'))).toHaveLength(3);
  });

  test('of somebody else is never taken for ours, whatever it begins with', async () => {
    server.comments.push({ id: 1, body: `${MARKER}trust me`, user: { login: 'mallory' } });
    server.comments.push({ id: 2, body: `> quoted ${MARKER}`, user: { login: BOT } });
    expect(await put('ours')).toEqual({ kind: 'created' });
    expect(server.comments[0]?.body).toBe(`${MARKER}trust me`);
  });

  test('of another page list is another one', async () => {
    await put('one');
    expect(await put('two', { marker: '<!-- proofsheet:docs -->\n' })).toEqual({ kind: 'created' });
    expect(server.comments).toHaveLength(2);
  });
});

describe('what GitHub refuses is told in one line without the token', () => {
  test.each([401, 403, 404, 422, 429, 500, 503, 302])('a %i, to looking and to writing', async (status) => {
    for (const method of ['POST', 'GET']) {
      server.trouble.set(method, status);
      const refused = await put('text');
      expect(refused).toMatchObject({
        kind: 'refused',
        why: expect.stringContaining(`GitHub answered ${status} to ${method}`),
      });
      expect(JSON.stringify(refused)).not.toMatch(/sesame|\\n/);
    }
  });

  test.each(['silence', 'reset'] as const)('%s', async (trouble) => {
    server.trouble.set('GET', trouble);
    expect(await put('text')).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('GitHub did not answer GET'),
    });
  });

  test('an answer that is none of GitHub', async () => {
    server.comments.push({ id: 1.5, body: 'x', user: { login: BOT } });
    expect(await put('text')).toMatchObject({ why: expect.stringContaining('something else than was asked') });
  });
});

describe('the pull request of a workflow run', () => {
  const head_repository = { id: 77, owner: { login: 'fork&head=octo' } };
  const run = { head_sha: 'abc', head_branch: 'a b&state=all', head_repository, html_url: 'https://github.com/' };
  const find = () => findPull({ url: server.url, token: 'sesame', timeoutMs: 300 }, 'octo/site', run);
  const label = `${head_repository.owner.login}:${run.head_branch}`;

  test('is the open one of that branch, that repository and that commit', async () => {
    server.pulls.push({ number: 3, label, head: { sha: 'old', repo: { id: 77 } } });
    server.pulls.push({ number: 4, label, head: { sha: 'abc', repo: { id: 78 } } });
    server.pulls.push({ number: 5, label, head: { sha: 'abc', repo: null } });
    server.pulls.push({ number: 12, label, head: { sha: 'abc', repo: { id: 77 } } });
    expect(await find()).toMatchObject({ kind: 'answered', value: 12 });
  });

  test('is none when its head has moved on', async () => {
    server.pulls.push({ number: 12, label, head: { sha: 'newer', repo: { id: 77 } } });
    expect(await find()).toMatchObject({ kind: 'answered', value: null });
  });
});

describe('what a comment says', () => {
  const context = { link: 'https://github.com/octo/site/actions/runs/9', commit: 'abcdef0123' };

  test('is the summary, with the commit and the place of the report', () => {
    const text = renderComment(runOf([changedOf()]), context);
    expect(text).toContain('## proofsheet: not passed');
    expect(text).toContain(
      'Commit abcdef0123. [The report with its images](<https://github.com/octo/site/actions/runs/9>)',
    );
  });

  test('of 500 changed pages with long names stays below 60,000 characters and counts the rest', async () => {
    const shots = Array.from({ length: 500 }, (_, index) => changedOf({ id: `${'n'.repeat(300)}${index}` }));
    const text = renderComment(runOf(shots), context);
    expect(MARKER.length + text.length).toBeLessThan(60_000);
    expect(text).toMatch(/\n\nand \d+ more\n/);
    expect(await put(text)).toEqual({ kind: 'created' });
  });

  test('of a record that was made up to be long does so too', () => {
    const long = '&'.repeat(5000);
    const problems = Array.from({ length: 500 }, () => ({ code: 'x', where: long, found: long, advice: long }));
    const shards = Array.from({ length: 50_000 }, (_, index) => ({ current: index, total: 2 ** 52 }));
    const kinds = [
      { status: 'changed', reason: long },
      { flaky: true },
      { written: true },
      { status: 'skipped' },
      ...Array.from({ length: 9 }, (_, index) => ({
        summary: changedOf().summary,
        environment: { ...ENVIRONMENT, browserVersion: `${index}${long}` },
      })),
    ] as const;
    const shots = Array.from({ length: 130 }, (_, index) =>
      shotOf({
        id: `${long}${index}`,
        project: long,
        baseline: { path: long, sha256: null, environment: ENVIRONMENT },
        ...kinds[index % 13],
      }),
    );
    const record = runOf(shots, { problems, shards, selected: [long] });
    expect(MARKER.length + renderComment(record, context).length).toBeLessThan(60_000);
  });

  test('has neither a link nor a commit that is none', () => {
    const text = renderComment(runOf([changedOf()]), { link: 'javascript:alert(1)', commit: '<b>' });
    expect(text).not.toMatch(/javascript|<b>|Commit/);
  });
});

describe('the event of a workflow', () => {
  test.each([
    [
      '{"pull_request":{},"workflow_run":{"head_branch":7}}',
      'pull_request.number: expected number, received undefined; pull_request.head: expected object, received undefined; workflow_run.head_sha: expected string, received undefined',
    ],
    ['[]', 'the event: expected object, received array'],
    ['{', 'Expected property name'],
  ])('that is %s is told in one line', async (text, why) => {
    const folder = mkdtempSync(join(tmpdir(), 'proofsheet-event-'));
    const path = join(folder, 'event.json');
    writeFileSync(path, text);
    const { event, notes } = await readEvent(path);
    rmSync(folder, { recursive: true, force: true });
    expect(event).toEqual({});
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain(`the event of this workflow cannot be read: ${path}: ${why}`);
    expect(notes[0]).not.toContain('\n');
  });
});

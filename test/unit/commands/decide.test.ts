import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseComment } from '../../../src/commands/decide.js';
import { renderAnswer } from '../../../src/report/render-review.js';
import { finishRun, pathOf } from '../review/finished-run.js';
import { runCommand } from './run-command.js';

const COMMIT = 'a1'.repeat(20);

/** A run with group 1 of two shots, and one other shot; answers a comment on it. */
async function decide(comment: string, commit: string | null = COMMIT) {
  const changed = { status: 'changed', before: '#ffffff', after: '#ff0000' } as const;
  const { root } = await finishRun(
    [
      { id: 'home', ...changed, changes: { group: '1' } },
      { id: 'docs', ...changed, changes: { group: '1' } },
      { id: 'the price', ...changed, changes: { group: null } },
    ],
    { commit },
  );
  writeFileSync(join(root, 'comment'), comment);
  const before = read(root);
  const ended = await runCommand(root, ['decide', '--comment-file', 'comment', '--commit', COMMIT, '--by', 'octocat']);
  const written = read(root).flatMap((bytes, n) => (before[n]?.equals(bytes) ? [] : IDS[n]));
  const { shots } = JSON.parse(readFileSync(join(root, 'proofsheet-report/results.json'), 'utf8'));
  return { ...ended, root, written, shots };
}

const IDS = ['home', 'docs', 'the price'];

function read(root: string): Buffer[] {
  return IDS.map((id) => readFileSync(join(root, pathOf(id))));
}

test('approves a group and rejects a name with spaces, in one comment; both can be undone', async () => {
  const text = 'Thanks!\r\n/proofsheet approve 1\r\n/proofsheet reject "the price" "it must stay"\r\nBye';
  const { code, stdout, written, shots, root } = await decide(text);
  expect(stdout).toContain('approved, baseline written: 2 shots');
  expect(stdout).toContain('- rejected: 1 shot');
  expect(code).toBe(0);
  expect(written).toEqual(['home', 'docs']);
  expect(shots[2]).toMatchObject({ decision: 'rejected', rejection: { by: 'octocat', reason: 'it must stay' } });
  for (const _ of [1, 2]) expect((await runCommand(root, ['undo'])).code).toBe(0);
});

test.each([
  ['/proofsheet approve all', IDS],
  ['/proofsheet approve 1 "the price"', IDS],
  ['/proofsheet approve “the price”', ['the price']],
])('%s', async (comment, expected) => {
  expect(await decide(comment)).toMatchObject({ code: 0, written: expected });
});

test.each([
  ['/proofsheet approve 7', 'no group with this name'],
  ['/proofsheet approve 1 hom', 'Did you mean'],
  ['/proofsheet approve the price', 'no shot or page'],
  ['/proofsheet approve', 'expected all'],
  ['/proofsheet approve "home', 'quotation mark'],
  ['/proofsheet merge all', 'expected approve or reject'],
  [`/proofsheet reject 1 "${'x'.repeat(5000)}"`, 'the reason has more than'],
])('%s is refused as a whole', async (comment, why) => {
  const { code, stdout, written } = await decide(comment);
  expect({ code, written }).toEqual({ code: 2, written: [] });
  expect(stdout).toContain(why);
});

test.each(['b2'.repeat(20), null])('a report of another commit is refused: %s', async (commit) => {
  const { code, stdout, written } = await decide('/proofsheet approve all', commit);
  expect({ code, written }).toEqual({ code: 2, written: [] });
  expect(stdout).toContain(`the report is of ${commit ?? 'no commit'}`);
});

test.each(['', 'LGTM', '> /proofsheet approve all', '```\n/proofsheet approve all\n```', '/proofsheets approve all'])(
  'a comment without a line for proofsheet does nothing: %j',
  async (comment) => {
    expect(await decide(comment)).toMatchObject({ code: 0, output: '', written: [] });
  },
);

test('a quoted word is a name, also if it is a number or "all"', () => {
  expect(parseComment('/proofsheet approve "all" "1" 2')).toMatchObject([
    { all: false, groups: ['2'], ids: ['all', '1'], error: null },
  ]);
});

test('no text of a comment or a page is markup in the answer', () => {
  const text = '<img src=x> @octocat';
  const shots = [{ project: text, id: text, reason: text }];
  const written = [{ project: text, id: text, path: text, compared: 1 }];
  const decided = { written, kept: shots, refused: shots, warnings: [text] };
  const answer = renderAnswer([{ line: text, decision: 'approved', decided, errors: [text] }]);
  expect(answer.replace(/`[^`]*`/g, '')).not.toMatch(/[<@]/);
});

import { expect, test } from 'vitest';
import { parseComment } from '../../../../src/commands/decide.js';
import type { ShotRecord } from '../../../../src/model/run-record.js';
import { createView } from '../../../../src/report/view.js';
import type { Choice } from '../../../../src/report/viewer/approval.js';
import { renderComment, renderLines, wordOf, wordsFor } from '../../../../src/report/viewer/draft.js';
import { createRandom } from '../../image/paint.js';
import { changedOf, runOf, shotOf } from '../specimens.js';

const chosen = (decision: Choice['decision'], reason = ''): Choice => ({ decision, reason });

/** Renders the comment that decides shots of a report: `home docs` approves both, and `-home` rejects one. */
function commentOf(records: readonly ShotRecord[], choices: string, reason = ''): string {
  const { shots } = createView(runOf(records), null, new Map());
  const all = choices.split(' ').map((word): [string, Choice] => {
    return word.startsWith('-') ? [word.slice(1), chosen('rejected', reason)] : [word, chosen('approved')];
  });
  return renderComment(new Map(all), shots);
}

const [home, docs, blog] = ['home', 'docs', 'blog'].map((id) => changedOf({ id, group: '1' }));
const [team, gone] = [changedOf({ id: 'team' }), shotOf({ id: 'gone', status: 'error' })];
if (!home || !docs || !blog) throw new Error('there are three');
const group = [home, docs, blog];

test.each<[string, ShotRecord[], string, string]>([
  ['a whole group is named by its number', [...group, team], 'home docs blog', '/proofsheet approve 1'],
  ['a part of it by its names', group, 'home docs', '/proofsheet approve home docs'],
  ['a group with a rejected shot', group, 'home -docs blog', '/proofsheet approve home blog\n/proofsheet reject docs'],
  ['all that did not pass', [...group, team], 'home docs blog team', '/proofsheet approve all'],
  ['all but an error', [...group, team, gone], 'home docs blog team', '/proofsheet approve 1 team'],
  ['all are rejected', [...group, team], '-home -docs -blog -team', '/proofsheet reject 1 team'],
  ['a shot that cannot be decided', [...group, gone], 'gone', ''],
  [
    'a shot that the run has as rejected is approved only by its id',
    [home, { ...docs, decision: 'rejected' }, blog],
    'home docs blog',
    '/proofsheet approve home docs blog',
  ],
  [
    'an id is that of all projects',
    [...group, changedOf({ id: 'home', project: 'firefox' })],
    '-home docs',
    '/proofsheet reject home\n/proofsheet approve docs',
  ],
])('%s', (_, records, choices, comment) => {
  expect(commentOf(records, choices)).toBe(comment);
});

test('shots with one decision and reason are one line, whose reason loses its quotation marks and line breaks', () => {
  expect(commentOf([...group, team], 'team -home -docs', ' say "no"\nto “this” ')).toBe(
    "/proofsheet reject home docs \"say 'no' to 'this'\"\n/proofsheet approve team",
  );
  const [line] = renderLines(chosen('rejected', 'x'.repeat(900)), ['a']);
  expect(line).toBe(`/proofsheet reject a "${'x'.repeat(500)}"`);
});

test.each(['say "no"', '“a”', 'a\nb', 'a\u2028b', 'a\u202eb', ' ', ''])('no word names %j', (id) => {
  expect(wordOf(id)).toBe(null);
  const { shots } = createView(runOf([changedOf({ id })]), null, new Map());
  expect(wordsFor('approved', shots, shots)).toBe(null);
});

/** Reads a comment as `proofsheet decide` does. */
function read(lines: readonly string[]) {
  return parseComment(lines.join('\n')).map(({ decision, all, groups, ids, reason, error }) => {
    expect(error).toBe(null);
    const words = [...(all ? ['all'] : []), ...groups, ...ids.map((id) => wordOf(id) ?? '')];
    return { decision, words, reason: reason ?? '' };
  });
}

test('proofsheet decide reads random names and reasons as they were chosen', () => {
  const random = createRandom(7);
  const whole = (below: number) => Math.floor(random() * below);
  const characters = [...'ab1 -/\\`\'"“”@#<|\u00a0\u202e\u3000ä'];
  const text = () => Array.from({ length: 1 + whole(6) }, () => characters[whole(characters.length)]).join('');
  const known = ['all', '12', '/proofsheet', '#1', '-x', ...['all', '12', 'about us', ' a '].map(wordOf)];
  for (let round = 0; round < 500; round++) {
    const names = Array.from({ length: 1 + whole(5) }, () => (whole(3) === 0 ? known[whole(9)] : wordOf(text())));
    const words = [...new Set(names.flatMap((word) => word ?? []))];
    const decision = whole(2) === 0 ? 'approved' : 'rejected';
    const reason = decision === 'approved' || whole(2) === 0 ? '' : text().replace(/["“”]/g, "'").trim();
    if (words.length === 0) continue;
    const lines = read(renderLines({ decision, reason }, words));
    expect(lines.flatMap((line) => line.words).sort()).toEqual(words.sort());
    for (const line of lines) expect(line).toMatchObject({ decision, reason: reason.replace(/\s+/g, ' ') });
  }
});

import { expect, test } from 'vitest';
import type { ShotRecord } from '../../../../src/model/run-record.js';
import { type Choice, renderComment } from '../../../../src/report/decision-comment.js';
import { createView } from '../../../../src/report/view.js';
import { addChoices, decisionsOf, indexWords, wordsFor } from '../../../../src/report/viewer/draft.js';
import { changedOf, runOf, shotOf } from '../specimens.js';

/** A published report, on which a test decides by the names of shots. */
function open(...records: readonly ShotRecord[]) {
  const { shots } = createView(runOf(records), null, new Map());
  const index = indexWords(shots);
  let choices: readonly Choice[] = [];
  return {
    choose(decision: Choice['decision'], names: readonly string[], reason = '') {
      const targets = shots.filter(({ id, project }) => names.includes(id) || names.includes(`${id} ${project}`));
      const words = wordsFor(decision, targets, index);
      if (words === null) return null;
      choices = addChoices(choices, words, { decision, reason }, index);
      return renderComment(choices);
    },
    decided: () =>
      [...decisionsOf(choices, index, shots)].map(([key, { decision }]) => `${JSON.parse(key)[1]} ${decision}`),
  };
}

const group = ['home', 'docs', 'blog'].map((id) => changedOf({ id, group: '1' }));

test('a whole group is named by its number, a part of it by its names', () => {
  const report = open(...group, changedOf({ id: 'team' }));
  expect(report.choose('approved', ['home', 'docs', 'blog'])).toBe('/proofsheet approve 1');
  expect(report.choose('rejected', ['docs'], 'too large')).toBe(
    '/proofsheet approve 1\n/proofsheet reject docs "too large"',
  );
  expect(report.decided()).toEqual(['home approved', 'docs rejected', 'blog approved']);
});

test('a later choice about the same shots replaces the earlier one', () => {
  const report = open(...group);
  report.choose('approved', ['home']);
  expect(report.choose('rejected', ['home'])).toBe('/proofsheet reject home');
  expect(report.choose('approved', ['home', 'docs', 'blog'])).toBe('/proofsheet approve all');
  expect(report.decided()).toEqual(['home approved', 'docs approved', 'blog approved']);
});

test('"all" is chosen only if each shot that did not pass can be approved', () => {
  const team = changedOf({ id: 'team' });
  expect(open(...group, team).choose('approved', ['home', 'docs', 'blog', 'team'])).toBe('/proofsheet approve all');
  const gone = shotOf({ id: 'gone', status: 'error' });
  expect(open(...group, team, gone).choose('approved', ['home', 'docs', 'blog', 'team'])).toBe(
    '/proofsheet approve 1 team',
  );
  expect(open(...group, team).choose('rejected', ['home', 'docs', 'blog', 'team'])).toBe('/proofsheet reject 1 team');
});

test('the page shows what the comment does: an id is that of all projects, and a group approves no rejected shot', () => {
  const firefox = changedOf({ id: 'home', project: 'firefox' });
  const report = open(...group, firefox);
  expect(report.choose('rejected', ['home firefox'])).toBe('/proofsheet reject home');
  expect(report.decided()).toEqual(['home rejected', 'home rejected']);
  expect(report.choose('approved', ['home chromium', 'docs', 'blog'])).toBe(
    '/proofsheet reject home\n/proofsheet approve 1',
  );
  expect(report.decided()).toEqual(['home rejected', 'home rejected', 'docs approved', 'blog approved']);
});

test('a shot that no word names cannot be chosen', () => {
  expect(open(changedOf({ id: 'say "no"' })).choose('approved', ['say "no"'])).toBe(null);
});

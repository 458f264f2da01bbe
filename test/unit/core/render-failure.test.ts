import { expect, test } from 'vitest';
import { type FailureDetails, formatFailure } from '../../../src/core/shot/format-failure.js';
import { ProofsheetError } from '../../../src/model/errors.js';
import { dangersIn, HOSTILE_TEXTS } from '../../hostile-texts.js';
import { shotOf } from '../report/specimens.js';

const HINTS: FailureDetails = {
  place: 'pages.yaml:3:5',
  baseline: 'shots/home.png',
  approve: 'npx proofsheet approve home',
  update: 'npx playwright test --update-snapshots',
};
const reason = '1,204 px (0.13 %) differ, limit 0 px';
const changed = shotOf({ id: 'home', status: 'changed', reason, url: 'http://localhost/' });

test('the message of a changed page has reason, page, list position, baseline and commands', () => {
  expect(formatFailure(changed, HINTS)).toBe(
    [
      'home: changed: 1,204 px (0.13 %) differ, limit 0 px',
      '  expect(page).toMatchBaseline("home")',
      '  page      http://localhost/',
      '  list      pages.yaml:3:5 (page entry)',
      '  baseline  shots/home.png',
      '  If the change is intended, run: npx proofsheet approve home',
      '  or update all baselines: npx playwright test --update-snapshots',
    ].join('\n'),
  );
});

test('without an approve command, the message has only the update command', () => {
  const message = formatFailure(changed, { ...HINTS, approve: null });
  expect(message).toContain('If the change is intended, run: npx playwright test --update-snapshots');
  expect(message).not.toContain('proofsheet approve');
});

test('the message of a changed page says how to review it, if the summary of the run does not', () => {
  const review = 'To review the images, do this';
  expect(
    formatFailure(changed, { ...HINTS, review })
      .split('\n  ')
      .at(-1),
  ).toBe(review);
  expect(formatFailure({ ...changed, status: 'unstable' }, { ...HINTS, review })).not.toContain(review);
});

test('an error that names its page, without an image, is one line', () => {
  const error = { ...changed, status: 'error', reason: 'http://localhost/: it is down.', after: null } as const;
  expect(formatFailure(error, HINTS)).toBe('home: error: http://localhost/: it is down.');
});

test('the message of a two-state shot has no command', () => {
  const message = formatFailure({ ...changed, baseline: null }, HINTS);
  expect(message).toContain('It has no baseline to update');
  expect(message).not.toContain('npx');
});

// The pattern by which Playwright's JUnit reporter tells a failed assertion from an error.
const ASSERTION = /expect\(.*?\)\.(not\.)?(\w+)/;

test.each([
  ['changed', true],
  ['new', true],
  ['unstable', true],
  ['error', false],
] as const)('the message of status %s is a failed assertion: %s', (status, isAssertion) => {
  const message = formatFailure({ ...changed, status }, HINTS);
  expect(ASSERTION.exec(message)?.[2]).toBe(isAssertion ? 'toMatchBaseline' : undefined);
  expect(message.includes('pages.yaml:3:5'), 'an error has its place in the stack').toBe(isAssertion);
});

test.each(Object.entries(HOSTILE_TEXTS))(
  '%s add no line, stack frame, terminal control or command to a message',
  (_, text) => {
    const texts = { id: text, reason: text, url: text };
    const lines = formatFailure({ ...changed, ...texts }, { ...HINTS, baseline: text }).split('\n');
    expect(lines).toHaveLength(7);
    expect(dangersIn(lines.join('\n'))).toEqual([]);
    expect(lines.filter((line) => /^ *at /.test(line))).toEqual([]);
  },
);

test.each(Object.entries(HOSTILE_TEXTS))('%s add none to an error', (_, text) => {
  const error = new ProofsheetError({ code: 'page-script', where: text, found: text, advice: text });
  expect(error.message).not.toContain('\n');
  expect(dangersIn(`${error.message}\n${error.stack}`)).toEqual([]);
});

import { expect, test } from 'vitest';
import { type FailureDetails, formatFailure } from '../../../src/core/shot/format-failure.js';
import { shotOf } from '../report/specimens.js';

const HINTS: FailureDetails = {
  place: 'pages.yaml:3:5',
  baseline: 'shots/home.png',
  approve: 'npx proofsheet approve home',
  update: 'npx playwright test --update-snapshots',
};
const reason = '1,204 px (0.13 %) differ, limit 0 px';
const changed = shotOf({ id: 'home', status: 'changed', reason, url: 'http://localhost/' });

test('a changed page is told in one block: reason, page, place, baseline, and what to do', () => {
  expect(formatFailure(changed, HINTS)).toBe(
    [
      'home: changed: 1,204 px (0.13 %) differ, limit 0 px',
      '  expect(page).toMatchBaseline("home")',
      '  page      http://localhost/',
      '  listed    pages.yaml:3:5 (page list)',
      '  baseline  shots/home.png',
      '  If this is how the page should look: npx proofsheet approve home, or npx playwright test --update-snapshots',
    ].join('\n'),
  );
});

test('without a command to approve, only the update is named', () => {
  const message = formatFailure(changed, { ...HINTS, approve: null });
  expect(message).toContain('If this is how the page should look: npx playwright test --update-snapshots');
  expect(message).not.toContain('proofsheet approve');
});

test('a two-state shot names no command', () => {
  const message = formatFailure({ ...changed, baseline: null }, HINTS);
  expect(message).toContain('it has no baseline to update');
  expect(message).not.toContain('npx');
});

// The pattern by which Playwright's JUnit reporter tells a failed assertion from an error.
const ASSERTION = /expect\(.*?\)\.(not\.)?(\w+)/;

test.each([
  ['changed', true],
  ['new', true],
  ['unstable', true],
  ['error', false],
] as const)('a shot that is %s: failed assertion is %s', (status, isAssertion) => {
  const message = formatFailure({ ...changed, status }, HINTS);
  expect(ASSERTION.exec(message)?.[2]).toBe(isAssertion ? 'toMatchBaseline' : undefined);
  expect(message.includes('pages.yaml:3:5'), 'an error has its place in the stack').toBe(isAssertion);
});

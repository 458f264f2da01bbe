import { describe, expect, test } from 'vitest';
import type { FailureDetails } from '../../../src/shot/failure-details.js';
import { formatFailure } from '../../../src/shot/format-result.js';
import { dangersIn, HOSTILE_TEXTS } from '../../hostile-texts.js';
import { shotOf } from '../report/specimens.js';

const HINTS: FailureDetails = {
  place: 'pages.yaml:3:5',
  approve: 'npx proofsheet approve home',
  update: 'npx playwright test --update-snapshots',
};
const reason = '1,204 px (0.13 %) differ, limit 0 px';
const changed = shotOf({ id: 'home', status: 'changed', reason, url: 'http://localhost/' });

test('the message of a changed page has the reason, the page with its place in the list, and the command to approve', () => {
  expect(formatFailure(changed, HINTS)).toBe(
    [
      'home: changed: 1,204 px (0.13 %) differ, limit 0 px',
      '  expect(page).toMatchBaseline("home")',
      '  page      http://localhost/ (pages.yaml:3:5 in the page list)',
      '  If the change is intended, run: npx proofsheet approve home',
    ].join('\n'),
  );
});

test.each<[what: string, shot: typeof changed, details: Partial<FailureDetails>, last: RegExp]>([
  ['without an approve command', changed, { approve: null }, /run: npx playwright test --update-snapshots$/],
  ['that the summary does not say how to review', changed, { review: 'To review, do this' }, /^To review, do this$/],
  ['that is unstable', { ...changed, status: 'unstable' }, { review: 'To review, do this' }, /^Remove `settle/],
  ['with two states', { ...changed, baseline: null }, {}, /It has no baseline to update\.$/],
])('the message of a shot %s', (_, shot, details, last) => {
  expect(
    formatFailure(shot, { ...HINTS, ...details })
      .split('\n  ')
      .at(-1),
  ).toMatch(last);
});

test('an error that names its page, without an image, is one line', () => {
  const error = { ...changed, status: 'error', reason: 'http://localhost/: it is down.', after: null } as const;
  expect(formatFailure(error, HINTS)).toBe('home: error: http://localhost/: it is down.');
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
    const lines = formatFailure({ ...changed, ...texts }, HINTS).split('\n');
    expect(lines).toHaveLength(4);
    expect(dangersIn(lines.join('\n'))).toEqual([]);
    expect(lines.filter((line) => /^ *at /.test(line))).toEqual([]);
  },
);

describe('a text that differs at each load', () => {
  const withTexts = (status: 'changed' | 'unstable', ...texts: readonly (readonly [string, string])[]) => {
    const causes = texts.map(([before, after], index) => ({
      ...{ kind: 'reworded' as const, element: `#t${index + 1}`, property: null, before, after, source: null },
      ...{ certain: true, elements: 1, boxes: [], regions: [0], pixels: 9 },
    }));
    return formatFailure({ ...changed, status, causes }, HINTS);
  };

  test.each([
    ['updated 12 s ago', 'updated 13 s ago'],
    ['59 seconds ago', 'a minute ago'],
    ['5m ago', '6m ago'],
    ['Today is Friday, November 27, 2026', 'Today is Saturday, November 28, 2026'],
    ['27. Nov 2026, 07:06', '27. Nov 2026, 07:07'],
    ['2026-11-27T07:06:08.123Z', '2026-11-27T07:06:09.001Z'],
    ['11/27/2026 9:05 AM', '11/27/2026 10:15 PM'],
    ['Rendered in 31 ms', 'Rendered in 127 ms'],
    ['00:09:59', '00:10:00'],
    ['Last sync: just now', 'Last sync: 3 minutes ago'],
  ])('"%s" -> "%s" tells a time: the message offers `clock` and `mask`', (before, after) => {
    const advice =
      'The text of "#t1" tells a time. If it differs at each load, set `clock`, or leave it out: mask: ["#t1"].';
    expect(withTexts('changed', [before, after])).toContain(`${advice}\n  If the change is intended`);
    expect(withTexts('unstable', [before, after]).split('\n  ').at(-1)).toBe(advice);
  });

  test.each([
    ['Request 3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'Request 9c858901-8a57-4791-81fe-4c455b099bc9'],
    ['build 4e13f2e', 'build 9b1c07d'],
    ['Order 1795193105514', 'Order 1795193105999'],
    ['ref V1StGXR8Z5jdHi', 'ref k9BmyT0Hc72aQx'],
  ])('"%s" -> "%s" contains an identifier: the message offers `mask`', (before, after) => {
    const advice =
      'The text of "#t1" contains a generated identifier. If it differs at each load, leave it out: mask: ["#t1"].';
    expect(withTexts('changed', [before, after])).toContain(advice);
  });

  test('a long text of which only the beginning is known, which did not change, has no such advice', () => {
    const start = `${'The answer goes on and on. '.repeat(3)}…`;
    expect(withTexts('changed', [start, start])).not.toContain('identifier');
  });

  test('several texts are named together', () => {
    expect(withTexts('unstable', ['12:01', '12:02'], ['id 123456789', 'id 123456790'])).toContain(
      'The text of "#t1", "#t2" tells a time',
    );
  });

  test.each([
    ['Visitors: 12', 'Visitors: 13'],
    ['12 apples', '13 apples'],
    ['$ 12.50', '$ 13.50'],
    ['Sign in', 'Log in'],
    ['updated 12 s ago', 'failed 13 s ago'],
    ['Cat', 'Sat'],
  ])('"%s" -> "%s" is a change like any other', (before, after) => {
    expect(withTexts('changed', [before, after])).not.toContain('at each load');
    expect(withTexts('unstable', [before, after], ['12:01', '12:02'])).toContain('Leave out what changes');
  });
});

import { expect, test } from 'vitest';
import { MAX_ANNOTATIONS, renderAnnotations } from '../../../src/report/markdown/annotations.js';
import { changedOf, HOSTILE, runOf, shotOf } from './specimens.js';

const nowhere = () => null;
const PROBLEM = { code: 'run-incomplete', where: 'home', found: '1 selected shot was not run', advice: 'Run again.' };

test('a shot that did not pass is one error at its place, named by status and shot', () => {
  const run = runOf([shotOf({ id: 'fine' }), changedOf({ id: 'pricing', reason: '3 px differ' })]);
  const place = { file: 'e2e/pages.yaml', line: 12 };
  expect(renderAnnotations(run, ({ id }) => (id === 'pricing' ? place : null))).toBe(
    '::error file=e2e/pages.yaml,line=12,title=changed%3A pricing [chromium]::3 px differ\n',
  );
});

test('a shot whose place is not known has none', () => {
  expect(renderAnnotations(runOf([changedOf({ reason: 'it differs' })]), nowhere)).toBe(
    '::error title=changed%3A pricing [chromium]::it differs\n',
  );
});

test('a green run, and a shot whose baseline was written on demand, have no annotation', () => {
  const written = shotOf({ status: 'new', written: true, reason: null });
  expect(renderAnnotations(runOf([shotOf(), written]), nowhere)).toBe('');
});

test('percent signs, colons, commas and line breaks are escaped as GitHub reads them', () => {
  const shot = changedOf({ id: 'a,b:c%d', project: '', reason: '0.13 % differ: x, y\r\n::error::second' });
  const place = { file: 'a,b:c%\n.yaml', line: 1 };
  expect(renderAnnotations(runOf([shot]), () => place)).toBe(
    '::error file=a%2Cb%3Ac%25%0A.yaml,line=1,title=changed%3A a%2Cb%3Ac%25d::0.13 %25 differ: x, y ::error::second\n',
  );
});

test('hostile text stays in its line and gives no further command or property', () => {
  const told = renderAnnotations(
    runOf([changedOf({ id: HOSTILE, reason: `${HOSTILE}\n::stop-commands::x` })]),
    nowhere,
  );
  expect(told.trimEnd().split(/[\r\n\u2028]/)).toHaveLength(1);
  expect(told).toMatch(/^::error title=[^:,]*::/);
  expect(told).not.toMatch(/[\u202a-\u202e]/);
});

test('what is very long is cut, and no character in half', () => {
  const told = renderAnnotations(runOf([changedOf({ reason: `x${'\u{1f600}'.repeat(5000)}` })]), nowhere);
  expect(told.length).toBeLessThan(2200);
  expect(Buffer.from(told).toString()).toBe(told);
});

test('ten shots are ten errors, eleven are nine and a count of the rest', () => {
  const shots = (count: number) => Array.from({ length: count }, (_, index) => changedOf({ id: `page-${index}` }));
  const lines = (count: number) =>
    renderAnnotations(runOf(shots(count)), nowhere)
      .trimEnd()
      .split('\n');
  expect(lines(10).filter((line) => line.includes('changed%3A'))).toHaveLength(10);
  expect(lines(11)).toHaveLength(MAX_ANNOTATIONS);
  expect(lines(11).at(-1)).toBe('::error title=proofsheet::and 2 more: the summary of this job lists them');
  expect(lines(1500).at(-1)).toContain('and 1,491 more');
});

test('what is wrong with the run comes before its shots', () => {
  const told = renderAnnotations(runOf([changedOf()], { problems: [PROBLEM], complete: false }), nowhere);
  expect(told.split('\n')[0]).toBe('::error title=proofsheet::home: 1 selected shot was not run. Run again.');
  expect(told.split('\n')[1]).toContain('changed%3A pricing');
});

import { expect, test } from 'vitest';
import { renderAnnotations } from '../../../src/report/render-annotations.js';
import { dangersIn, HOSTILE_TEXT } from '../../hostile-texts.js';
import { changedOf, runOf, shotOf } from './specimens.js';

const nowhere = () => null;
const PROBLEM = { code: 'run-incomplete', where: 'home', found: '1 selected shot was not run', advice: 'Run again.' };

test('problems of the run come first, then each shot that did not pass, as one error at its position; others have none', () => {
  const written = shotOf({ status: 'new', written: true, reason: null });
  const shots = [shotOf({ id: 'fine' }), written, changedOf({ id: 'pricing', reason: '3 px differ' })];
  const place = { file: 'e2e/pages.yaml', line: 12 };
  expect(renderAnnotations(runOf(shots, { problems: [PROBLEM], complete: false }), () => place)).toBe(
    '::error title=proofsheet::home: 1 selected shot was not run. Run again.\n' +
      '::error file=e2e/pages.yaml,line=12,title=changed%3A pricing [chromium]::3 px differ\n',
  );
});

test('percent signs, colons, commas and line breaks are escaped for GitHub', () => {
  const shot = changedOf({ id: 'a,b:c%d', project: '', reason: '0.13 % differ: x, y\r\n::error::second' });
  const place = { file: 'a,b:c%\n.yaml', line: 1 };
  expect(renderAnnotations(runOf([shot]), () => place)).toBe(
    '::error file=a%2Cb%3Ac%25%0A.yaml,line=1,title=changed%3A a%2Cb%3Ac%25d::0.13 %25 differ: x, y : :error::second\n',
  );
});

test('hostile text stays on one line and adds no command or property', () => {
  const annotations = renderAnnotations(
    runOf([changedOf({ id: HOSTILE_TEXT, reason: `${HOSTILE_TEXT}\n::stop-commands::x${'y'.repeat(5000)}` })]),
    nowhere,
  );
  expect(annotations.length).toBeLessThan(2200);
  expect(annotations.trimEnd().split(/[\r\n\u2028]/)).toHaveLength(1);
  expect(annotations).toMatch(/^::error title=[^:,]*::/);
  const [, , ...data] = annotations.split('::');
  expect(dangersIn(data.join('::'))).toEqual([]);
});

test('ten shots are ten errors; eleven are nine and a count of the others', () => {
  const shots = (count: number) => Array.from({ length: count }, (_, index) => changedOf({ id: `page-${index}` }));
  const errors = (count: number) => renderAnnotations(runOf(shots(count)), nowhere).match(/^::error .*$/gm) ?? [];
  expect(errors(10).filter((line) => line.includes('changed%3A'))).toHaveLength(10);
  expect(errors(11)).toHaveLength(10);
  expect(errors(11).at(-1)).toBe('::error title=proofsheet::2 more: see the job summary');
});

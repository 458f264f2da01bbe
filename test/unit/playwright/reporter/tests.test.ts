import { expect, test } from 'vitest';
import { cutOthers, RESERVED_LINES } from '../../../../src/playwright/reporter/tests.js';
import { renderText } from '../../../../src/report/render-text.js';
import { changedOf, runOf, shotOf } from '../../report/specimens.js';

const linesOf = (text: string) => text.split('\n').length - 1;
const others = Array.from({ length: 100 }, (_, index) => `  failed    ${index}`);

test('the other tests take the lines that the summary leaves', () => {
  const summary = renderText(runOf([changedOf()]), 'index.html', null, RESERVED_LINES);
  const cut = cutOthers(others, summary);
  expect(linesOf(summary) + cut.length).toBe(39);
  expect(cut.at(-1)?.trim()).toBe(`${100 - cut.length + 1} more: run with --reporter=list`);
  expect(cutOthers(others.slice(0, 3), summary)).toEqual(others.slice(0, 3));
});

test('the longest summary leaves the lines that are reserved', () => {
  const long = { code: 'x', where: 'x', found: 'x', advice: 'x' };
  const changes = Array.from({ length: 200 }, (_, index) => changedOf({ id: `c${index}`, page: `c${index}` }));
  const kinds: Parameters<typeof shotOf>[0][] = [{ written: true }, { flaky: true }, { unsteady: true }];
  kinds.push({ redrawn: 'compared' }, { status: 'skipped' });
  const warnings = [{ code: 'x', message: 'x' }];
  const quiet = kinds.map((kind, index) => shotOf({ id: `q${index}`, ...kind, warnings }));
  const run = runOf([...changes, ...quiet], {
    ...{ problems: Array.from({ length: 50 }, () => long), selected: ['-g x'], shards: [{ current: 1, total: 2 }] },
  });
  const summary = renderText({ ...run, obsolete: ['x'] }, 'index.html', 'npx proofsheet report', RESERVED_LINES);
  expect(linesOf(summary) + cutOthers(others, summary).length).toBeLessThanOrEqual(40);
  expect(cutOthers(others, summary).length).toBeGreaterThanOrEqual(RESERVED_LINES - 1);
});

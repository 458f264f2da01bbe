import { expect, test } from 'vitest';
import { renderJson } from '../../../src/model/text.js';
import { summarizeRun } from '../../../src/report/assistant.js';
import { causeOf, changedOf, runOf } from './specimens.js';

const FIRST = { from: 0, group: undefined, all: false };

test('a summary of any run has at most 8,000 bytes, and `next` leads through all changes once', () => {
  const problem = { code: 'x', where: 'w'.repeat(900), found: 'f'.repeat(900), advice: '' };
  const url = `https://x.test/${'u'.repeat(900)}`;
  const shots = Array.from({ length: 300 }, (_, index) =>
    changedOf({ id: `page-${index}`, reason: `${index} ${'ä'.repeat(2000)}`, url }),
  );
  const run = { ...runOf(shots, { problems: Array(50).fill(problem) }), obsolete: Array(50).fill('o'.repeat(300)) };
  const seen: string[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const part = summarizeRun(run, { ...FIRST, from });
    expect(Buffer.byteLength(renderJson(part, 2))).toBeLessThanOrEqual(8000);
    seen.push(...part.changes.flatMap(({ examples }) => examples.map(({ id }) => id)));
    from = part.next;
  }
  expect(seen).toEqual(shots.map(({ id }) => id));
});

test('a group is one change with the number of its shots; its shots are listed on request', () => {
  const alike = { group: '1', causes: [causeOf()] };
  const others = Array.from({ length: 227 }, (_, i) =>
    changedOf({ id: `p${i + 1}`, page: `p${(i + 1) >> 1}`, ...alike }),
  );
  const run = runOf([changedOf({ id: 'p0', page: 'p0', decision: 'rejected', ...alike }), ...others]);
  const what = '.btn: background-color red -> blue (site.css:12)';
  const examples = [{ id: 'p0' }, { id: 'p1' }];
  const { changes, next } = summarizeRun(run, FIRST);
  expect(changes).toMatchObject([{ group: '1', what, shots: 228, pages: 114, marks: ['1 rejected'], examples }]);
  expect(next).toBeNull();
  const members = summarizeRun(run, { ...FIRST, group: '1' });
  expect(members.changes[0]).toMatchObject({ shots: 1, examples: [{ id: 'p0' }] });
  expect(members.next).toBe(members.changes.length);
});

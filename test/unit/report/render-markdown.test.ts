import { expect, test } from 'vitest';
import { MAX_CHARACTERS, renderMarkdown } from '../../../src/report/render-markdown.js';
import { HOSTILE_TEXTS } from '../../hostile-texts.js';
import { causeOf, changedOf, runOf, shotOf } from './specimens.js';

test('the summary has the verdict, the counts and a row for each change', () => {
  const markdown = renderMarkdown(runOf([changedOf({ id: 'pricing/desktop' }), shotOf({ id: 'home', page: 'home' })]));
  expect(markdown).toContain('## proofsheet: not passed\n\n1 change on 1 of 2 pages.');
  expect(markdown).toContain('| 2 | 2 | 0 | 2 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 |');
  expect(markdown).toContain('|  | changed | `it differs` | `pricing/desktop [chromium]` |');
});

test('2,000 changed shots with long names stay under the limit, with a count of the others', () => {
  const shots = Array.from({ length: 2000 }, (_, index) =>
    changedOf({ id: `${'n'.repeat(500)}${index}`, reason: '|'.repeat(900) }),
  );
  const markdown = renderMarkdown(runOf(shots));
  expect(markdown.length).toBeLessThan(MAX_CHARACTERS);
  const rows = markdown.match(/^\| {2}\| changed \|/gm)?.length ?? 0;
  expect(rows).toBeGreaterThan(20);
  const rest = (2000 - rows).toLocaleString('en');
  expect(markdown).toContain(`and ${rest} more changes on ${rest} shots`);
});

test('2,000 shots with one change are one row, after what failed to be captured', () => {
  const shots = Array.from({ length: 2000 }, (_, index) =>
    changedOf({ id: `p${index}/desktop`, page: `p${index >> 1}`, group: '1', causes: [causeOf()] }),
  );
  const gone = shotOf({ id: 'gone', status: 'error', reason: 'HTTP status 404' });
  const markdown = renderMarkdown(runOf([...shots, gone]));
  const [, , ...rows] = markdown.slice(markdown.indexOf('| group |')).trimEnd().split('\n');
  expect(rows).toEqual([
    '|  | error | `HTTP status 404` | `gone [chromium]` |',
    '| `1` | changed | `.btn: background-color red -> blue (site.css:12)` | `2,000 shots on 1,000 pages, group 1: p0/desktop [chromium], p1/desktop [chromium], p2/desktop [chromium] and 1,997 more` |',
  ]);
});

test('a long list of problems stays under the limit', () => {
  const problem = { code: 'x', where: 'w'.repeat(5000), found: 'f'.repeat(5000), advice: '' };
  const problems = Array.from({ length: 500 }, () => problem);
  expect(renderMarkdown(runOf([changedOf()], { problems, selected: ['-g '.repeat(90_000)] })).length).toBeLessThan(
    MAX_CHARACTERS,
  );
});

test.each(Object.entries(HOSTILE_TEXTS))(
  '%s are only in code spans, which have no links, mentions, tags and cells',
  (_, text) => {
    const problem = { code: 'x', where: text, found: text, advice: text };
    const shots = [
      changedOf({ id: text, project: text, reason: text, url: text }),
      ...['skipped', 'passed'].map((status) =>
        shotOf({ id: text, status: status === 'skipped' ? status : 'passed', flaky: true }),
      ),
    ];
    const markdown = renderMarkdown(runOf(shots, { problems: [problem], selected: [text] }));
    expect(markdown).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    const row = markdown.split('\n').find((line) => line.startsWith('|  | changed')) ?? '';
    expect(row.match(/(?<!\\)(?:\\\\)*\|/g), 'both readings of a pair of backslashes').toHaveLength(5);
    expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
    const outside = withoutCode(markdown);
    expect(outside).toContain('|  | changed |  |  |');
    expect(outside).toMatch(/^Options: \n\n\*\*Problem\*\*: \n\n\|/m);
    expect(outside).toMatch(/\n\nFlaky: \n\nSkipped: \n$/);
  },
);

test('a code span shows the text as it is', () => {
  const markdown = renderMarkdown(runOf([changedOf({ id: 'a', project: '', reason: 'x | `y` \\| ``z' })]));
  expect(markdown).toContain('|  | changed | ``` x \\| `y` \\ \\| ``z ``` | `a` |');
});

/** Removes code spans as CommonMark defines them: between two runs of backticks of one length. */
function withoutCode(markdown: string): string {
  return markdown.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
}

test('options, shards and problems are named', () => {
  const problem = { code: 'x', where: 'the merged run', found: 'shard 2/3 is missing', advice: 'Merge it.' };
  const shards = [{ current: 1, total: 3 }];
  const markdown = renderMarkdown(
    runOf([shotOf()], { selected: ['--grep @smoke'], shards, problems: [problem], complete: false }),
  );
  expect(markdown).toContain('Options: `--grep @smoke`');
  expect(markdown).toContain('Shards: 1/3');
  expect(markdown).toContain('**Problem**: `the merged run: shard 2/3 is missing. Merge it.`');
  expect(markdown).toContain('not passed');
  expect(markdown, 'a table of shots').not.toContain('| status |');
});

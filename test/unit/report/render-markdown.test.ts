import { expect, test } from 'vitest';
import { MAX_CHARACTERS, renderMarkdown } from '../../../src/report/render-markdown.js';
import { HOSTILE_TEXTS } from '../../hostile-texts.js';
import { changedOf, runOf, shotOf } from './specimens.js';

test('the summary has the verdict, the counts and a row for each shot that did not pass', () => {
  const markdown = renderMarkdown(runOf([changedOf({ id: 'pricing/desktop' }), shotOf({ id: 'home', page: 'home' })]));
  expect(markdown).toContain('## proofsheet: not passed\n\n1 change on 1 of 2 pages.');
  expect(markdown).toContain('| 2 | 2 | 0 | 2 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 |');
  expect(markdown).toContain('| changed | `pricing/desktop [chromium]` | `it differs` |');
});

test('2,000 changed shots with long names stay under the limit, with a count of the others', () => {
  const shots = Array.from({ length: 2000 }, (_, index) =>
    changedOf({ id: `${'n'.repeat(500)}${index}`, reason: '|'.repeat(900) }),
  );
  const markdown = renderMarkdown(runOf(shots));
  expect(markdown.length).toBeLessThan(MAX_CHARACTERS);
  const rows = markdown.match(/^\| changed \|/gm)?.length ?? 0;
  expect(rows).toBeGreaterThan(20);
  expect(markdown).toContain(`and ${(2000 - rows).toLocaleString('en')} more`);
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
    const row = markdown.split('\n').find((line) => line.startsWith('| changed')) ?? '';
    expect(row.match(/(?<!\\)(?:\\\\)*\|/g), 'both readings of a pair of backslashes').toHaveLength(5);
    expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
    const outside = withoutCode(markdown);
    expect(outside).toContain('| changed |  |  |  |');
    expect(outside).toMatch(/^Options: \n\n\*\*Problem\*\*: \n\n\|/m);
    expect(outside).toMatch(/\n\nFlaky: \n\nSkipped: \n$/);
  },
);

test('a code span shows the text as it is', () => {
  const markdown = renderMarkdown(
    runOf([changedOf({ id: 'a', project: '', reason: 'x | `y` \\| ``z', url: 'https://x.test' })]),
  );
  expect(markdown).toContain('| changed | `a` | ``` x \\| `y` \\ \\| ``z ``` | `https://x.test` |');
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

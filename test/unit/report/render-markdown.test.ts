import { marked } from 'marked';
import { expect, test } from 'vitest';
import type { RunRecord } from '../../../src/model/run-record.js';
import { type PublishedReport, renderMarkdown } from '../../../src/report/render-markdown.js';
import { HOSTILE_TEXTS } from '../../hostile-texts.js';
import { createRandom } from '../image/paint.js';
import { causeOf, changedOf, runOf, shotOf } from './specimens.js';

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

test('the summary has the verdict, the counts, options, shards, problems, and a row for each change, as it is', () => {
  const problem = { code: 'x', where: 'the merged run', found: 'shard 2/3 is missing', advice: 'Merge it.' };
  const run = { selected: ['--grep @smoke'], shards: [{ current: 1, total: 3 }], problems: [problem] };
  const shots = [changedOf({ id: 'a', project: '', reason: 'x | `y` \\| ``z' }), shotOf({ id: 'home', page: 'home' })];
  const markdown = renderMarkdown(runOf(shots, run));
  expect(markdown).toContain('## proofsheet: not passed\n\n1 change on 1 of 2 pages, 1 problem with the run.');
  expect(markdown).toContain('| 2 | 2 | 0 | 2 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 |');
  expect(markdown).toContain('Options: `--grep @smoke`\n\nShards: 1/3');
  expect(markdown).toContain('**Problem**: `the merged run: shard 2/3 is missing. Merge it.`');
  expect(markdown).toContain('|  | changed | ``` x \\| `y` \\ \\| ``z ``` | `a` |');
});

const URL_OF_REPORT = 'https://octo.github.io/site/proofsheet/pr-12/index.html';

/** The published report of a run. Each change has pictures. */
function published({ shots }: RunRecord, url = URL_OF_REPORT): PublishedReport {
  const pictureOf = (name: string) => ({ path: `screenshots/${name}.webp`, size: { width: 640, height: 300 } });
  const pictures = { before: pictureOf('b'.repeat(64)), after: pictureOf('a'.repeat(64)) };
  const pictured = shots.filter(({ status }) => status !== 'error').slice(0, 10);
  return { url, pictures: new Map(pictured.map((shot) => [shot, pictures])) };
}

test('with a published report, a change has its link, its cause, its shots and its pictures; the others are rows with a link', () => {
  const group = ['a', 'b'].map((id) => changedOf({ id, page: id, group: '1', causes: [causeOf()] }));
  const gone = shotOf({ id: 'gone', status: 'error', reason: 'HTTP status 404', before: null, after: null });
  const run = runOf([...group, changedOf({ id: 'team' }), gone]);
  const { url, pictures } = published(run);
  const markdown = renderMarkdown(run, { url, pictures: new Map([...pictures].slice(0, 1)) });
  const picture = (name: string, file: string) =>
    `<a href="${url}#shot/1"><img src="https://octo.github.io/site/proofsheet/screenshots/${file.repeat(64)}.webp" alt="${name}" width="380"></a>`;
  expect(markdown.slice(markdown.indexOf('| group |'))).toBe(
    `| group | status | change | shots |
| --: | --- | --- | --- |
|  | [error](<${url}#shot/0>) | \`HTTP status 404\` | \`gone [chromium]\` |

[changed](<${url}#shot/1>), group \`1\`: \`.btn: background-color red -> blue (site.css:12)\`

\`2 shots on 2 pages, group 1: a [chromium], b [chromium]\`

| before | after |
| --- | --- |
| ${picture('before', 'b')} | ${picture('after', 'a')} |

| group | status | change | shots |
| --: | --- | --- | --- |
|  | [changed](<${url}#shot/3>) | \`it differs\` | \`team [chromium]\` |
`,
  );
});

test('with a published report, 2,000 changes at a long address and long problems stay under the limit', () => {
  const shots = Array.from({ length: 2000 }, (_, index) => changedOf({ id: `${'n'.repeat(500)}${index}` }));
  const problem = { code: 'x', where: 'w'.repeat(5000), found: 'f'.repeat(5000), advice: '' };
  const run = runOf(shots, { problems: Array(500).fill(problem), selected: ['-g '.repeat(90_000)] });
  const markdown = renderMarkdown(run, published(run, `https://example.com/${'p'.repeat(470)}/`));
  expect(markdown.length).toBeLessThan(60_000);
  expect(markdown.match(/<img /g)).toHaveLength(20);
  expect(markdown).toMatch(/and [\d,]+ more changes on [\d,]+ shots\n$/);
});

/** Parts of texts that are markup, a link, a mention or a reference on GitHub, or end what a text stands in. */
const PARTS = [
  ...String.raw`~~~ | \ \| < > & " ' [ ] ( ) ! * _ # x é $x$ $$x$$ [^1] :tada: <!-- --> </a> <details> </td></tr></table>
  @user @org/team #12 GH-1 org/repo#1 org/repo@a0b1c2d3e4f5 a0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9
  https://evil.test/a www.evil.test a@evil.test mailto:a@evil.test javascript:alert(1) xmpp:a@evil.test
  [x](https://evil.test) ![x](https://evil.test/p.png) <https://evil.test> <script>alert(1)</script>
  &lt;b&gt; &#x60; &#96; &vert; &commat;user`.split(/\s+/),
  ...['`', '``', '```', '\n', '\r\n', '\n\n', ' ', '[x]: https://evil.test', '<img src=x onerror=alert(1)>'],
  ...['| a | b |\n| - | - |\n', '# h\n', '- [ ] x\n', '> q\n', '    code\n', '---\n', '```mermaid\n'],
  ...['\u202e', '\u200f', '\u2066', '\u0000', '\u001b[45m', '\ud800'],
];

/** Renders texts in every place of a summary, as GitHub does, and empties the code spans. */
function structureOf(text: string): string {
  const texts = { page: text, project: text, url: text, reason: text };
  const problem = { code: text, where: text, found: text, advice: text };
  const cause = causeOf({ element: text, property: text, before: text, after: text });
  const grouped = ['a', 'b'].map((id) => changedOf({ ...texts, id: id + text, group: `1${text}`, causes: [cause] }));
  const rejected = changedOf({ ...texts, id: text, decision: 'rejected' });
  const quiet = [shotOf({ ...texts, id: text, flaky: true }), shotOf({ ...texts, id: text, status: 'skipped' })];
  const gone = shotOf({ ...texts, id: text, status: 'error' });
  const rest = { problems: [problem], selected: [text], list: text, commit: text };
  const run = runOf([gone, ...grouped, rejected, ...quiet], rest);
  const both = [renderMarkdown(run), renderMarkdown(run, published(run))];
  for (const markdown of both) expect(markdown).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  return withoutTexts(both.join('\n\n***\n\n'));
}

function withoutTexts(markdown: string): string {
  return String(marked.parse(markdown)).replace(/<code>[^<]*<\/code>/g, '<code></code>');
}

test('no text is markup, a link, a picture, a mention or a reference: whatever the texts are, the page is the same', () => {
  const random = createRandom(51);
  const whole = (below: number) => Math.floor(random() * below);
  const plain = structureOf('plain');
  expect(plain.match(/<(?:a|img)\b/g)).toHaveLength(3 + 4 + 4);
  const texts = Array.from({ length: 600 }, () =>
    Array.from({ length: 1 + whole(6) }, () => PARTS[whole(PARTS.length)]),
  );
  for (const text of [...PARTS, ...texts.map((parts) => parts.join('')), ...Object.values(HOSTILE_TEXTS)]) {
    expect(structureOf(`${text}.`), JSON.stringify(text)).toBe(plain);
    expect(structureOf(`.${text}`), JSON.stringify(text)).toBe(plain);
  }
  // Without code spans, most of these texts are something else.
  const dangerous = PARTS.filter((text) => /<(?!\/?p>)/.test(withoutTexts(`a ${text} b`)));
  expect(dangerous.length).toBeGreaterThan(12);
});

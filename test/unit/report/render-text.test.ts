import { describe, expect, test } from 'vitest';
import type { ShotRecord } from '../../../src/model/run-record.js';
import { renderText } from '../../../src/report/render-text.js';
import { HOSTILE_TEXT } from '../../hostile-texts.js';
import { causeOf, changedOf, runOf, shotOf } from './specimens.js';

const down = (id: string) => {
  const url = `http://127.0.0.1:1/${id}`;
  return shotOf({ id, url, status: 'error', reason: `${url}: cannot be reached. Is the server running?` });
};

test('a green run has the verdict, the counts that are not zero, and the path of the report', () => {
  const text = renderText(runOf([shotOf(), shotOf({ id: 'home', page: 'home' })]), 'proofsheet-report/index.html');
  expect(text).toContain('proofsheet: 0 changes on 2 pages: all 2 shots passed (9.5 s)');
  expect(text).toContain('  counts    2 expected, 2 captured, 2 compared: 2 passed\n');
  expect(text).toContain('proofsheet-report/index.html');
  expect(text).not.toContain('options');
});

test('a changed shot has one line with its pixel counts and its URL', () => {
  const reason = '1,204 px (0.13 %) differ, limit 0 px; 1 region: 420x60 px at (312, 480)';
  const text = renderText(runOf([changedOf({ id: 'pricing/desktop', reason })]), null);
  expect(text).toContain('proofsheet: 1 change on 1 of 1 page (');
  expect(text).toContain(`changed   pricing/desktop [chromium]  ${reason}  http://127.0.0.1:4173/pricing`);
});

describe('groups', () => {
  const nav = causeOf({ element: 'header .nav', before: 'rgb(255, 255, 255)', after: 'rgb(248, 250, 252)' });
  const grouped = Array.from({ length: 228 }, (_, index) =>
    changedOf({ id: `page-${index}`, page: `page-${index >> 1}`, group: '1', causes: [nav] }),
  );

  test('errors and unstable shots come first, then one line for each change, that of most shots first', () => {
    const shots = [
      changedOf({ id: 'pricing', reason: 'h1: text "a" -> "b"' }),
      ...grouped,
      shotOf({ id: 'new', status: 'new', reason: 'no baseline found' }),
      shotOf({ id: 'moving', status: 'unstable', reason: 'page did not become stable' }),
      shotOf({ id: 'gone', status: 'error', reason: 'HTTP status 404' }),
    ];
    const lines = renderText(runOf(shots), null).split('\n').slice(3, -1);
    expect(lines).toEqual([
      '  error     gone [chromium]  HTTP status 404  http://127.0.0.1:4173/pricing',
      '  unstable  moving [chromium]  page did not become stable  http://127.0.0.1:4173/pricing',
      '  changed   header .nav: background-color #ffffff -> #f8fafc (site.css:12)  228 shots on 114 pages, group 1',
      '  changed   pricing [chromium]  h1: text "a" -> "b"  http://127.0.0.1:4173/pricing',
      '  new       new [chromium]  no baseline found  http://127.0.0.1:4173/pricing',
    ]);
  });

  test('any run has at most 40 lines, and says what is left out', () => {
    const problem = { code: 'x', where: 'w', found: 'f', advice: 'a' };
    const single = Array.from({ length: 300 }, (_, index) => changedOf({ id: `single-${index}`, flaky: true }));
    const warned = Array.from({ length: 30 }, (_, index) =>
      shotOf({ id: `w${index}`, warnings: [{ code: 'few-pixels-compared', message: `warning ${index}` }] }),
    );
    const run = runOf([...single, ...grouped, ...warned, shotOf({ flaky: true })], {
      ...{ selected: ['-g x'], shards: [{ current: 1, total: 2 }] },
      problems: Array.from({ length: 99 }, () => problem),
    });
    const text = renderText({ ...run, obsolete: ['a.png'] }, 'report/index.html');
    expect(text.trim().split('\n').length).toBeLessThanOrEqual(40);
    expect(text).toContain('91 more problems: see the report');
    expect(text).toContain('26 more warnings: see the report');
    const shown = text.match(/^ {2}changed /gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(5);
    expect(text).toContain(`${301 - shown} more changes on ${301 - shown} shots: see the report`);
    expect(text).toContain('report/index.html');
  });

  test('a group says who rejected the same change before, or how many of its shots were', () => {
    const rejection = { by: 'Ann', at: '2026-11-27T10:00:00.000Z', reason: 'it must stay' };
    const rejected = (count: number) =>
      renderText(runOf(grouped.map((shot, index) => ({ ...shot, ...(index < count && { rejection }) }))), null);
    expect(rejected(228)).toContain('changed   rejected before by Ann on 2026-11-27: it must stay; header .nav: ');
    expect(rejected(3)).toContain('changed   3 rejected before; header .nav: ');
  });

  test('a group names its decisions, with a count if they are not those of all', () => {
    const decided = (count: number) =>
      renderText(runOf(grouped.map((shot, index) => ({ ...shot, decision: index < count ? 'approved' : null }))), null);
    expect(decided(228)).toContain('group 1 (approved)\n');
    expect(decided(3)).toContain('group 1 (3 approved)\n');
  });
});

test('the options and the shard are named', () => {
  const shards = [{ current: 1, total: 3 }];
  const text = renderText(runOf([shotOf()], { selected: ['--grep @smoke', '--shard 1/3'], shards }), null);
  expect(text).toMatch(/options +--grep @smoke --shard 1\/3\n +shard +1\/3/);
});

describe('errors', () => {
  test('with the same reason share a line, without the URL', () => {
    const text = renderText(runOf(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(down)), null);
    expect(text.match(/cannot be reached/g)).toHaveLength(1);
    expect(text).toContain(
      'error     cannot be reached. Is the server running?  7 shots on 1 page: a [chromium], b [chromium], c [chromium] and 4 more\n',
    );
  });

  test('of paths without a baseURL share a line', () => {
    const lost = (url: string) =>
      shotOf({ id: url, url, status: 'error', reason: `${url}: baseURL is not set. Set it.` });
    expect(renderText(runOf(['/', '/a'].map(lost)), null)).toContain(
      'error     baseURL is not set. Set it.  2 shots on 1 page: / [chromium], /a [chromium]\n',
    );
  });

  test('with different reasons have a line each, with the URL once', () => {
    const text = renderText(runOf([down('a'), shotOf({ id: 'b', status: 'error', reason: 'it answered 500' })]), null);
    expect(text).toContain('error     a [chromium]  http://127.0.0.1:1/a: cannot be reached. Is the server running?\n');
    expect(text).toContain('error     b [chromium]  it answered 500  http://127.0.0.1:4173/pricing\n');
  });
});

test.each([
  [
    'on request is named and needs no review',
    null,
    'written   1 shot with a baseline that this run wrote: pricing [chromium]',
  ],
  ['by a failed test needs review', 'it had no baseline', 'new       pricing [chromium] (written)  it had no baseline'],
])('a baseline that was written %s', (_, reason, line) => {
  expect(renderText(runOf([shotOf({ status: 'new', written: true, reason })]), null)).toContain(`\n  ${line}`);
});

test('flaky, skipped and warned shots are listed', () => {
  const shots = [
    shotOf({ id: 'a', flaky: true }),
    shotOf({ id: 'b', status: 'skipped', reason: 'not built yet' }),
    shotOf({ id: 'c', warnings: [{ code: 'fonts', message: 'fonts pending' }] }),
  ];
  const text = renderText(runOf(shots), null);
  expect(text).toMatch(/flaky +1 shot .*: a \[chromium\]/);
  expect(text).toMatch(/skipped +1 shot .*: b \[chromium\]/);
  expect(text).toMatch(/warned +1 shot .*: c \[chromium\]/);
  expect(text).toContain('0 changes on 1 page: 2 of 3 shots passed, 1 skipped, 1 flaky');
});

test('a problem of the run is listed, and the run is not called passed', () => {
  const problem = { code: 'x', where: 'the merged run', found: 'shard 2/3 is missing', advice: 'Merge it.' };
  const text = renderText(runOf([shotOf()], { complete: false, problems: [problem] }), null);
  expect(text).toContain('problem   the merged run: shard 2/3 is missing. Merge it.');
  expect(text).toContain('1 problem with the run');
  expect(text).not.toContain('passed (');
});

test('a hostile id and reason stay on one line', () => {
  const text = renderText(runOf([changedOf({ id: HOSTILE_TEXT, reason: HOSTILE_TEXT, url: HOSTILE_TEXT })]), null);
  expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}|^::/mu);
});

test('the decision on a shot and the obsolete baselines are listed', () => {
  const run = runOf([changedOf({ decision: 'rejected' })]);
  const text = renderText({ ...run, obsolete: ['shots/a.png', 'shots/b\u001b[2J.png'] }, null);
  expect(text).toContain('changed   pricing [chromium] (rejected)  it differs');
  expect(text).toContain(
    'obsolete  2 baselines without a shot: shots/a.png, shots/b.png (to list or delete: npx proofsheet prune)',
  );
});

test('the report line names the command to review, if a shot can be approved', () => {
  const command = 'npx proofsheet report';
  const lastLine = (shot: ShotRecord, review: string | null = command) =>
    renderText(runOf([shot]), 'proofsheet-report/index.html', review)
      .trimEnd()
      .split('\n')
      .at(-1);
  expect(lastLine(changedOf())).toBe(
    '  report    proofsheet-report/index.html (to review and approve: npx proofsheet report)',
  );
  const plain = '  report    proofsheet-report/index.html';
  expect(lastLine(changedOf(), null), 'the command cannot be typed').toBe(plain);
  expect(lastLine(shotOf())).toBe(plain);
  expect(lastLine(changedOf({ baseline: null })), 'a two-state shot').toBe(plain);
  expect(lastLine(down('a'))).toBe(plain);
});

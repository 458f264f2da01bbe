import { describe, expect, test } from 'vitest';
import type { ShotRecord } from '../../../src/model/run-record.js';
import { renderText } from '../../../src/report/render-text.js';
import { causeOf, changedOf, runOf, shotOf } from './specimens.js';

const down = (id: string) => {
  const url = `http://127.0.0.1:1/${id}`;
  return shotOf({ id, url, status: 'error', reason: `${url}: cannot be reached. Is the server running?` });
};

test('a green run has the verdict, the counts that are not zero, its options and shard, and the path of the report', () => {
  const run = runOf([shotOf(), shotOf({ id: 'home', page: 'home' })]);
  const text = renderText(run, 'proofsheet-report/index.html');
  expect(text).toContain('proofsheet: 0 changes on 2 pages: all 2 shots passed (9.5 s)');
  expect(text).toContain('  counts    2 expected, 2 captured, 2 compared: 2 passed\n');
  expect(text).toContain('proofsheet-report/index.html');
  expect(text).not.toContain('options');
  const part = { selected: ['--grep @smoke', '--shard 1/3'], shards: [{ current: 1, total: 3 }] };
  expect(renderText(runOf([shotOf()], part), null)).toMatch(/options +--grep @smoke --shard 1\/3\n +shard +1\/3/);
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
    expect(text).toContain('24 more warnings: see the report');
    const shown = text.match(/^ {2}changed /gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(5);
    expect(text).toContain(`${301 - shown} more changes on ${301 - shown} shots: see the report`);
    expect(text).toContain('report/index.html');
  });

  test('a run that writes baselines lists up to 20 of their warnings, and 6 of other shots, beside some changes', () => {
    const warned = (count: number, written: boolean) =>
      Array.from({ length: count }, (_, index) => {
        const id = `${written ? 'written' : 'other'} ${index}`;
        return shotOf({ id, written, warnings: [{ code: 'load', message: `warning of ${id}` }] });
      });
    const linesOf = (shots: ShotRecord[]) => renderText(runOf(shots), 'report/index.html').trim().split('\n');
    const count = (lines: string[], word: string) => lines.filter((line) => line.startsWith(`  ${word} `)).length;
    const first = linesOf(warned(20, true));
    expect(count(first, 'warning')).toBe(20);
    expect(first.join('\n')).not.toContain('more warning');
    const both = linesOf([...warned(8, false), ...warned(21, true)]);
    expect(count(both, 'warning')).toBe(26);
    expect(both.join('\n')).toContain('3 more warnings: see the report');
    const changes = Array.from({ length: 99 }, (_, index) => changedOf({ id: `c${index}`, page: `c${index}` }));
    const many = linesOf([...changes, ...warned(8, false), ...warned(21, true)]);
    expect(many.length).toBeLessThanOrEqual(40);
    expect(count(many, 'warning')).toBeGreaterThanOrEqual(20);
    expect(count(many, 'changed')).toBeGreaterThanOrEqual(5);
    // A warning that a written shot shares with others is one of its warnings.
    const shared = shotOf({ id: 'old', warnings: [{ code: 'load', message: 'warning of written 0' }] });
    expect(linesOf([shared, ...warned(8, true)]).join('\n')).toContain(
      'warning of written 0 (2 shots: old [chromium], written 0 [chromium])',
    );
  });

  test('a group says who rejected the same change before, and what is decided now, or for how many of its shots', () => {
    const rejection = { by: 'Ann', at: '2026-11-27T10:00:00.000Z', reason: 'it must stay' };
    const changed = (count: number, changes: Partial<ShotRecord>) =>
      renderText(runOf(grouped.map((shot, index) => ({ ...shot, ...(index < count && changes) }))), null);
    const rejected = (count: number) => changed(count, { rejection });
    expect(rejected(228)).toContain('changed   rejected before by Ann on 2026-11-27: it must stay; header .nav: ');
    expect(rejected(3)).toContain('changed   3 rejected before; header .nav: ');
    expect(changed(228, { decision: 'approved' })).toContain('group 1 (approved)\n');
    expect(changed(3, { decision: 'approved' })).toContain('group 1 (3 approved)\n');
  });
});

test('errors with the same reason share a line, without the URL; others have it once', () => {
  const lost = (url: string) =>
    shotOf({ id: url, url, status: 'error', reason: `${url}: baseURL is not set. Set it.` });
  const other = shotOf({ id: 'x', status: 'error', reason: 'it answered 500' });
  const refused = shotOf({ id: 'y', url: 'http://y', status: 'error', reason: 'http://y: it refused' });
  const text = renderText(runOf([...['a', 'b', 'c', 'd'].map(down), lost('/'), lost('/a'), other, refused]), null);
  expect(text.match(/^ {2}error .*$/gm)).toEqual([
    '  error     cannot be reached. Is the server running?  4 shots on 1 page: a [chromium], b [chromium], c [chromium] and 1 more',
    '  error     baseURL is not set. Set it.  2 shots on 1 page: / [chromium], /a [chromium]',
    '  error     x [chromium]  it answered 500  http://127.0.0.1:4173/pricing',
    '  error     y [chromium]  http://y: it refused',
  ]);
});

test.each([
  ['on request is named', null, 'written   1 shot with a baseline that this run wrote: pricing [chromium]'],
  ['by a failed test needs review', 'it had no baseline', 'new       pricing [chromium] (written)  it had no baseline'],
])('a baseline that was written %s', (_, reason, line) => {
  expect(renderText(runOf([shotOf({ status: 'new', written: true, reason })]), null)).toContain(`\n  ${line}`);
});

test('flaky, skipped and warned shots, decisions and obsolete baselines are listed', () => {
  const shots = [
    shotOf({ id: 'a', flaky: true }),
    shotOf({ id: 'b', status: 'skipped', reason: 'not built yet' }),
    shotOf({ id: 'c', warnings: [{ code: 'fonts', message: 'fonts pending' }] }),
    changedOf({ decision: 'rejected' }),
  ];
  const text = renderText({ ...runOf(shots), obsolete: ['shots/a.png', 'shots/b\u001b[2J.png'] }, null);
  expect(text).toMatch(/flaky +1 shot .*: a \[chromium\]/);
  expect(text).toMatch(/skipped +1 shot .*: b \[chromium\]/);
  expect(text).toMatch(/warning +fonts pending \(1 shot: c \[chromium\]\)/);
  expect(text).toContain('changed   pricing [chromium] (rejected)  it differs');
  expect(text).toContain('obsolete  2 baselines without a shot: shots/a.png, shots/b.png (to list or delete: npx');
});

test('the report line names the command to review, if a shot can be approved', () => {
  const endOf = (shot: ShotRecord, review: string | null) =>
    renderText(runOf([shot]), 'a/index.html', review).slice(-60);
  expect(endOf(changedOf(), 'npx x')).toContain('\n  report    a/index.html (to review and approve: npx x)\n');
  expect(endOf(changedOf(), null), 'the command cannot be typed').toContain('\n  report    a/index.html\n');
  expect(endOf(down('a'), 'npx x')).toContain('\n  report    a/index.html\n');
});

import { describe, expect, test } from 'vitest';
import type { ShotRecord } from '../../../src/model/run-record.js';
import { renderDecisions, renderVerdict } from '../../../src/report/verdict.js';
import { changedOf, runOf } from './specimens.js';

const shot = (page: string, status: ShotRecord['status'], changes: Partial<ShotRecord> = {}) => {
  return changedOf({ id: page, page, status, reason: 'x', ...changes });
};
const passed = (page: string) => shot(page, 'passed');
const changed = (page: string, group: string | null = null) => shot(page, 'changed', { group });
const error = (page: string) => shot(page, 'error');
const written = (page: string, status: 'changed' | 'new') => shot(page, status, { written: true, reason: null });
const phone = shot('a', 'changed', { id: 'a/phone', viewport: 'phone' });

test.each<[string, ShotRecord[]]>([
  // A group is one change. The pages of all changed shots count, each once for all its viewports, states and projects.
  ['2 changes on 3 of 4 pages', [changed('a', '1'), changed('b', '1'), changed('c'), passed('d')]],
  ['1 change on 1 of 1 page', [changed('a')]],
  ['3 changes on 1 of 2 pages', [changed('a'), phone, { ...phone, project: 'firefox' }, passed('b')]],
  // The pages are those of the first kind.
  [
    '1 change on 1 of 5 pages, 1 error, 1 unstable shot, 2 new shots',
    [changed('a'), error('b'), shot('c', 'unstable'), shot('d', 'new'), shot('e', 'new')],
  ],
  ['2 errors on 2 of 4 pages, 1 new shot', [error('a'), error('b'), shot('c', 'new'), passed('d')]],
  // A baseline that was written on request is no change.
  ['1 change on 1 of 2 pages', [changed('a'), written('b', 'changed')]],
  ['1 of 2 shots passed, 1 baseline written', [written('a', 'changed'), passed('b')]],
  ['1 baseline written', [written('a', 'new')]],
  ['0 changes on 1 page: 1 shot passed', [passed('a')]],
  ['0 changes on 2 pages: all 2 shots passed', [passed('a'), passed('b')]],
  ['0 changes on 1 page: 1 of 2 shots passed, 1 skipped', [passed('a'), shot('c', 'skipped')]],
  ['0 changes on 2 pages: all 2 shots passed, 1 redrawn', [passed('a'), shot('b', 'passed', { redrawn: 'compared' })]],
])('the verdict is %j', (verdict, shots) => {
  expect(renderVerdict(runOf(shots))).toBe(verdict);
});

test('the verdict names problems of the run and an incomplete run', () => {
  const run = runOf([passed('a')], { problems: [{ code: 'x', where: 'a', found: 'b', advice: 'c' }], complete: false });
  expect(renderVerdict(run)).toBe('1 problem with the run, the run is incomplete');
});

describe('the headline of a review', () => {
  const [approved, rejected, open] = (['approved', 'rejected', null] as const).map((decision) => {
    return { needsReview: true, decision };
  });
  const fine = { needsReview: false, decision: null };

  test.each([
    [[open, open, fine], null],
    [[fine], null],
    [[approved, approved, approved, fine], '3 shots approved, nothing left to review'],
    [[approved, open, open], '1 of 3 shots approved, 2 left to review'],
    [[approved, rejected], '1 of 2 shots approved, 1 rejected, nothing left to review'],
    [[rejected], '1 shot rejected, nothing left to review'],
    [[rejected, open], '1 of 2 shots rejected, 1 left to review'],
  ])('%j is %j', (shots, headline) => {
    expect(renderDecisions(shots.flatMap((one) => one ?? []))).toBe(headline);
  });
});

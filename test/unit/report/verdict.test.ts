import { describe, expect, test } from 'vitest';
import type { ShotRecord } from '../../../src/model/run-record.js';
import { renderDecisions, renderVerdict } from '../../../src/report/verdict.js';
import { changedOf, runOf, shotOf } from './specimens.js';

const verdictOf = (...shots: ShotRecord[]) => renderVerdict(runOf(shots));

const passed = (page: string) => shotOf({ id: page, page });
const changed = (page: string, group: string | null = null) => changedOf({ id: page, page, group });
const failed = (page: string, status: ShotRecord['status']) => shotOf({ id: page, page, status, reason: 'x' });

describe('the verdict of a run with changes', () => {
  test('counts a group as one change, and the pages of all changed shots', () => {
    expect(verdictOf(changed('a', '1'), changed('b', '1'), changed('c'), passed('d'))).toBe(
      '2 changes on 3 of 4 pages',
    );
  });

  test('has the singular for one change and one page', () => {
    expect(verdictOf(changed('a', '1'), changed('b', '1'))).toBe('1 change on 2 of 2 pages');
    expect(verdictOf(changed('a'))).toBe('1 change on 1 of 1 page');
  });

  test('counts a page once for all its viewports, states and projects', () => {
    const phone = changedOf({ id: 'a/phone', page: 'a', viewport: 'phone' });
    expect(verdictOf(changed('a'), phone, { ...phone, project: 'firefox' }, passed('b'))).toBe(
      '3 changes on 1 of 2 pages',
    );
  });

  test('has errors, unstable and new shots after the changes', () => {
    const shots = [changed('a'), failed('b', 'error'), failed('c', 'unstable'), failed('d', 'new'), failed('e', 'new')];
    expect(verdictOf(...shots)).toBe('1 change on 1 of 5 pages, 1 error, 1 unstable shot, 2 new shots');
  });

  test('does not count shots whose baseline was written on request', () => {
    const written = { ...changed('b'), written: true, reason: null };
    expect(verdictOf(changed('a'), written)).toBe('1 change on 1 of 2 pages');
  });
});

describe('the verdict of a run without changes', () => {
  test('names the pages of the first kind of failure', () => {
    expect(verdictOf(failed('a', 'error'), failed('b', 'error'), failed('c', 'new'), passed('d'))).toBe(
      '2 errors on 2 of 4 pages, 1 new shot',
    );
  });

  test('has the number of compared pages if the run is green', () => {
    expect(verdictOf(passed('a'))).toBe('0 changes on 1 page: 1 shot passed');
    expect(verdictOf(passed('a'), passed('b'))).toBe('0 changes on 2 pages: all 2 shots passed');
    const skipped = shotOf({ id: 'c', page: 'c', status: 'skipped' });
    expect(verdictOf(passed('a'), skipped)).toBe('0 changes on 1 page: 1 of 2 shots passed, 1 skipped');
  });

  test('does not count changes if the run wrote the baselines', () => {
    const written = { ...changed('a'), written: true, reason: null };
    expect(verdictOf(written, passed('b'))).toBe('1 of 2 shots passed, 1 baseline written');
    expect(verdictOf({ ...written, status: 'new' })).toBe('1 baseline written');
  });

  test('names problems of the run and an incomplete run', () => {
    const problems = [{ code: 'x', where: 'a', found: 'b', advice: 'c' }];
    expect(renderVerdict(runOf([passed('a')], { problems, complete: false }))).toBe(
      '1 problem with the run, the run is incomplete',
    );
  });
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
    expect(renderDecisions(shots.flatMap((shot) => shot ?? []))).toBe(headline);
  });
});

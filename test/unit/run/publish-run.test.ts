import { expect, test } from 'vitest';
import { keepRejections } from '../../../src/run/publish-run.js';
import { runOf, shotOf } from '../report/specimens.js';

test('a change that was rejected is marked while it comes again unchanged, also after several runs', () => {
  const rejection = { by: 'Ann', at: '2026-11-27T10:00:00.000Z', reason: 'the price must stay' };
  const image = (sha: string) => ({ link: null, width: 8, height: 6, source: 'http://localhost/', sha256: sha });
  const shot = (id: string, sha: string) => shotOf({ id, page: id, status: 'changed', after: image(sha) });
  const ids = ['same', 'other', 'fine'];
  const rejected = ids.map((id) => ({ ...shot(id, 'a'), decision: 'rejected' as const, rejection }));
  const next = [
    shot('same', 'a'),
    shot('other', 'b'),
    { ...shot('fine', 'a'), status: 'passed' as const },
    shot('added', 'a'),
  ];
  const second = keepRejections(runOf(next), runOf(rejected));
  expect(second.shots.map((one) => one.rejection)).toEqual([rejection, undefined, undefined, undefined]);
  expect(second.shots[0]?.decision).toBeNull();
  const third = keepRejections(runOf(next), second);
  expect(third.shots[0]?.rejection).toEqual(rejection);
  expect(keepRejections(runOf(next), null)).toEqual(runOf(next));
});

import { expect, test } from 'vitest';
import { MAX_INLINE_BYTES } from '../../../src/report/view.js';
import { keepRejections, readInlineImages } from '../../../src/run/publish-run.js';
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

const imageAt = (link: string) => ({ link, width: 1, height: 1, source: '' });
const shotWith = (id: string) => {
  const image = (name: string) => imageAt(`${id}/${name}`);
  return shotOf({ id, before: image('before'), after: image('after'), diff: image('diff') });
};
const linksIn = (images: ReturnType<typeof readInlineImages>) => [...images.keys()];

test('all images of a shot are embedded or none, up to the limit', () => {
  const images = ['a', 'b', 'c'].flatMap((id) => {
    const bytes = Buffer.alloc(id === 'b' ? MAX_INLINE_BYTES / 2 : 1000);
    return ['before', 'after', 'diff'].map((name) => ({ link: `${id}/${name}`, from: bytes }));
  });
  const held = readInlineImages(['a', 'b', 'c'].map(shotWith), images);
  expect(linksIn(held)).toEqual(['a/before', 'a/after', 'a/diff', 'c/before', 'c/after', 'c/diff']);
});

test('a shared image is embedded once, a missing one is not embedded', () => {
  const after = imageAt('after');
  const shot = shotOf({ before: after, after });
  expect(linksIn(readInlineImages([shot], [{ link: 'after', from: Buffer.alloc(MAX_INLINE_BYTES) }]))).toEqual([
    'after',
  ]);
  expect(linksIn(readInlineImages([shot], [{ link: 'after', from: null }]))).toEqual([]);
  expect(linksIn(readInlineImages([shot], [{ link: 'after', from: '/nowhere/at/all.png' }]))).toEqual([]);
});

test('the images of earlier attempts are embedded with a flaky shot', () => {
  const after = imageAt('earlier');
  const flaky = { ...shotWith('a'), flaky: true, attempts: [{ status: 'changed' as const, after }] };
  expect(linksIn(readInlineImages([flaky], [{ link: 'earlier', from: Buffer.alloc(1) }]))).toEqual(['earlier']);
});

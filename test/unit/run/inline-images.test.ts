import { expect, test } from 'vitest';
import { MAX_INLINE_BYTES } from '../../../src/report/view.js';
import { readInlineImages } from '../../../src/run/inline-images.js';
import { shotOf } from '../report/specimens.js';

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

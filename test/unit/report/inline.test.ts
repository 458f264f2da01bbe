import { expect, test } from 'vitest';
import { MAX_INLINE_BYTES, renderOmittedImages, selectInline } from '../../../src/report/html/inline-images.js';
import { shotOf } from './specimens.js';

const shotWith = (id: string) => {
  const image = (name: string) => ({ link: `screenshots/${id}/${name}.png`, width: 1, height: 1, source: '' });
  return shotOf({ id, before: image('before'), after: image('1'), diff: image('diff') });
};
const shots = ['a', 'b', 'c'].map(shotWith);

test('images are held shot by shot, all of one or none, until there is no room', () => {
  const held = selectInline(shots, (link) => (link.includes('/b/') ? MAX_INLINE_BYTES / 2 : 1000));
  expect(held.map((link) => link.slice('screenshots/'.length))).toEqual(
    ['a', 'c'].flatMap((id) => [`${id}/before.png`, `${id}/1.png`, `${id}/diff.png`]),
  );
  expect(renderOmittedImages(shots, new Set(held))).toMatch(/^3 of 9 images left out: .* 30 MB/);
});

test('an image that two roles share is held once, and one that is not there not at all', () => {
  const shared = shotOf();
  const same = { ...shared, before: shared.after && { ...shared.after, source: 'baseline' } };
  expect(selectInline([same], () => MAX_INLINE_BYTES)).toEqual([shared.after?.link]);
  expect(selectInline([same], () => null)).toEqual([]);
});

test('what the earlier attempts of a flaky shot saw is held with it', () => {
  const after = { link: 'screenshots/a/earlier.png', width: 1, height: 1, source: '' };
  const flaky = { ...shotWith('a'), flaky: true, attempts: [{ status: 'changed' as const, after }] };
  expect(selectInline([flaky], () => 1)).toContain(after.link);
});

test('where there is room for all, there is nothing to be said', () => {
  const held = selectInline(shots, () => 1);
  expect(renderOmittedImages(shots, new Set(held))).toBe(null);
});

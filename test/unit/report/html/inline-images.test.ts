import { expect, test } from 'vitest';
import { MAX_INLINE_BYTES, renderOmittedImages, selectInline } from '../../../../src/report/html/inline-images.js';
import { shotOf } from '../specimens.js';

const shotWith = (id: string) => {
  const image = (name: string) => ({ link: `screenshots/${id}/${name}.png`, width: 1, height: 1, source: '' });
  return shotOf({ id, before: image('before'), after: image('1'), diff: image('diff') });
};
const shots = ['a', 'b', 'c'].map(shotWith);

test('all images of a shot are embedded or none, up to the limit', () => {
  const held = selectInline(shots, (link) => (link.includes('/b/') ? MAX_INLINE_BYTES / 2 : 1000));
  expect(held.map((link) => link.slice('screenshots/'.length))).toEqual(
    ['a', 'c'].flatMap((id) => [`${id}/before.png`, `${id}/1.png`, `${id}/diff.png`]),
  );
  expect(renderOmittedImages(shots, new Set(held))).toMatch(
    /^3 of 9 images are not embedded: the limit is 30 MB, .* The "screenshots" folder of the report has all images\.$/,
  );
});

test('a shared image is embedded once, a missing one is not embedded', () => {
  const shared = shotOf();
  const same = { ...shared, before: shared.after && { ...shared.after, source: 'baseline' } };
  expect(selectInline([same], () => MAX_INLINE_BYTES)).toEqual([shared.after?.link]);
  expect(selectInline([same], () => null)).toEqual([]);
});

test('the images of earlier attempts are embedded with a flaky shot', () => {
  const after = { link: 'screenshots/a/earlier.png', width: 1, height: 1, source: '' };
  const flaky = { ...shotWith('a'), flaky: true, attempts: [{ status: 'changed' as const, after }] };
  expect(selectInline([flaky], () => 1)).toContain(after.link);
});

test('there is no note if all images are embedded', () => {
  const held = selectInline(shots, () => 1);
  expect(renderOmittedImages(shots, new Set(held))).toBe(null);
});

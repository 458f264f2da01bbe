import { expect, test } from 'vitest';
import { decodeImage } from '../../../src/image/decode.js';
import type { Pixels, Rectangle } from '../../../src/model/image.js';
import { cropsOf, cutPictures, thumbnailsOf } from '../../../src/review/assemble-report.js';
import { fill, imageOf, png, sheet } from '../image/paint.js';
import { changedOf, runOf, shotOf } from '../report/specimens.js';

const place = (x: number, y: number, width: number, height: number): Rectangle => ({ x, y, width, height });

async function cut(page: Pixels, rectangle: Rectangle) {
  const pictures = await cutPictures(png(page).bytes, [
    { link: '', place: rectangle, max: { width: 640, height: 400 } },
  ]);
  const [picture] = pictures.values();
  return picture && { ...picture, pixels: await decodeImage(imageOf(picture.bytes)) };
}

test('the crops of a change have the same size, and each shows the region where it is in its image', async () => {
  const [before, after] = [place(300, 200, 420, 60), place(300, 900, 420, 64)];
  const crops = cropsOf(changedOf({ regionPlaces: [{ before, after, diff: after }] }));
  expect(crops.before?.place).toEqual(place(252, 150, 516, 160));
  expect(crops.after?.place).toEqual(place(252, 852, 516, 160));
  const page = fill(sheet(1280, 2000), after, '#dc2626');
  const picture = await cut(page, crops.after?.place ?? after);
  expect(picture?.size).toEqual({ width: 516, height: 160 });
  const colorAt = (x: number, y: number) => picture?.pixels.data.subarray((y * 516 + x) * 4).subarray(0, 3);
  // Lossy: near the color of the page.
  expect(colorAt(258, 80)?.[0]).toBeGreaterThan(200);
  expect(colorAt(258, 80)?.[1]).toBeLessThan(60);
  expect(colorAt(10, 10)?.[1]).toBeGreaterThan(240);
});

test.each([
  ['of added content show the place in the before image, too', place(10, 20, 30, 40), place(-175, -40, 400, 160)],
  ['of a region that is larger show its top left corner', place(0, 500, 1280, 4000), place(-24, 476, 1280, 800)],
])('the crops %s', (_, region, expected) => {
  const regionPlaces = [{ before: null, after: region, diff: region }];
  const { before, after } = cropsOf(changedOf({ regionPlaces }));
  expect([before?.place, after?.place]).toEqual([expected, expected]);
});

test('without a region, the crops show what moved, or else the top of the image', () => {
  const move = { kind: 'moved' as const, axis: 'rows' as const, by: 48, regions: [] };
  const events = [{ ...move, before: place(0, 600, 1280, 90), after: place(0, 648, 1280, 90) }];
  expect(cropsOf(changedOf({ events })).after?.place).toEqual(place(-24, 600, 1280, 186));
  expect(cropsOf(shotOf({ before: null, status: 'new' }))).toMatchObject({
    before: null,
    after: { place: { y: -400 } },
  });
});

test('a part that is larger or outside is moved into the image, and scaled down to the maximum', async () => {
  const picture = await cut(sheet(1280, 300, '#2563eb'), place(-500, 5000, 1280, 800));
  expect(picture).toMatchObject({ place: place(0, 0, 1280, 300), size: { width: 640, height: 150 } });
  expect(picture?.path).toMatch(/^screenshots\/[\da-f]{64}\.webp$/);
});

test('there is no picture of a damaged file or a PDF', async () => {
  const rectangle = { link: '', place: place(0, 0, 10, 10), max: { width: 640, height: 400 } };
  const { bytes } = png(sheet(40, 40));
  for (const wrong of [bytes.subarray(0, 60), Buffer.from('%PDF-1.4\n%%EOF'), Buffer.alloc(0)]) {
    expect((await cutPictures(wrong, [rectangle])).size).toBe(0);
  }
});

test('a thumbnail is for each card: the first shot of a group, and each single shot that did not pass, at most 500', () => {
  const group = ['a', 'b', 'c'].map((id) => changedOf({ id, group: '1' }));
  const after = place(0, 3000, 100, 20);
  const single = changedOf({ id: 'd', regionPlaces: [{ before: null, after, diff: after }] });
  const cuts = thumbnailsOf(runOf([shotOf(), single, ...group]));
  expect([...cuts.keys()].map(({ id }) => id)).toEqual(['a', 'd']);
  expect(cuts.get(single)?.place, 'as high as wide, with the region in its center').toEqual(place(0, 2370, 1280, 1280));
  const many = Array.from({ length: 700 }, (_, index) => changedOf({ id: `p${index}` }));
  expect(thumbnailsOf(runOf(many)).size).toBe(500);
});

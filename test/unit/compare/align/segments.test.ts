import { expect, test } from 'vitest';
import { decodeImage } from '../../../../src/image/decode.js';
import type { Pixels, Rectangle } from '../../../../src/model/image.js';
import { fill, imageOf, sheet } from '../../image/paint.js';
import { type Part, paintPage, put, space, text } from '../paint-page.js';
import { describeChange } from '../settings.js';

const WIDTH = 320;
const PARTS = [text(1, 5), text(2, 6), text(3, 7), text(4, 5), text(5, 6)];
const paint = (parts: readonly Part[]) => paintPage(WIDTH, parts);
const dot = (pixels: Pixels, y: number) => fill(pixels, { x: 50, y, width: 30, height: 10 }, '#ff0000');

/** Compares two images and gives the places of a region, and the diff image. */
async function findRegion(before: Pixels, after: Pixels, isIt: (after: Rectangle) => boolean) {
  const { regionPlaces, diff } = await describeChange(before, after);
  const place = regionPlaces.find((one) => one.after && isIt(one.after));
  return { place, diff: await decodeImage(imageOf(diff), 'the diff') };
}

function colorAt({ data, width }: Pixels, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
}

const MAGENTA = [214, 0, 147];

const CHANGES: Record<string, [Pixels, Pixels]> = {
  'rows inserted, and a change below': [paint(PARTS), dot(paint(PARTS.toSpliced(2, 0, text(9, 2))), 600)],
  'a section that moved down and back': [
    paint([text(1, 5), text(3, 7), space(60), text(5, 6)]),
    dot(paint([text(1, 5), space(24), text(3, 7), space(36), text(5, 6)]), 260),
  ],
  'a page that only shrank': [paint([...PARTS, text(7, 3)]), dot(paint(PARTS), 100)],
};

test.each(Object.entries(CHANGES))(
  '%s: a change has its place in both images and in the diff image',
  async (_, [before, after]) => {
    const isDot = ({ x, height }: Rectangle) => x === 50 && height === 10;
    const { place, diff } = await findRegion(before, after, isDot);
    if (!place?.before || !place.after) throw new Error('the change is not in both');
    expect(place.before.x).toBe(50);
    expect(colorAt(diff, 60, place.diff.y + 5)).toEqual(MAGENTA);
    // A change has the same surroundings in both images.
    const left = (pixels: Pixels, { y }: Rectangle) => Array.from({ length: 45 }, (_, x) => colorAt(pixels, x, y + 5));
    expect(left(before, place.before)).toEqual(left(after, place.after));
  },
);

test('a change in what moved sideways has its place in before where it came from', async () => {
  const shot = (x: number) =>
    put(put(sheet(WIDTH, 300), paintPage(120, [text(1, 3)]), 100, x), paintPage(30, [text(4, 3)]), 100, x - 30);
  const dotted = fill(shot(72), { x: 122, y: 120, width: 10, height: 10 }, '#ff0000');
  const { place, diff } = await findRegion(shot(60), dotted, ({ width }) => width === 10);
  expect(place).toMatchObject({ before: { x: 110, y: 120 }, after: { x: 122, y: 120 }, diff: { x: 122, y: 120 } });
  expect(colorAt(diff, 127, 125)).toEqual(MAGENTA);
});

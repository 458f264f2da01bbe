import { expect, test } from 'vitest';
import { decodeImage } from '../../../../src/image/decode.js';
import type { RegionPlace } from '../../../../src/model/comparison.js';
import type { Pixels, Rectangle } from '../../../../src/model/image.js';
import { fill, imageOf, sheet } from '../../image/paint.js';
import { type Part, paintPage, put, space, text } from '../paint-page.js';
import { describeChange } from '../settings.js';

const WIDTH = 320;
const PARTS = [text(1, 5), text(2, 6), text(3, 7), text(4, 5), text(5, 6)];
const paint = (parts: readonly Part[]) => paintPage(WIDTH, parts);
const dot = (pixels: Pixels, y: number) => fill(pixels, { x: 50, y, width: 30, height: 10 }, '#ff0000');

/** Compares two images and gives where the regions lie in them, and their diff image. */
async function placesOf(
  before: Pixels,
  after: Pixels,
): Promise<{ places: readonly RegionPlace[]; diff: Pixels; regions: number }> {
  const { regions, regionPlaces: places, diff } = await describeChange(before, after);
  return { places, diff: await decodeImage(imageOf(diff), 'the diff'), regions: regions.length };
}

function colorAt({ data, width }: Pixels, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
}

/** The comparison itself frames each region in the diff image, 2 pixels around it: its record must name the same place. */
function isFramed(diff: Pixels, { x, y, height }: Rectangle): boolean {
  const [left, top, bottom] = [Math.max(0, x - 2), Math.max(0, y - 2), Math.min(diff.height - 1, y + height + 1)];
  const isInk = (row: number) => colorAt(diff, left, row).join() === '24,24,24';
  return isInk(top) && isInk(bottom);
}

const CHANGES: Record<string, [Pixels, Pixels]> = {
  'nothing moved': [paint(PARTS), dot(paint(PARTS), 300)],
  'rows inserted, and a change below': [
    paint(PARTS),
    dot(paint([...PARTS.slice(0, 2), text(9, 2), ...PARTS.slice(2)]), 600),
  ],
  'rows removed, and a change below': [paint(PARTS), dot(paint(PARTS.toSpliced(1, 1)), 300)],
  'rows removed here and inserted there': [
    paint(PARTS),
    dot(paint([text(1, 5), text(3, 7), text(4, 5), text(8, 2), text(5, 6)]), 200),
  ],
  'a section that moved down and back': [
    paint([text(1, 5), text(3, 7), space(60), text(5, 6)]),
    dot(paint([text(1, 5), space(24), text(3, 7), space(36), text(5, 6)]), 260),
  ],
  'a page that only grew': [paint(PARTS), dot(paint([...PARTS, text(7, 3)]), 100)],
  'a page that only shrank': [paint([...PARTS, text(7, 3)]), dot(paint(PARTS), 100)],
};

test.each(Object.entries(CHANGES))(
  '%s: regions lie where the diff image has them, and changes alike',
  async (_, pair) => {
    for (const [before, after] of [pair, pair.toReversed()]) {
      if (!before || !after) throw new Error('a pair is two');
      const { places, diff, regions } = await placesOf(before, after);
      expect(regions).toBeGreaterThan(0);
      expect(places.filter((place) => !isFramed(diff, place.diff))).toEqual([]);
    }
    const [before, after] = pair;
    const { places } = await placesOf(before, after);
    const change = places.find(
      ({ before: one, after: other }) => one && other && other.x === 50 && other.height === 10,
    );
    if (!change?.before || !change.after) throw new Error('the change is not in both');
    expect(change.before.x).toBe(50);
    // A change has the same surroundings in both images.
    const left = (pixels: Pixels, { y }: Rectangle) => Array.from({ length: 45 }, (_, x) => colorAt(pixels, x, y + 5));
    expect(left(before, change.before)).toEqual(left(after, change.after));
  },
);

test('a change in what moved sideways has its place in before where it came from', async () => {
  const shot = (x: number) =>
    put(put(sheet(WIDTH, 300), paintPage(120, [text(1, 3)]), 100, x), paintPage(30, [text(4, 3)]), 100, x - 30);
  const dotted = fill(shot(72), { x: 122, y: 120, width: 10, height: 10 }, '#ff0000');
  const { places, diff } = await placesOf(shot(60), dotted);
  const change = places.find(({ after }) => after?.width === 10);
  expect(change).toMatchObject({ before: { x: 110, y: 120 }, after: { x: 122, y: 120 } });
  expect(places.filter((place) => !isFramed(diff, place.diff))).toEqual([]);
});

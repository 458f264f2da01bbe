import { expect, test } from 'vitest';
import type { Pixels, Rectangle } from '../../../../src/model/image.js';
import { paintedArea } from '../../../../src/page/screenshot/create-backend.js';
import { fill, sheet } from '../../image/paint.js';

const boxOf = (x: number, y: number, width: number, height: number): Rectangle => ({ x, y, width, height });

const ROOT = boxOf(10, 20, 30, 10);
const EMPTY_ROOT = boxOf(10, 20, 80, 0);
const page = sheet(100, 60, '#fafafa');
const component = fill(page, ROOT, '#0044cc');
const dialog = boxOf(70, 40, 20, 15);
const backdrop = fill(fill(sheet(100, 60, '#888888'), ROOT, '#002266'), dialog, '#ffffff');

test.each<[string, Pixels, Rectangle, Rectangle | null]>([
  ['the component', component, ROOT, ROOT],
  ['the empty space within the root', fill(page, boxOf(12, 22, 3, 3), '#0044cc'), ROOT, ROOT],
  ['a root beyond the image, as far as it is shown', component, boxOf(10, 20, 200, 100), boxOf(10, 20, 90, 40)],
  ['a page that the root covers', component, boxOf(-5, -5, 200, 200), boxOf(0, 0, 100, 60)],
  ['a shadow', fill(component, boxOf(8, 30, 34, 3), '#f9f9f9'), ROOT, boxOf(8, 20, 34, 13)],
  ['a menu above the root', fill(component, boxOf(5, 0, 10, 20), '#222222'), ROOT, boxOf(5, 0, 35, 30)],
  ['a dialog elsewhere', fill(component, dialog, '#ffffff'), ROOT, boxOf(10, 20, 80, 35)],
  ['a dialog of an empty root', fill(page, dialog, '#ffffff'), EMPTY_ROOT, dialog],
  ['a dialog with a backdrop', backdrop, ROOT, boxOf(10, 20, 80, 35)],
  ['a bar without text', fill(component, boxOf(0, 0, 100, 4), '#ff0000'), ROOT, boxOf(0, 0, 100, 30)],
  ['a background with a pattern', fill(page, boxOf(99, 59, 1, 1), '#000000'), EMPTY_ROOT, boxOf(99, 59, 1, 1)],
  ['nothing', page, EMPTY_ROOT, null],
])('the image of a story has %s', (_, pixels, root, expected) => {
  expect(paintedArea(pixels, root)).toEqual(expected);
});

test('the image of a story may have a photo outside of its root: more colors than a function takes arguments', () => {
  const photo = sheet(400, 400);
  for (let index = 0; index < 400 * 400; index++)
    photo.data.set([index & 255, (index >> 8) & 255, index >> 16], 4 * index);
  expect(paintedArea(photo, EMPTY_ROOT)).toEqual(boxOf(0, 0, 400, 400));
});

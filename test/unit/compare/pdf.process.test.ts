import { describe, expect, test } from 'vitest';
import { compareImages } from '../../../src/compare/compare.js';
import { box, type CraftPage, pdf } from '../image/craft-pdf.js';
import { png, sheet } from '../image/paint.js';
import { settings } from './settings.js';

const page = { content: box(10, 10, 30, 20) };
const compare = (before: readonly CraftPage[], after: readonly CraftPage[]) =>
  compareImages(pdf(before), pdf(after, { date: '20261121120000Z', id: 'bb' }), settings(), []);

describe('PDFs', () => {
  test('that differ in dates and ids only have no pixel that differs', async () => {
    expect(await compare([page, {}], [page, {}])).toEqual({
      kind: 'within-limit',
      counts: { mismatchPixels: 0, antialiasedPixels: 0, totalPixels: 200 * 200, sameDimensions: true },
      limitPixels: 0,
    });
  });

  test('are compared as rendered, page by page: the second page is below the first', async () => {
    const changed = { content: `${page.content}${box(80, 40, 5, 5, '1 0 0')}` };
    expect(await compare([page, page], [page, changed])).toMatchObject({
      kind: 'different',
      counts: { mismatchPixels: 100, totalPixels: 200 * 200, sameDimensions: true },
      regions: [{ x: 160, y: 110, width: 10, height: 10, pixels: 100 }],
      diffSize: { width: 200, height: 200 },
    });
  });

  const wide = { ...page, width: 120 };
  const narrow = [{ width: 300 }, {}];

  test.each<[string, readonly CraftPage[], readonly CraftPage[], changed: string, isSameSize: boolean]>([
    ['another number of pages', [page], [page, {}], '1 page -> 2 pages', false],
    ['a page of another size', [page, page], [page, wide], 'page 2: 100x50 pt -> 120x50 pt', false],
    [
      'a wider page beside which it was not white',
      narrow,
      [{ width: 300 }, wide],
      'page 2: 100x50 pt -> 120x50 pt',
      true,
    ],
    [
      'several of them',
      [page, page],
      [wide, wide, page],
      '2 pages -> 3 pages, page 1: 100x50 pt -> 120x50 pt, 2 pages have a different size',
      false,
    ],
  ])('with %s are different, and the change is named', async (_, before, after, pages, sameDimensions) => {
    expect(await compare(before, after)).toMatchObject({ kind: 'different', counts: { sameDimensions }, pages });
  });

  test('cannot be compared with an image', async () => {
    const white = png(sheet(9, 9));
    for (const pair of [[pdf([page]), white] as const, [white, pdf([page])] as const]) {
      await expect(compareImages(...pair, settings(), [])).rejects.toMatchObject({
        code: 'pdf-differs',
        message: expect.stringMatching(
          /^the (before|after) image: a PDF cannot be compared with an image\. Compare it with a PDF/,
        ),
      });
    }
  });
});

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

  test('with another number of pages are different, and the change is named', async () => {
    const comparison = await compare([page], [page, {}]);
    expect(comparison).toMatchObject({
      kind: 'different',
      counts: { mismatchPixels: 200 * 100, totalPixels: 200 * 200, sameDimensions: false },
      pages: '1 page -> 2 pages',
    });
  });

  test('with a page of another size are different, and the change is named', async () => {
    const wide = { ...page, width: 120 };
    expect(await compare([page, page, page], [page, wide, page])).toMatchObject({
      kind: 'different',
      counts: { sameDimensions: false },
      pages: 'page 2: 100x50 pt -> 120x50 pt',
    });
    // All within the size of the whole: the place beside a narrow page is not white.
    expect(await compare([{ width: 300 }, {}], [{ width: 300 }, { width: 120 }])).toMatchObject({
      kind: 'different',
      counts: { mismatchPixels: 40 * 100, sameDimensions: true },
      pages: 'page 2: 100x50 pt -> 120x50 pt',
    });
    expect(await compare([page, page], [wide, wide, page])).toMatchObject({
      pages: '2 pages -> 3 pages, page 1: 100x50 pt -> 120x50 pt, 2 pages have a different size',
    });
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

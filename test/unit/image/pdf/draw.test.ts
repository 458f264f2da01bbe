import { describe, expect, test } from 'vitest';
import { solidColor } from '../../../../src/image/inspect.js';
import { drawPdf, PdfiumThread } from '../../../../src/image/pdf/draw.js';
import { box, type CraftPage, craftPdf, pdf, writeObjects } from '../craft-pdf.js';

const draw = (pages: readonly CraftPage[], maxPixels?: number) => drawPdf(craftPdf(pages), 'the baseline', maxPixels);
const failureOf = (bytes: Buffer) =>
  drawPdf(bytes, 'the baseline').then(
    () => 'drawn',
    ({ code, message }) => `${code} ${message}`,
  );

describe('drawPdf', () => {
  test('draws two pixels to a point, on white', async () => {
    const { width, height, data } = await draw([{ content: box(10, 40, 20, 10, '1 0 0') }]);
    expect([width, height]).toEqual([200, 100]);
    const red = new Set<string>();
    for (let i = 0; i < data.length; i += 4) {
      const isIn = i / 4 < 20 * width && (i / 4) % width >= 20 && (i / 4) % width < 60;
      if (isIn) red.add(data.slice(i, i + 4).join());
      else if (data[i + 1] !== 255) throw new Error(`painted beside, at ${i / 4}`);
    }
    expect([...red]).toEqual(['255,0,0,255']);
  });

  test('stacks the pages vertically, with transparency next to a narrow one', async () => {
    const sizes = [
      { width: 100, height: 50 },
      { width: 40, height: 30 },
    ] as const;
    const { width, height, data, pages } = await draw([sizes[0], { ...sizes[1], content: box(0, 0, 40, 30) }]);
    expect(pages).toEqual(sizes);
    expect([width, height]).toEqual([200, 160]);
    const at = (x: number, y: number) => [...data.slice((y * width + x) * 4, (y * width + x) * 4 + 4)];
    expect([at(199, 99), at(0, 100), at(79, 159), at(80, 100)]).toEqual([
      [255, 255, 255, 255],
      [0, 0, 0, 255],
      [0, 0, 0, 255],
      [0, 0, 0, 0],
    ]);
  });

  test('draws a page that is larger than a band as if in one piece', async () => {
    const lines = Array.from({ length: 100 }, (_, i) => box(0, i * 50, 1000, 3)).join('');
    const { width, height, data } = await draw([{ width: 1000, height: 5000, content: lines }]);
    expect([width, height]).toEqual([2000, 10_000]);
    for (let y = 0; y < height; y++) {
      const dark = data[y * width * 4] === 0;
      expect(dark, `row ${y}`).toBe(y % 100 >= 94);
    }
  });

  test('draws the same each time', async () => {
    const pages = [{ content: box(3.3, 4.4, 50.5, 20.2, '0.2 0.4 0.6') }, {}];
    const [one, other] = await Promise.all([draw(pages), draw(pages)]);
    expect(Buffer.compare(one.data, other.data)).toBe(0);
  });
});

describe('drawPdf of a PDF that cannot be rendered', () => {
  test('names the PDF, the problem and the solution', async () => {
    expect(await failureOf(Buffer.from('%PDF-1.4\nnothing\n%%EOF\n'))).toBe(
      'image-damaged the baseline: the PDF (23 bytes) cannot be rendered: PDFium error 3. ' +
        'Restore the file, or capture the page again.',
    );
  });

  test('a PDF without pages, or with a missing page', async () => {
    const catalog = '<</Type /Catalog /Pages 2 0 R>>';
    const none = writeObjects([catalog, '<</Type /Pages /Count 0 /Kids []>>']);
    expect(await failureOf(none)).toMatch(/^image-damaged .*: (the PDF has no pages|PDFium error \d)/);
    const lost = writeObjects([catalog, '<</Type /Pages /Count 1 /Kids [9 0 R]>>']);
    expect(await failureOf(lost)).toMatch(/^image-damaged .*cannot be rendered/);
  });

  test('more pages than the limit, before any is drawn', async () => {
    const many = craftPdf(Array.from({ length: 1001 }, () => ({})));
    expect(await failureOf(many)).toBe(
      'image-too-large the baseline: the PDF has 1001 pages; the maximum is 1000 pages and 320 million pixels ' +
        '(2 pixels per point). Print a smaller part of the page, or use `format: png`.',
    );
  });

  test('pages that are larger than the limit, before any is drawn', async () => {
    const huge = craftPdf([{ width: 14_400, height: 14_400 }, {}]);
    expect(await failureOf(huge)).toContain('image-too-large the baseline: the pages have 28800x28900 px');
    await expect(draw([{}], 100)).rejects.toMatchObject({ code: 'image-too-large' });
  });

  test('draws the next one after a failure', async () => {
    await failureOf(Buffer.from('%PDF-1.4\n%%EOF'));
    expect(await failureOf(craftPdf([{}]))).toBe('drawn');
  });

  test('terminates a thread that takes too long', async () => {
    const thread = new PdfiumThread(1);
    await expect(thread.open(craftPdf([{}]), 1)).rejects.toThrow('PDFium did not respond within 0.001 s');
  });
});

describe('solidColor of a PDF', () => {
  test('names the color of one that is empty or a single surface', async () => {
    expect(await solidColor(pdf([{}, {}]))).toBe('#ffffff');
    expect(await solidColor(pdf([{ content: box(0, 0, 100, 50, '1 0 0') }]))).toBe('#ff0000');
  });

  test('detects painted content', async () => {
    expect(await solidColor(pdf([{}, { content: box(10, 10, 1, 1) }]))).toBeNull();
  });
});

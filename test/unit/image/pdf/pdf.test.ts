import { describe, expect, test } from 'vitest';
import { solidColor } from '../../../../src/image/decode.js';
import { askPdfium, drawPdf, normalizePdf } from '../../../../src/image/pdf/pdf.js';
import { WorkerClient } from '../../../../src/image/worker-client.js';
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
    const [wide, narrow] = [{ width: 100, height: 50 } as const, { width: 40, height: 30 } as const];
    const { width, height, data, pages } = await draw([wide, { ...narrow, content: box(0, 0, 40, 30) }]);
    expect([pages, width, height]).toEqual([[wide, narrow], 200, 160]);
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

  test('more or larger pages than the limit, before any is drawn', async () => {
    const many = craftPdf(Array.from({ length: 1001 }, () => ({})));
    expect(await failureOf(many)).toBe(
      'image-too-large the baseline: the PDF has 1001 pages; the maximum is 1000 pages and 320 million pixels ' +
        '(2 pixels per point). Print a smaller part of the page, or use `format: png`.',
    );
    const huge = craftPdf([{ width: 14_400, height: 14_400 }, {}]);
    expect(await failureOf(huge)).toContain('image-too-large the baseline: the pages have 28800x28900 px');
    await expect(draw([{}], 100)).rejects.toMatchObject({ code: 'image-too-large' });
  });

  test('terminates a thread that takes too long', async () => {
    const request = { kind: 'open', bytes: craftPdf([{}]), maxPages: 1 } as const;
    await expect(askPdfium(request, new WorkerClient('pdf-thread', 1))).rejects.toThrow('PDFium took too long');
  });
});

test('solidColor names the color of a PDF that is empty or a single surface', async () => {
  expect(await solidColor(pdf([{}, {}]))).toBe('#ffffff');
  expect(await solidColor(pdf([{ content: box(0, 0, 100, 50, '1 0 0') }]))).toBe('#ff0000');
  expect(await solidColor(pdf([{}, { content: box(10, 10, 1, 1) }]))).toBeNull();
});

/** What matters of the text of a PDF that Chromium writes. */
function printed({ date = `20261120195358+00'00'`, nodes = [89, 90], pages = 3 } = {}): Buffer {
  const page = `<</Type /Page\n/MediaBox [0 0 612 792]\n/Parent 9 0 R>>\nendobj\n`;
  const [one, other] = nodes.map((node) => `(node${`${node}`.padStart(8, '0')})`);
  return Buffer.from(
    `%PDF-1.4\n%\xd3\xeb\xe9\xe1\n1 0 obj\n<</Title (at home)\n/Producer (Skia/PDF m156)
/CreationDate (D:${date})\n/ModDate (D:${date})>>\nendobj
${page.repeat(pages)}<</Type /Pages\n/Count ${pages}\n/Kids [2 0 R]>>\nendobj
<</Type /StructElem\n/S /TH\n/ID ${one}>> <</ID ${other}>> <</O /Table\n/Headers [${one}]>>
<</Limits [${one} ${other}]\n/Names [${one} 43 0 R ${other} 44 0 R]>>
startxref\n1234\n%%EOF\n`,
    'latin1',
  );
}

describe('normalizePdf', () => {
  test('makes two PDFs equal that differ in when and where they were made', () => {
    const later = normalizePdf(printed({ date: `20270101000001-01'30'`, nodes: [15, 18] }));
    expect(later.equals(normalizePdf(printed()))).toBe(true);
    expect(later.toString('latin1')).toContain(`/CreationDate (D:19700101000000+00'00')`);
  });

  test.each(['', 'Z'])('knows a date with the zone "%s"', (zone) => {
    const text = normalizePdf(printed({ date: `20270101000001${zone}` })).toString('latin1');
    expect(text).toContain(`/ModDate (D:19700101000000${zone})`);
  });

  test('changes neither the length nor any other byte', () => {
    const before = printed();
    const after = normalizePdf(before);
    const changed = [...before.keys()].filter((i) => before[i] !== after[i]);
    expect(after).toHaveLength(before.length);
    expect(before.equals(printed())).toBe(true);
    expect(changed.length).toBeLessThan(80);
    expect(normalizePdf(after).equals(after)).toBe(true);
  });

  test.each([
    [[9_999_999, 10_000_000], '/Limits [(node00000001) (node00000002)]'],
    [[90, 89], '/Limits [(node00000002) (node00000001)]'],
  ])('keeps the order of the names with the numbers %j', (nodes, limits) => {
    expect(normalizePdf(printed({ nodes })).toString('latin1')).toContain(limits);
  });
});

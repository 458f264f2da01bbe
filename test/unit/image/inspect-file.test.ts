import { describe, expect, test } from 'vitest';
import { inspectFile } from '../../../src/image/inspect.js';
import { drawPdf } from '../../../src/image/pdf/draw.js';
import { craftPdf, writeObjects } from './craft-pdf.js';

const CATALOG = '<</Type /Catalog /Pages 2 0 R>>';

async function sizeOf(bytes: Buffer): Promise<unknown> {
  const inspection = await inspectFile(bytes);
  return inspection.kind === 'image' ? inspection.image.size : inspection;
}

describe('inspectFile', () => {
  test('gives a PDF the size of its first page, in points', async () => {
    const bytes = craftPdf([
      { width: 594.96, height: 841.92 },
      { width: 9, height: 9 },
    ]);
    const size = { width: 595, height: 842 };
    expect(await inspectFile(bytes)).toEqual({ kind: 'image', image: { bytes, codec: 'pdf', size } });
  });

  test('follows a MediaBox that is an indirect reference', async () => {
    const bytes = writeObjects([
      CATALOG,
      '<</Type /Pages /Count 1 /Kids [3 0 R]>>',
      '<</Type /Page /Parent 2 0 R /MediaBox 4 0 R>>',
      '[10 20 310 420]',
    ]);
    expect(await sizeOf(bytes)).toEqual({ width: 300, height: 400 });
    const [image] = [await inspectFile(bytes)].flatMap((one) => (one.kind === 'image' ? [one.image] : []));
    expect(image && (await drawPdf(image)).pixels).toMatchObject({ width: 600, height: 800 });
  });

  test('takes the MediaBox that a page inherits, and not the first one in the file', async () => {
    const bytes = writeObjects([
      CATALOG,
      '<</Type /Pages /Count 1 /Kids [4 0 R] /MediaBox [0 0 200 100]>>',
      '<</Type /XObject /MediaBox [0 0 7 7]>>',
      '<</Type /Page /Parent 2 0 R>>',
    ]);
    expect(await sizeOf(bytes)).toEqual({ width: 200, height: 100 });
  });

  test('says why a PDF cannot be opened', async () => {
    const bytes = craftPdf([{}]);
    const torn = Buffer.from(bytes.toString('latin1').replaceAll(/obj|xref|trailer/g, '---'), 'latin1');
    expect(await inspectFile(torn)).toEqual({ kind: 'damaged', reason: 'PDFium error 3' });
    expect(await inspectFile(writeObjects([CATALOG, '<</Type /Pages /Count 0 /Kids []>>']))).toMatchObject({
      kind: 'damaged',
    });
    expect(await inspectFile(bytes.subarray(0, -9))).toEqual({ kind: 'truncated', codec: 'pdf' });
  });
});

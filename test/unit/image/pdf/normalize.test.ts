import { describe, expect, test } from 'vitest';
import { normalizePdf } from '../../../../src/image/pdf/normalize.js';

/** What matters of the text of a PDF that Chromium writes. */
function pdf({ date = `20261120195358+00'00'`, nodes = [89, 90], pages = 3 } = {}): Buffer {
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
    const later = normalizePdf(pdf({ date: `20270101000001-01'30'`, nodes: [15, 18] }));
    expect(later.equals(normalizePdf(pdf()))).toBe(true);
    expect(later.toString('latin1')).toContain(`/CreationDate (D:19700101000000+00'00')`);
  });

  test('knows a date without a zone, and one in UTC', () => {
    expect(normalizePdf(pdf({ date: '20270101000001' })).toString('latin1')).toContain('/ModDate (D:19700101000000)');
    expect(normalizePdf(pdf({ date: '20270101000001Z' })).toString('latin1')).toContain('/ModDate (D:19700101000000Z)');
  });

  test('changes neither the length nor any other byte', () => {
    const before = pdf();
    const after = normalizePdf(before);
    const changed = [...before.keys()].filter((i) => before[i] !== after[i]);
    expect(after).toHaveLength(before.length);
    expect(before.equals(pdf())).toBe(true);
    expect(changed.length).toBeLessThan(80);
    expect(normalizePdf(after).equals(after)).toBe(true);
  });

  test('keeps the order of the names, whatever their numbers', () => {
    const text = normalizePdf(pdf({ nodes: [9_999_999, 10_000_000] })).toString('latin1');
    expect(text).toContain('/Limits [(node00000001) (node00000002)]');
    expect(normalizePdf(pdf({ nodes: [90, 89] })).toString('latin1')).toContain(
      '/Limits [(node00000002) (node00000001)]',
    );
  });

  test('keeps a difference that can be seen', () => {
    const other = Buffer.from(pdf().toString('latin1').replace('at home', 'on tour'), 'latin1');
    expect(normalizePdf(other).equals(normalizePdf(pdf()))).toBe(false);
  });

  test('does not change a file that is not a PDF', () => {
    expect(normalizePdf(Buffer.from('nothing')).toString()).toBe('nothing');
  });
});

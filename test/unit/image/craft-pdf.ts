import type { EncodedImage } from '../../../src/model/image.js';

/** A page of a PDF: its size in points, and what is painted on it, in the words of PDF. */
export interface CraftPage {
  readonly width?: number;
  readonly height?: number;
  readonly content?: string;
}

/** What of a PDF cannot be seen. */
export interface CraftInfo {
  readonly date?: string;
  readonly id?: string;
}

/** Writes a PDF, made without the code under test. */
export function craftPdf(pages: readonly CraftPage[], { date = '20200101000000Z', id = 'aa' }: CraftInfo = {}): Buffer {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  return writeObjects(
    [
      '<</Type /Catalog /Pages 2 0 R>>',
      `<</Type /Pages /Count ${pages.length} /Kids [${kids}]>>`,
      `<</Producer (craft) /CreationDate (D:${date}) /ModDate (D:${date})>>`,
      ...pages.flatMap(({ width = 100, height = 50, content = '' }, index) => [
        `<</Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${5 + 2 * index} 0 R>>`,
        `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
      ]),
    ],
    `/Info 3 0 R /ID [<${id}> <${id}>]`,
  );
}

/** Gives the PDF with the size of its first page. */
export function pdf(pages: readonly CraftPage[], info?: CraftInfo): EncodedImage {
  const [{ width = 100, height = 50 } = {}] = pages;
  return { bytes: craftPdf(pages, info), codec: 'pdf', size: { width, height } };
}

/** Writes the operators that fill a rectangle, measured in points from the lower left. */
export function box(x: number, y: number, width: number, height: number, rgb = '0 0 0'): string {
  return `${rgb} rg ${x} ${y} ${width} ${height} re f\n`;
}

/** Writes numbered objects under a table of their places; the first is the catalogue. */
export function writeObjects(objects: readonly string[], trailer = ''): Buffer {
  let text = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${`${place}`.padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${places.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  const end = `trailer\n<</Size ${places.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + end, 'latin1');
}

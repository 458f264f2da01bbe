import { readHead } from './heads.js';

/** Tells whether bytes begin as a PDF does. */
export function isPdf(bytes: Buffer): boolean {
  return readHead(bytes)?.codec === 'pdf';
}

/** How many pages a PDF has, and how large the first one is: in points, 72 to the inch, rounded. */
export interface PdfSize {
  readonly pages: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the size of a PDF that a browser wrote, whose objects stand in it uncompressed.
 *
 * @throws Error when there is no page in it, or one without a size
 */
export function pdfSize(bytes: Buffer): PdfSize {
  if (!isPdf(bytes)) throw new Error('this is no PDF');
  const pages = bytes.toString('latin1').match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 0;
  const size = readHead(bytes)?.size;
  if (pages === 0) throw new Error('no page was found in this PDF');
  if (!size) throw new Error('the first page of this PDF has no size (MediaBox)');
  return { pages, ...size };
}

/**
 * Gives a PDF without what differs each time a browser prints the same page: when it was made, and the numbers that the
 * browser happened to give to table heads. Nothing changes its place or its length, so all offsets in it hold.
 */
export function normalisePdf(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const normal = Buffer.from(bytes);
  for (const { 0: date, index } of text.matchAll(DATE)) normal.write(epochLike(date), index, 'latin1');
  const ids = [...text.matchAll(NODE_ID)];
  const numbers = numberInOrder(ids.map(([id]) => id));
  for (const { 0: id, index } of ids) normal.write(numbers.get(id) ?? id, index, 'latin1');
  return normal;
}

// PDF Reference 1.7, 3.8.3: (D:YYYYMMDDHHmmSSOHH'mm')
const DATE = /\/(?:CreationDate|ModDate)\s*\(D:\d{14}[^)]*\)/g;

/** A table cell names its heads by these; they count the nodes of all documents that the renderer has had. */
const NODE_ID = /\(node\d+\)/g;

function epochLike(date: string): string {
  const [key = '', digits = ''] = date.split(/(?<=D:)/);
  const zone = digits.slice(14).replace(/\d/g, '0').replace(/^-/, '+');
  return `${key}19700101000000${zone}`;
}

/** Numbers anew from 1 in the same order: they stand sorted in the index of names. */
function numberInOrder(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...new Set(ids)].sort((a, b) => numberOf(a) - numberOf(b));
  return new Map(sorted.map((id, index) => [id, `(node${`${index + 1}`.padStart(id.length - '(node)'.length, '0')})`]));
}

function numberOf(id: string): number {
  return Number(id.slice('(node'.length, -1));
}

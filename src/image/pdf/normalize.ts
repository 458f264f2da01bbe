/**
 * Normalizes the parts of a PDF that differ each time a browser prints the same page: the creation date, and the ids of table
 * headers. All offsets and lengths stay the same.
 */
export function normalizePdf(bytes: Buffer): Buffer {
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

/** Ids by which table cells refer to their headers. They count the nodes of all documents in the renderer so far. */
const NODE_ID = /\(node\d+\)/g;

function epochLike(date: string): string {
  const [key = '', digits = ''] = date.split(/(?<=D:)/);
  const zone = digits.slice(14).replace(/\d/g, '0').replace(/^-/, '+');
  return `${key}19700101000000${zone}`;
}

/** Renumbers ids from 1 and preserves their order, because the name index of the PDF is sorted. */
function numberInOrder(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...new Set(ids)].sort((a, b) => numberOf(a) - numberOf(b));
  return new Map(sorted.map((id, index) => [id, `(node${`${index + 1}`.padStart(id.length - '(node)'.length, '0')})`]));
}

function numberOf(id: string): number {
  return Number(id.slice('(node'.length, -1));
}

import { inflateSync } from 'node:zlib';
import type { Size } from '../../model/image.js';

/**
 * Reads the first MediaBox in a PDF, in points (1/72 inch). Searches the text, then the first compressed object streams.
 * Returns null when there is none. Never throws.
 */
export function readMediaBox(bytes: Buffer): Size | null {
  const text = bytes.toString('latin1');
  for (const piece of [text, ...unpackObjects(bytes, text)]) {
    const box = /\/MediaBox\s*\[\s*([\d.+-]+)\s+([\d.+-]+)\s+([\d.+-]+)\s+([\d.+-]+)\s*\]/.exec(piece);
    if (!box) continue;
    const [left = 0, bottom = 0, right = 0, top = 0] = box.slice(1).map(Number);
    return { width: right - left, height: top - bottom };
  }
  return null;
}

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

/** PDF Reference 1.7, 3.4.6: object streams. */
function* unpackObjects(bytes: Buffer, text: string): Generator<string> {
  let streams = 0;
  for (const { index } of text.matchAll(/\/ObjStm\b/g)) {
    const start = /stream\r?\n/g;
    start.lastIndex = index;
    if (streams++ === MAX_STREAMS || !start.exec(text)) return;
    yield unpack(bytes.subarray(start.lastIndex));
  }
}

const MAX_STREAMS = 20;
/** In bytes. An object stream holds a few hundred objects of a few hundred bytes. */
const MAX_STREAM_BYTES = 1 << 20;

function unpack(packed: Buffer): string {
  try {
    return inflateSync(packed, { maxOutputLength: MAX_STREAM_BYTES }).toString('latin1');
  } catch {
    return '';
  }
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

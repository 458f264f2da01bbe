import { failure, messageOf, type Pixels, ProofsheetError, renderCountOf, type Size } from '../../model/index.js';
import { createMemorySemaphore } from '../buffer-pool.js';
import { hasArea, MAX_PIXELS, renderPixelCount } from '../canvas.js';
import { WorkerClient, WorkerError } from '../worker-client.js';

/** Pixels per point (1/72 inch). An A4 page has 1191x1684 pixels. */
const SCALE = 2;

const MAX_PAGES = 1000;

/** Maximum time to open a PDF, and to draw one band of a page. */
const TIMEOUT_MS = 30_000;

/** Maximum number of pixels of one band of a page: 16 MB. */
const BAND = 4 << 20;

/** Returns the size of the first page in whole points. @throws Error with the reason when PDFium cannot read it */
export async function readFirstPage(bytes: Buffer): Promise<Size> {
  const { sizes } = await pdfium.take(1, () => open(bytes, 1));
  const [size = { width: 0, height: 0 }] = sizes;
  if (hasArea(size)) return scaleSize(size, 1);
  throw new Error('the first page has no size');
}

/**
 * Draws a PDF with 2 pixels per point: all pages stacked vertically and aligned left. The area to the right of a narrower page is
 * transparent. Fonts that are not embedded are replaced with PDFium's own, so the result is the same on every machine.
 *
 * @param where - how errors name the PDF
 * @param maxPixels - at most MAX_PIXELS
 * @throws ProofsheetError `image-damaged` when it cannot be read, needs a password, or takes more than 512 MB or 30 s per page;
 *   `image-too-large` above 1000 pages or, for all pages together, `maxPixels`. Both limits are checked before drawing.
 */
export function drawPdf(bytes: Buffer, where: string, maxPixels = MAX_PIXELS) {
  return pdfium.take(1, async () => {
    try {
      const pages = await openPdf(bytes, where, Math.min(maxPixels, MAX_PIXELS));
      const pixels = await drawPages(pages);
      return { ...pixels, pages: pages.map(({ width, height }) => ({ width: width / SCALE, height: height / SCALE })) };
    } catch (cause) {
      if (cause instanceof ProofsheetError) throw cause;
      const found = `the PDF (${renderCountOf(bytes.length, 'byte')}) cannot be rendered: ${messageOf(cause)}`;
      throw failure('image-damaged', where, found, 'Restore the file, or capture the page again.');
    }
  });
}

async function openPdf(bytes: Buffer, where: string, maxPixels: number): Promise<readonly Size[]> {
  const { pages, sizes } = await open(bytes, MAX_PAGES);
  if (pages > MAX_PAGES) throw tooLarge(where, `the PDF has ${pages} pages`, MAX_PIXELS);
  if (pages <= 0) throw new Error('the PDF has no pages');
  const missing = sizes.findIndex((size) => !hasArea(size));
  if (missing >= 0) throw new Error(`page ${missing + 1} cannot be read`);
  const scaled = sizes.map((size) => scaleSize(size, SCALE));
  const { width, height } = stackedSize(scaled);
  if (width * height <= maxPixels) return scaled;
  throw tooLarge(where, `the pages have ${width}x${height} px, stacked vertically`, maxPixels);
}

function stackedSize(pages: readonly Size[]): Size {
  const width = Math.max(...pages.map((page) => page.width));
  return { width, height: pages.reduce((sum, { height }) => sum + height, 0) };
}

function scaleSize({ width, height }: Size, scale: number): Size {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

async function drawPages(pages: readonly Size[]): Promise<Pixels> {
  const { width, height } = stackedSize(pages);
  const words = new Uint32Array(width * height);
  let row = 0;
  for (const [page, size] of pages.entries()) {
    const most = Math.max(1, Math.floor(BAND / size.width));
    for (let top = 0; top < size.height; top += most) {
      const band = await askPdfium({ kind: 'draw', page, size, top, height: Math.min(most, size.height - top) });
      if (!(band instanceof Uint32Array)) throw new Error('PDFium did not draw the page');
      for (let at = 0; at < band.length; at += size.width, row++)
        words.set(band.subarray(at, at + size.width), row * width);
    }
  }
  return { width, height, data: new Uint8Array(words.buffer) };
}

function tooLarge(where: string, found: string, maxPixels: number) {
  const most = `the maximum is ${MAX_PAGES} pages and ${renderPixelCount(maxPixels)} (${SCALE} pixels per point)`;
  const advice = 'Print a smaller part of the page, or use `format: png`.';
  return failure('image-too-large', where, `${found}; ${most}`, advice);
}

/** A request to the worker that draws PDFs. One PDF is open at a time; opening another closes it. */
export type PdfiumRequest =
  | { readonly kind: 'open'; readonly bytes: Uint8Array; readonly maxPages: number }
  /** Draws rows `top` to `top + height` of a page that is scaled to `size`. */
  | {
      readonly kind: 'draw';
      readonly page: number;
      readonly size: Size;
      readonly top: number;
      readonly height: number;
    };

export type PdfiumResponse =
  /** The number of pages, and the sizes of the first `maxPages` in points. */
  | { readonly pages: number; readonly sizes: readonly Size[] }
  /** The pixels: RGBA on white, one word each. */
  | Uint32Array<ArrayBuffer>;

const client = new WorkerClient<PdfiumRequest, PdfiumResponse>('pdf-thread', TIMEOUT_MS);

/** Asks the worker, which is replaced after an error. @throws Error with the reason */
export function askPdfium(request: PdfiumRequest, worker = client): Promise<PdfiumResponse> {
  return worker.ask(request).catch(async (cause: unknown) => {
    await worker.close();
    if (!(cause instanceof WorkerError)) throw cause;
    throw new Error(cause.reason === 'timeout' ? 'PDFium took too long' : 'PDFium exited');
  });
}

async function open(bytes: Buffer, maxPages: number) {
  const opened = await askPdfium({ kind: 'open', bytes, maxPages });
  if (opened instanceof Uint32Array) throw new Error('PDFium did not open the PDF');
  return opened;
}

/** Work runs one after another, because the worker has one open PDF. */
const pdfium = createMemorySemaphore(1);

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

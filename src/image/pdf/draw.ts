import { type EncodedImage, messageOf, ProofsheetError, renderCountOf, type Size } from '../../model/index.js';
import { areaOf } from '../canvas.js';
import { MAX_PIXELS, renderPixelCount } from '../inspect.js';
import { encodeRows } from '../png/write.js';
import { PdfiumThread } from './pdfium.js';

/** Pixels per point (1/72 inch). An A4 page has 1191x1684 pixels. */
export const PDF_SCALE = 2;

/** Maximum number of pages of a PDF. */
export const MAX_PDF_PAGES = 1000;

/** A PDF drawn on white. */
export interface DrawnPdf {
  /** All pages stacked vertically and aligned left, as PNG. The area to the right of a narrower page is transparent. */
  readonly image: EncodedImage;
  /** The size of each page in points, rounded to whole pixels at {@link PDF_SCALE}. */
  readonly pages: readonly Size[];
}

/**
 * Draws a PDF at {@link PDF_SCALE} with PDFium. PDFium runs as WebAssembly in a worker thread, which the first PDF starts. Fonts
 * that are not embedded are replaced with PDFium's own, so the result is the same on every machine.
 *
 * @param where - how errors name the PDF
 * @param maxPixels - at most MAX_PIXELS
 * @throws ProofsheetError `image-damaged` when it cannot be read, needs a password, or takes more than 512 MB or 30 s per page;
 *   `image-too-large` above {@link MAX_PDF_PAGES} or, for all pages together, `maxPixels`. Both limits are checked before drawing.
 */
export function drawPdf(pdf: EncodedImage, where = 'PDF', maxPixels = MAX_PIXELS): Promise<DrawnPdf> {
  return enqueue(async () => draw(await layOut(pdf.bytes, where, maxPixels), pdf.bytes, where));
}

/** Returns the size of the first page in whole points. @throws Error with the reason when PDFium cannot read it */
export async function readFirstPage(bytes: Buffer): Promise<Size> {
  const { sizes } = await enqueue(() => thread.open(bytes, 1));
  const [{ width, height } = { width: 0, height: 0 }] = sizes;
  if (width > 0 && height > 0)
    return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
  throw new Error('the first page has no size');
}

const TIMEOUT_MS = 30_000;
/** Maximum number of pixels of one band of a page: 16 MB. */
const BAND = 4 << 20;

const thread = new PdfiumThread(TIMEOUT_MS);
let queue: Promise<unknown> = Promise.resolve();

/** Runs a task after the earlier ones, because the thread has one open PDF. */
function enqueue<T>(task: () => Promise<T>): Promise<T> {
  const done = queue.then(task);
  queue = done.catch(() => {});
  return done;
}

/** The sizes of the pages and of the whole image, in pixels. */
interface PdfLayout {
  readonly pages: readonly Size[];
  readonly size: Size;
}

async function layOut(bytes: Buffer, where: string, maxPixels: number): Promise<PdfLayout> {
  const pages = await openPdf(bytes, where);
  const size = {
    width: Math.max(...pages.map(({ width }) => width)),
    height: pages.reduce((sum, { height }) => sum + height, 0),
  };
  const most = Math.min(maxPixels, MAX_PIXELS);
  if (areaOf(size) <= most) return { pages, size };
  throw tooLarge(where, `the pages have ${size.width}x${size.height} px, stacked vertically`, most);
}

async function draw({ pages, size }: PdfLayout, bytes: Buffer, where: string): Promise<DrawnPdf> {
  const channels = pages.every(({ width }) => width === size.width) ? 3 : 4;
  try {
    const image = await encodeRows(size, channels, rowsOf(pages, size.width, channels));
    return { image: { bytes: image, codec: 'png', size }, pages: pages.map(inPoints) };
  } catch (cause) {
    throw damaged(bytes, where, messageOf(cause));
  }
}

/** Returns the sizes of the pages in pixels. */
async function openPdf(bytes: Buffer, where: string): Promise<readonly Size[]> {
  const { pages, sizes } = await thread.open(bytes, MAX_PDF_PAGES).catch((cause: unknown) => {
    throw damaged(bytes, where, messageOf(cause));
  });
  if (pages > MAX_PDF_PAGES) throw tooLarge(where, `the PDF has ${pages} pages`, MAX_PIXELS);
  const missing = sizes.findIndex(({ width, height }) => !(width > 0 && height > 0));
  if (missing >= 0) throw damaged(bytes, where, `page ${missing + 1} cannot be read`);
  if (pages <= 0) throw damaged(bytes, where, 'the PDF has no pages');
  return sizes.map(inPixels);
}

async function* rowsOf(pages: readonly Size[], width: number, channels: 3 | 4): AsyncGenerator<Buffer> {
  for (const [page, size] of pages.entries()) {
    const most = Math.max(1, Math.floor(BAND / size.width));
    for (let top = 0; top < size.height; top += most) {
      const height = Math.min(most, size.height - top);
      yield packRows(await thread.draw(page, size, top, height), size.width, width, channels);
    }
  }
}

/** Converts RGBA rows to unfiltered PNG rows. The area to the right of a narrow page is transparent. */
function packRows(data: Uint8Array, from: number, width: number, channels: 3 | 4): Buffer {
  const height = data.length / (from * 4);
  const stride = 1 + width * channels;
  const rows = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y++) {
    let to = y * stride + 1;
    for (let at = y * from * 4; at < (y + 1) * from * 4; at += 4, to += channels) {
      rows[to] = data[at] ?? 0;
      rows[to + 1] = data[at + 1] ?? 0;
      rows[to + 2] = data[at + 2] ?? 0;
      if (channels === 4) rows[to + 3] = 255;
    }
  }
  return rows;
}

function inPixels({ width, height }: Size): Size {
  return { width: Math.max(1, Math.round(width * PDF_SCALE)), height: Math.max(1, Math.round(height * PDF_SCALE)) };
}

function inPoints({ width, height }: Size): Size {
  return { width: width / PDF_SCALE, height: height / PDF_SCALE };
}

function damaged(bytes: Buffer, where: string, cause: string): ProofsheetError {
  return new ProofsheetError({
    code: 'image-damaged',
    where,
    found: `the PDF (${renderCountOf(bytes.length, 'byte')}) cannot be rendered: ${cause}`,
    advice: 'Restore the file, or capture the page again.',
  });
}

function tooLarge(where: string, found: string, maxPixels: number): ProofsheetError {
  return new ProofsheetError({
    code: 'image-too-large',
    where,
    found: `${found}; the maximum is ${MAX_PDF_PAGES} pages and ${renderPixelCount(maxPixels)} (${PDF_SCALE} pixels per point)`,
    advice: 'Print a smaller part of the page, or use `format: png`.',
  });
}

import { type EncodedImage, messageOf, ProofsheetError, renderCountOf, type Size } from '../../model/index.js';
import { MAX_PIXELS, renderPixelCount } from '../canvas.js';
import { encodeRows } from '../png/write.js';
import { PdfiumThread } from './pdfium.js';

/** Pixels per point (1/72 inch). An A4 page has 1191x1684 pixels. */
const SCALE = 2;

const MAX_PAGES = 1000;

/** Maximum time to open a PDF, and to draw one band of a page. */
const TIMEOUT_MS = 30_000;

/** Maximum number of pixels of one band of a page: 16 MB. */
const BAND = 4 << 20;

interface DrawnPdf {
  /** All pages stacked vertically and aligned left, as PNG. The area to the right of a narrower page is transparent. */
  readonly image: EncodedImage;
  /** The size of each page in points, rounded to whole pixels. */
  readonly pages: readonly Size[];
}

const thread = new PdfiumThread(TIMEOUT_MS);
let queue: Promise<unknown> = Promise.resolve();

/** Runs a task after the earlier ones, because the thread has one open PDF. */
function enqueue<T>(task: () => Promise<T>): Promise<T> {
  const done = queue.then(task);
  queue = done.catch(() => {});
  return done;
}

/** Returns the size of the first page in whole points. @throws Error with the reason when PDFium cannot read it */
export async function readFirstPage(bytes: Buffer): Promise<Size> {
  const { sizes } = await enqueue(() => thread.open(bytes, 1));
  const [size = { width: 0, height: 0 }] = sizes;
  if (hasArea(size)) return scaleSize(size, 1);
  throw new Error('the first page has no size');
}

/**
 * Draws a PDF with 2 pixels per point with PDFium. PDFium runs as WebAssembly in a worker thread, which the first PDF starts. Fonts
 * that are not embedded are replaced with PDFium's own, so the result is the same on every machine.
 *
 * @param where - how errors name the PDF
 * @param maxPixels - at most MAX_PIXELS
 * @throws ProofsheetError `image-damaged` when it cannot be read, needs a password, or takes more than 512 MB or 30 s per page;
 *   `image-too-large` above 1000 pages or, for all pages together, `maxPixels`. Both limits are checked before drawing.
 */
export function drawPdf(pdf: EncodedImage, where = 'PDF', maxPixels = MAX_PIXELS): Promise<DrawnPdf> {
  return enqueue(async () => {
    try {
      const pages = await openPdf(pdf.bytes, where, Math.min(maxPixels, MAX_PIXELS));
      const size = stackedSize(pages);
      const channels = pages.every(({ width }) => width === size.width) ? 3 : 4;
      const bytes = await encodeRows(size, channels, rowsOf(pages, size.width, channels));
      const inPoints = pages.map(({ width, height }) => ({ width: width / SCALE, height: height / SCALE }));
      return { image: { bytes, codec: 'png', size }, pages: inPoints };
    } catch (cause) {
      if (cause instanceof ProofsheetError) throw cause;
      throw new ProofsheetError({
        code: 'image-damaged',
        where,
        found: `the PDF (${renderCountOf(pdf.bytes.length, 'byte')}) cannot be rendered: ${messageOf(cause)}`,
        advice: 'Restore the file, or capture the page again.',
      });
    }
  });
}

/** Opens a PDF in the thread. Returns the sizes of its pages in pixels. */
async function openPdf(bytes: Buffer, where: string, maxPixels: number): Promise<readonly Size[]> {
  const { pages, sizes } = await thread.open(bytes, MAX_PAGES);
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

function hasArea({ width, height }: Size): boolean {
  return width > 0 && height > 0;
}

function scaleSize({ width, height }: Size, scale: number): Size {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
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

function tooLarge(where: string, found: string, maxPixels: number): ProofsheetError {
  return new ProofsheetError({
    code: 'image-too-large',
    where,
    found: `${found}; the maximum is ${MAX_PAGES} pages and ${renderPixelCount(maxPixels)} (${SCALE} pixels per point)`,
    advice: 'Print a smaller part of the page, or use `format: png`.',
  });
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { init } from '@embedpdf/pdfium';
import type { Size } from '../../model/index.js';
import { serveRequests } from '../worker-client.js';
import type { PdfiumRequest, PdfiumResponse } from './pdf.js';

/** In bytes. Fonts and images of a large document need a part of it. Only malicious files need all of it. */
const MAX_MEMORY_BYTES = 512 << 20;
const TOO_MUCH_MEMORY = `the PDF needs more than ${MAX_MEMORY_BYTES >> 20} MB of memory`;

// Entry point of the worker thread that draws PDFs. A worker can be terminated when it hangs.
limitMemory();
const wasm = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');
const pdfium = await init({ wasmBinary: await readFile(wasm) });
pdfium.PDFiumExt_Init();
const { malloc, free } = pdfium.pdfium.wasmExports;
let file = 0;
let document = 0;
serveRequests(
  (request: PdfiumRequest) => (request.kind === 'open' ? open(request.bytes, request.maxPages) : draw(request)),
  (answer) => (answer instanceof Uint32Array ? [answer.buffer] : []),
);

/** Returns a view of the WebAssembly memory. It is valid until the memory grows. */
function bytesAt(start: number, length: number): Uint8Array {
  const heap = 'HEAPU8' in pdfium.pdfium && pdfium.pdfium.HEAPU8;
  if (!(heap instanceof Uint8Array)) throw new Error('PDFium has no memory');
  return heap.subarray(start, start + length);
}

function open(bytes: Uint8Array, maxPages: number): PdfiumResponse {
  if (document !== 0) pdfium.FPDF_CloseDocument(document);
  if (file !== 0) free(file);
  file = malloc(bytes.length);
  if (file === 0) throw new Error(TOO_MUCH_MEMORY);
  bytesAt(file, bytes.length).set(bytes);
  document = pdfium.FPDF_LoadMemDocument(file, bytes.length, '');
  if (document === 0) throw new Error(whyNotOpened());
  const pages = pdfium.FPDF_GetPageCount(document);
  const sizes = Array.from({ length: Math.min(pages, maxPages) }, (_, page) => sizeOf(page));
  return { pages, sizes };
}

// fpdfview.h, FPDF_GetLastError
function whyNotOpened(): string {
  const error = pdfium.FPDF_GetLastError();
  return error === 4 || error === 5 ? 'the PDF requires a password' : `PDFium error ${error}`;
}

function sizeOf(page: number): Size {
  const at = malloc(8);
  const isKnown = pdfium.FPDF_GetPageSizeByIndexF(document, page, at);
  const [width = 0, height = 0] = isKnown ? new Float32Array(bytesAt(at, 8).slice().buffer) : [];
  free(at);
  return { width, height };
}

function draw({ page, size, top, height }: PdfiumRequest & { kind: 'draw' }): PdfiumResponse {
  const loaded = pdfium.FPDF_LoadPage(document, page);
  if (loaded === 0) throw new Error(`PDFium cannot read page ${page + 1}`);
  const bitmap = pdfium.FPDFBitmap_Create(size.width, height, 0);
  if (bitmap === 0) throw new Error(TOO_MUCH_MEMORY);
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, size.width, height, 0xffffffff);
  const annotations = 0x01;
  const reverseBytes = 0x10;
  pdfium.FPDF_RenderPageBitmap(bitmap, loaded, 0, -top, size.width, size.height, 0, annotations | reverseBytes);
  const words = new Uint32Array(bytesAt(pdfium.FPDFBitmap_GetBuffer(bitmap), size.width * height * 4).slice().buffer);
  pdfium.FPDFBitmap_Destroy(bitmap);
  pdfium.FPDF_ClosePage(loaded);
  // The format of the bitmap leaves the alpha open.
  for (let i = 0; i < words.length; i++) words[i] = (words[i] ?? 0) | OPAQUE;
  return words;
}

const OPAQUE = 0xff000000;

function limitMemory(): void {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (pages: number) {
    if (this.buffer.byteLength + pages * 65_536 > MAX_MEMORY_BYTES) throw new RangeError('out of memory');
    return grow.call(this, pages);
  };
}

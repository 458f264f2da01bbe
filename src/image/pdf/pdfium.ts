import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { type MessagePort, Worker } from 'node:worker_threads';
import type { Size } from '../../model/image.js';

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

/** A response of the worker. */
export type PdfiumResponse =
  /** The number of pages, and the sizes of the first `maxPages` in points. */
  | { readonly kind: 'opened'; readonly pages: number; readonly sizes: readonly Size[] }
  /** RGBA on white. */
  | { readonly kind: 'drawn'; readonly data: Uint8Array<ArrayBuffer> }
  /** This PDF cannot be drawn. The worker is still usable unless it is `broken`. */
  | { readonly kind: 'failed'; readonly reason: string; readonly broken: boolean };

/** The `workerData` of the worker. */
export interface PdfiumWorkerData {
  /** The module from which `@embedpdf/pdfium` is resolved. */
  readonly from: string;
  readonly compiled: WebAssembly.Module;
  readonly maxMemoryBytes: number;
}

/**
 * Main function of the worker, which draws PDFs with PDFium. A worker can be terminated when it hangs. The source is sent to the
 * worker as text, so the function must be self-contained.
 */
export async function servePdfium(): Promise<void> {
  const { createRequire } = process.getBuiltinModule('node:module');
  const threads = process.getBuiltinModule('node:worker_threads');
  const { from, compiled, maxMemoryBytes }: PdfiumWorkerData = threads.workerData;
  limitMemory();
  const { init }: typeof import('@embedpdf/pdfium') = createRequire(from)('@embedpdf/pdfium');
  let exported: WebAssembly.Exports = {};
  const pdfium = await init({
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(compiled, imports);
      exported = instance.exports;
      done(instance);
      return exported;
    },
  });
  pdfium.PDFiumExt_Init();
  const { malloc, free } = pdfium.pdfium.wasmExports;
  let file = 0;
  let document = 0;
  listen(threads.parentPort);

  function limitMemory(): void {
    const grow = WebAssembly.Memory.prototype.grow;
    WebAssembly.Memory.prototype.grow = function (pages: number) {
      if (this.buffer.byteLength + pages * 65_536 > maxMemoryBytes) throw new RangeError('out of memory');
      return grow.call(this, pages);
    };
  }

  /** Returns a view of the WebAssembly memory. It is valid until the memory grows. */
  function bytesAt(start: number, length: number): Uint8Array<ArrayBuffer> {
    const { memory } = exported;
    if (!(memory instanceof WebAssembly.Memory)) throw new Error('it has no memory');
    return new Uint8Array(memory.buffer, start, length);
  }

  function listen(port: MessagePort | null): void {
    port?.on('message', (request: PdfiumRequest) => {
      const answer = attempt(request);
      port.postMessage(answer, answer.kind === 'drawn' ? [answer.data.buffer] : []);
    });
  }

  function attempt(request: PdfiumRequest): PdfiumResponse {
    try {
      return request.kind === 'open' ? open(request.bytes, request.maxPages) : draw(request);
    } catch (cause) {
      const reason = `PDFium gave up: ${cause instanceof Error ? cause.message : cause}`;
      return { kind: 'failed', reason, broken: true };
    }
  }

  function open(bytes: Uint8Array, maxPages: number): PdfiumResponse {
    if (document !== 0) pdfium.FPDF_CloseDocument(document);
    if (file !== 0) free(file);
    file = malloc(bytes.length);
    if (file === 0) return { kind: 'failed', reason: 'it takes more memory than a PDF may', broken: true };
    bytesAt(file, bytes.length).set(bytes);
    document = pdfium.FPDF_LoadMemDocument(file, bytes.length, '');
    if (document === 0) return { kind: 'failed', reason: whyNotOpened(), broken: false };
    const pages = pdfium.FPDF_GetPageCount(document);
    return {
      kind: 'opened',
      pages,
      sizes: Array.from({ length: Math.min(pages, maxPages) }, (_, page) => sizeOf(page)),
    };
  }

  // fpdfview.h, FPDF_GetLastError
  function whyNotOpened(): string {
    const error = pdfium.FPDF_GetLastError();
    return error === 4 || error === 5 ? 'it asks for a password' : `PDFium cannot read it, error ${error}`;
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
    if (loaded === 0) return { kind: 'failed', reason: `PDFium cannot read its page ${page + 1}`, broken: false };
    const bitmap = pdfium.FPDFBitmap_Create(size.width, height, 0);
    if (bitmap === 0) return { kind: 'failed', reason: 'it takes more memory than a PDF may', broken: true };
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, size.width, height, 0xffffffff);
    const annotations = 0x01;
    const reverseBytes = 0x10;
    pdfium.FPDF_RenderPageBitmap(bitmap, loaded, 0, -top, size.width, size.height, 0, annotations | reverseBytes);
    const data = bytesAt(pdfium.FPDFBitmap_GetBuffer(bitmap), size.width * height * 4).slice();
    pdfium.FPDFBitmap_Destroy(bitmap);
    pdfium.FPDF_ClosePage(loaded);
    return { kind: 'drawn', data };
  }
}

/**
 * The worker that draws PDFs, with its one open PDF. The first request starts it. A failure or `close` ends it. It keeps Node
 * running only while a request is pending. Handles one request at a time.
 */
export class PdfiumThread {
  readonly #timeoutMs: number;
  #worker: Promise<Worker> | null = null;

  /** @param timeoutMs - limit for one response, after which the worker is terminated */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Opens a PDF and closes the previous one. @throws Error with the reason when it cannot be opened */
  async open(bytes: Uint8Array, maxPages: number): Promise<PdfiumResponse & { kind: 'opened' }> {
    const answer = await this.#ask({ kind: 'open', bytes, maxPages });
    if (answer.kind === 'opened') return answer;
    throw new Error(answer.kind);
  }

  /** Draws some rows of a page that is scaled to `size`, as RGBA. @throws Error with the reason when they cannot be drawn */
  async draw(page: number, size: Size, top: number, height: number): Promise<Uint8Array> {
    const answer = await this.#ask({ kind: 'draw', page, size, top, height });
    if (answer.kind === 'drawn') return answer.data;
    throw new Error(answer.kind);
  }

  /** Terminates the worker and closes its PDF. The next request starts another worker. */
  async close(): Promise<void> {
    const worker = await this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async #ask(request: PdfiumRequest): Promise<PdfiumResponse> {
    this.#worker ??= startWorker();
    const worker = await this.#worker;
    worker.ref();
    try {
      worker.postMessage(request);
      const answer = await this.#answerOf(worker);
      if (answer.kind !== 'failed') return answer;
      if (answer.broken) await this.close();
      throw new Error(answer.reason);
    } finally {
      worker.unref();
    }
  }

  async #answerOf(worker: Worker): Promise<PdfiumResponse> {
    const over = new AbortController();
    const { signal } = over;
    try {
      const late = setTimeout(this.#timeoutMs, null, { signal }).then(() => {
        throw new Error(`it was not drawn within ${this.#timeoutMs / 1000} s`);
      });
      const ended = once(worker, 'exit', { signal }).then(() => {
        throw new Error('PDFium ended in the middle of it');
      });
      const [answer]: PdfiumResponse[] = await Promise.race([once(worker, 'message', { signal }), late, ended]);
      if (!answer) throw new Error('PDFium gave no answer');
      return answer;
    } catch (cause) {
      await this.close();
      throw cause;
    } finally {
      over.abort();
    }
  }
}

/** In bytes. Fonts and images of a large document need a part of it. Only malicious files need all of it. */
const MAX_MEMORY_BYTES = 512 << 20;

const { resolve } = createRequire(import.meta.url);
let compiling: Promise<WebAssembly.Module> | null = null;

async function startWorker(): Promise<Worker> {
  compiling ??= readFile(resolve('@embedpdf/pdfium/pdfium.wasm')).then((wasm) => WebAssembly.compile(wasm));
  const workerData: PdfiumWorkerData = {
    from: import.meta.url,
    compiled: await compiling,
    maxMemoryBytes: MAX_MEMORY_BYTES,
  };
  const worker = new Worker(`(${servePdfium})()`, { eval: true, workerData, stdout: true, stderr: true });
  worker.on('error', () => {}); // The `exit` event rejects the pending request.
  worker.unref();
  return worker;
}

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { type MessagePort, Worker } from 'node:worker_threads';
import type { Size } from '../../model/image.js';

/** What the thread that draws PDFs is asked. One PDF is open at a time: to open one closes the one before. */
export type PdfiumQuestion =
  | { readonly kind: 'open'; readonly bytes: Uint8Array; readonly mostPages: number }
  /** Rows `top` to `top + height` of a page that is drawn as large as `size`. */
  | {
      readonly kind: 'draw';
      readonly page: number;
      readonly size: Size;
      readonly top: number;
      readonly height: number;
    };

/** What it answers. */
export type PdfiumAnswer =
  /** How many pages it has, and the sizes of the first `mostPages` in points. */
  | { readonly kind: 'opened'; readonly pages: number; readonly sizes: readonly Size[] }
  /** RGBA on white. */
  | { readonly kind: 'drawn'; readonly data: Uint8Array<ArrayBuffer> }
  /** This PDF cannot be drawn; the thread is as good as before, unless it is `broken`. */
  | { readonly kind: 'failed'; readonly reason: string; readonly broken: boolean };

/** What the thread is started with. */
export interface PdfiumStart {
  /** From where `@embedpdf/pdfium` is found. */
  readonly from: string;
  readonly compiled: WebAssembly.Module;
  readonly mostMemory: number;
}

/**
 * Draws PDFs by PDFium; the whole programme of a thread of its own, which can be ended when it hangs. Its source is handed to
 * the thread as text, and so it uses nothing from outside itself.
 */
export async function servePdfium(): Promise<void> {
  const { createRequire } = process.getBuiltinModule('node:module');
  const threads = process.getBuiltinModule('node:worker_threads');
  const { from, compiled, mostMemory }: PdfiumStart = threads.workerData;
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
      if (this.buffer.byteLength + pages * 65_536 > mostMemory) throw new RangeError('out of memory');
      return grow.call(this, pages);
    };
  }

  /** A view of its memory, good until that grows. */
  function bytesAt(start: number, length: number): Uint8Array<ArrayBuffer> {
    const { memory } = exported;
    if (!(memory instanceof WebAssembly.Memory)) throw new Error('it has no memory');
    return new Uint8Array(memory.buffer, start, length);
  }

  function listen(port: MessagePort | null): void {
    port?.on('message', (question: PdfiumQuestion) => {
      const answer = attempt(question);
      port.postMessage(answer, answer.kind === 'drawn' ? [answer.data.buffer] : []);
    });
  }

  function attempt(question: PdfiumQuestion): PdfiumAnswer {
    try {
      return question.kind === 'open' ? open(question.bytes, question.mostPages) : draw(question);
    } catch (cause) {
      const reason = `PDFium gave up: ${cause instanceof Error ? cause.message : cause}`;
      return { kind: 'failed', reason, broken: true };
    }
  }

  function open(bytes: Uint8Array, mostPages: number): PdfiumAnswer {
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
      sizes: Array.from({ length: Math.min(pages, mostPages) }, (_, page) => sizeOf(page)),
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

  function draw({ page, size, top, height }: PdfiumQuestion & { kind: 'draw' }): PdfiumAnswer {
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
 * The thread that draws PDFs, with the one PDF that it has open. Started by the first question, ended by a failure or by
 * `close`; it keeps Node alive only while it owes an answer. One question at a time.
 */
export class PdfiumThread {
  readonly #timeoutMs: number;
  #worker: Promise<Worker> | null = null;

  /** @param timeoutMs - how long one answer may take before the thread is ended */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Opens a PDF, in place of the one that was open. @throws Error that says why it cannot be */
  async open(bytes: Uint8Array, mostPages: number): Promise<PdfiumAnswer & { kind: 'opened' }> {
    const answer = await this.#ask({ kind: 'open', bytes, mostPages });
    if (answer.kind === 'opened') return answer;
    throw new Error(answer.kind);
  }

  /** Draws some rows of a page that is drawn as large as `size`: RGBA. @throws Error that says why they cannot be */
  async draw(page: number, size: Size, top: number, height: number): Promise<Uint8Array> {
    const answer = await this.#ask({ kind: 'draw', page, size, top, height });
    if (answer.kind === 'drawn') return answer.data;
    throw new Error(answer.kind);
  }

  /** Ends the thread, and what it has open; the next question starts another. */
  async close(): Promise<void> {
    const worker = await this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async #ask(question: PdfiumQuestion): Promise<PdfiumAnswer> {
    this.#worker ??= startWorker();
    const worker = await this.#worker;
    worker.ref();
    try {
      worker.postMessage(question);
      const answer = await this.#answerOf(worker);
      if (answer.kind !== 'failed') return answer;
      if (answer.broken) await this.close();
      throw new Error(answer.reason);
    } finally {
      worker.unref();
    }
  }

  async #answerOf(worker: Worker): Promise<PdfiumAnswer> {
    const over = new AbortController();
    const { signal } = over;
    try {
      const late = setTimeout(this.#timeoutMs, null, { signal }).then(() => {
        throw new Error(`it was not drawn within ${this.#timeoutMs / 1000} s`);
      });
      const ended = once(worker, 'exit', { signal }).then(() => {
        throw new Error('PDFium ended in the middle of it');
      });
      const [answer]: PdfiumAnswer[] = await Promise.race([once(worker, 'message', { signal }), late, ended]);
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

/** Fonts and images of a large print take some of it; what takes all of it is made to. */
const MOST_MEMORY = 512 << 20;

const { resolve } = createRequire(import.meta.url);
let compiling: Promise<WebAssembly.Module> | null = null;

async function startWorker(): Promise<Worker> {
  compiling ??= readFile(resolve('@embedpdf/pdfium/pdfium.wasm')).then((wasm) => WebAssembly.compile(wasm));
  const workerData: PdfiumStart = { from: import.meta.url, compiled: await compiling, mostMemory: MOST_MEMORY };
  const worker = new Worker(`(${servePdfium})()`, { eval: true, workerData, stdout: true, stderr: true });
  worker.on('error', () => {}); // Whoever waits hears of its end.
  worker.unref();
  return worker;
}

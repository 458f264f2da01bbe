import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { messageOf, type Size } from '../../model/index.js';
import { WorkerClient, WorkerError } from '../worker-client.js';

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

/** A response of the worker. If it answers with an error instead, it is not usable any more. */
export type PdfiumResponse =
  /** The number of pages, and the sizes of the first `maxPages` in points. */
  | { readonly kind: 'opened'; readonly pages: number; readonly sizes: readonly Size[] }
  /** RGBA on white. */
  | { readonly kind: 'drawn'; readonly data: Uint8Array<ArrayBuffer> }
  /** This PDF cannot be drawn. */
  | { readonly kind: 'failed'; readonly reason: string };

/** The `workerData` of the worker. */
export interface PdfiumWorkerData {
  readonly compiled: WebAssembly.Module;
  readonly maxMemoryBytes: number;
}

/** In bytes. Fonts and images of a large document need a part of it. Only malicious files need all of it. */
const MAX_MEMORY_BYTES = 512 << 20;

/** The worker that draws PDFs, with its one open PDF. The first request starts it. */
export class PdfiumThread {
  readonly #timeoutMs: number;
  #client: Promise<WorkerClient<PdfiumRequest, PdfiumResponse>> | null = null;

  /** @param timeoutMs - limit for one response, after which the worker is terminated */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Opens a PDF and closes the previous one. @throws Error with the reason when it cannot be opened */
  async open(bytes: Uint8Array, maxPages: number): Promise<PdfiumResponse & { kind: 'opened' }> {
    const answer = await this.#ask({ kind: 'open', bytes, maxPages });
    if (answer.kind === 'opened') return answer;
    throw new Error(answer.kind === 'failed' ? answer.reason : answer.kind);
  }

  /** Draws some rows of a page that is scaled to `size`, as RGBA. @throws Error with the reason when they cannot be drawn */
  async draw(page: number, size: Size, top: number, height: number): Promise<Uint8Array> {
    const answer = await this.#ask({ kind: 'draw', page, size, top, height });
    if (answer.kind === 'drawn') return answer.data;
    throw new Error(answer.kind === 'failed' ? answer.reason : answer.kind);
  }

  async #ask(request: PdfiumRequest): Promise<PdfiumResponse> {
    this.#client ??= this.#create();
    const client = await this.#client;
    return client.ask(request).catch(async (cause: unknown) => {
      await client.close();
      if (!(cause instanceof WorkerError)) throw new Error(`PDFium failed: ${messageOf(cause)}`);
      const isLate = cause.reason === 'timeout';
      const why = isLate ? `did not respond within ${this.#timeoutMs / 1000} s` : 'exited before it responded';
      throw new Error(`PDFium ${why}`);
    });
  }

  async #create(): Promise<WorkerClient<PdfiumRequest, PdfiumResponse>> {
    const wasm = await readFile(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'));
    // Compiled here, so that a worker that replaces another one does not compile it again.
    const compiled = await WebAssembly.compile(wasm);
    const workerData: PdfiumWorkerData = { compiled, maxMemoryBytes: MAX_MEMORY_BYTES };
    return new WorkerClient('pdf-thread', { workerData, timeoutMs: this.#timeoutMs });
  }
}

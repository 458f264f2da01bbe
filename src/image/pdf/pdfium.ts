import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Size } from '../../model/index.js';
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
  readonly compiled: WebAssembly.Module;
  readonly maxMemoryBytes: number;
}

/**
 * The worker that draws PDFs, with its one open PDF. The first request starts it. A failure or `close` ends it.
 */
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
    const client = await this.#client;
    await client?.close();
  }

  async #ask(request: PdfiumRequest): Promise<PdfiumResponse> {
    this.#client ??= createClient(this.#timeoutMs);
    const client = await this.#client;
    const answer = await client.ask(request).catch((cause: unknown) => {
      throw new Error(this.#whyUnanswered(cause));
    });
    if (answer.kind !== 'failed') return answer;
    if (answer.broken) await this.close();
    throw new Error(answer.reason);
  }

  #whyUnanswered(cause: unknown): string {
    const isLate = cause instanceof WorkerError && cause.reason === 'timeout';
    return isLate ? `PDFium did not respond within ${this.#timeoutMs / 1000} s` : 'PDFium exited before it responded';
  }
}

/** In bytes. Fonts and images of a large document need a part of it. Only malicious files need all of it. */
const MAX_MEMORY_BYTES = 512 << 20;

async function createClient(timeoutMs: number): Promise<WorkerClient<PdfiumRequest, PdfiumResponse>> {
  const wasm = await readFile(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'));
  // Compiled here, so that a worker that replaces another one does not compile it again.
  const compiled = await WebAssembly.compile(wasm);
  const workerData: PdfiumWorkerData = { compiled, maxMemoryBytes: MAX_MEMORY_BYTES };
  return new WorkerClient('pdf-thread', { workerData, timeoutMs });
}

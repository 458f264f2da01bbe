import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Size } from '../model/image.js';
import { type PdfiumAnswer, type PdfiumQuestion, type PdfiumStart, servePdfium } from './pdfium.js';

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

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parentPort, type TransferListItem, Worker } from 'node:worker_threads';

/** The message of a request, and of its response. Responses may arrive in another order than their requests. */
interface Message<Content> {
  readonly number: number;
  readonly content: Content;
}

/** No response came: the worker could not start, ended, or took longer than the time limit. */
export class WorkerError extends Error {
  constructor(readonly reason: 'lost' | 'timeout') {
    super(reason === 'lost' ? 'the worker exited before it responded' : 'the worker did not respond in time');
  }
}

interface WorkerOptions {
  readonly workerData?: unknown;
  /** The time limit of one response, after which the worker is terminated. Default: none. */
  readonly timeoutMs?: number;
}

interface Pending<Response> {
  resolve(response: Response): void;
  reject(error: WorkerError): void;
}

/**
 * Sends requests to a worker thread, which {@link serveRequests} answers. The first request starts the worker, as does the first
 * request after it ended. It keeps Node alive only while a response is pending.
 */
export class WorkerClient<Request, Response> {
  readonly #entry: string;
  readonly #options: WorkerOptions;
  #running: { readonly worker: Worker; readonly pending: Map<number, Pending<Response>> } | null = null;
  #requestCount = 0;

  /** @param entry - the name of the entry file in `dist`, without its extension */
  constructor(entry: string, options: WorkerOptions = {}) {
    this.#entry = entry;
    this.#options = options;
  }

  /** Sends a request, and returns its response. @throws WorkerError */
  async ask(content: Request): Promise<Response> {
    const message: Message<Request> = { number: this.#requestCount++, content };
    const { worker, pending } = this.#start(message);
    worker.ref();
    const { timeoutMs } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Response>((resolve, reject) => {
        pending.set(message.number, { resolve, reject });
        if (timeoutMs === undefined) return;
        timer = setTimeout(() => {
          reject(new WorkerError('timeout'));
          void this.close();
        }, timeoutMs);
      });
    } finally {
      clearTimeout(timer);
      pending.delete(message.number);
      if (pending.size === 0) worker.unref();
    }
  }

  /** Terminates the worker, if it runs. Pending requests fail as lost. */
  async close(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.worker.terminate();
  }

  /** Posts a message to the worker, which starts if it does not run. */
  #start(message: Message<Request>) {
    try {
      this.#running ??= this.#startWorker();
      this.#running.worker.postMessage(message);
      return this.#running;
    } catch {
      throw new WorkerError('lost');
    }
  }

  #startWorker() {
    // The worker does not inherit the flags of this process: a test runner's loader would transform every module it loads.
    const { workerData } = this.#options;
    const worker = new Worker(pathOf(this.#entry), { workerData, execArgv: [], stdout: true, stderr: true });
    const running = { worker, pending: new Map<number, Pending<Response>>() };
    worker.on('message', ({ number, content }: Message<Response>) => running.pending.get(number)?.resolve(content));
    worker.on('error', () => {}); // The exit handler rejects pending requests.
    worker.on('exit', () => {
      if (this.#running === running) this.#running = null;
      for (const { reject } of running.pending.values()) reject(new WorkerError('lost'));
    });
    return running;
  }
}

/** Resolves the package by its own name, which works from `src/` (where tests run) and from `dist/`. */
function pathOf(entry: string): string {
  const manifest = createRequire(import.meta.url).resolve('proofsheet/package.json');
  return join(manifest, '..', 'dist', `${entry}.js`);
}

/**
 * Answers the requests of a {@link WorkerClient}, in its worker.
 *
 * @param answer - must not throw
 * @param transferOf - returns the buffers of a response that are moved instead of copied
 */
export function serveRequests<Request, Response>(
  answer: (request: Request) => Response | Promise<Response>,
  transferOf: (response: Response) => readonly TransferListItem[] = () => [],
): void {
  parentPort?.on('message', async ({ number, content }: Message<Request>) => {
    const response = await answer(content);
    parentPort?.postMessage({ number, content: response } satisfies Message<Response>, [...transferOf(response)]);
  });
}

/** Restores a Buffer: structured cloning turns it into a Uint8Array. */
export function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

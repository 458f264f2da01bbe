import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parentPort, type TransferListItem, Worker } from 'node:worker_threads';
import { type Problem, ProofsheetError } from '../model/index.js';

interface RequestMessage<Request> {
  readonly number: number;
  readonly request: Request;
}

/** Responses may arrive in another order than their requests. A ProofsheetError is sent as its problem. */
type ResponseMessage<Response> = { readonly number: number } & (
  | { readonly response: Response }
  | { readonly problem: Problem }
  | { readonly error: Error }
);

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
  reject(error: Error): void;
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

  /** Sends a request, and returns its response. @throws WorkerError, and the error with which the worker answered */
  async ask(request: Request): Promise<Response> {
    const message: RequestMessage<Request> = { number: this.#requestCount++, request };
    const { worker, pending } = this.#post(message);
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

  #post(message: RequestMessage<Request>) {
    try {
      this.#running ??= this.#start();
      this.#running.worker.postMessage(message);
      return this.#running;
    } catch {
      throw new WorkerError('lost');
    }
  }

  #start() {
    // Resolved by the name of the package, which works from `src/` (where tests run) and from `dist/`.
    const manifest = createRequire(import.meta.url).resolve('proofsheet/package.json');
    const path = join(manifest, '..', 'dist', `${this.#entry}.js`);
    const { workerData } = this.#options;
    // The worker does not inherit the flags of this process: a test runner's loader would transform every module it loads.
    const worker = new Worker(path, { workerData, execArgv: [], stdout: true, stderr: true });
    const running = { worker, pending: new Map<number, Pending<Response>>() };
    worker.on('message', (message: ResponseMessage<Response>) => {
      const request = running.pending.get(message.number);
      if ('response' in message) request?.resolve(message.response);
      else request?.reject('problem' in message ? new ProofsheetError(message.problem) : message.error);
    });
    worker.on('error', () => {}); // The exit handler rejects pending requests.
    worker.on('exit', () => {
      if (this.#running === running) this.#running = null;
      for (const { reject } of running.pending.values()) reject(new WorkerError('lost'));
    });
    return running;
  }
}

/**
 * Answers the requests of a {@link WorkerClient}, in its worker. What `answer` throws is thrown by `ask`.
 *
 * @param transferOf - returns the buffers of a response that are moved instead of copied
 */
export function serveRequests<Request, Response>(
  answer: (request: Request) => Response | Promise<Response>,
  transferOf: (response: Response) => readonly TransferListItem[] = () => [],
): void {
  const post = (message: ResponseMessage<Response>, transfer: readonly TransferListItem[] = []) =>
    parentPort?.postMessage(message, [...transfer]);
  parentPort?.on('message', async ({ number, request }: RequestMessage<Request>) => {
    try {
      const response = await answer(request);
      post({ number, response }, transferOf(response));
    } catch (cause) {
      if (cause instanceof ProofsheetError) post({ number, problem: cause.problem });
      else post({ number, error: cause instanceof Error ? cause : new Error(String(cause)) });
    }
  });
}

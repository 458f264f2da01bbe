import { createRequire } from 'node:module';
import { join } from 'node:path';
import { MessageChannel, type MessagePort, parentPort, type TransferListItem, Worker } from 'node:worker_threads';
import { type Problem, ProofsheetError } from '../model/index.js';

interface RequestMessage<Request> {
  readonly request: Request;
  /** Where the response is sent. */
  readonly port: MessagePort;
}

/** A ProofsheetError is sent as its problem. */
type ResponseMessage<Response> =
  | { readonly response: Response }
  | { readonly problem: Problem }
  | { readonly error: unknown };

/** No response came: the worker could not start, ended, or took longer than the time limit. */
export class WorkerError extends Error {
  constructor(readonly reason: 'lost' | 'timeout') {
    super(`a worker thread gave no response (${reason})`);
  }
}

/**
 * Sends requests to a worker thread, which {@link serveRequests} answers. The first request starts the worker, as does the first
 * request after it ended. It keeps Node alive only while a response is pending.
 */
export class WorkerClient<Request, Response> {
  #worker: Worker | null = null;

  /**
   * @param entry - the name of the entry file in `dist`, without its extension
   * @param timeoutMs - the time limit of one response, after which the worker is terminated. @default none
   */
  constructor(
    private readonly entry: string,
    private readonly timeoutMs: number | null = null,
  ) {}

  /** Sends a request, and returns its response. @throws WorkerError, and the error with which the worker answered */
  async ask(request: Request): Promise<Response> {
    // A channel for each response: it keeps Node alive, and closes when the worker ends.
    const { port1: own, port2: port } = new MessageChannel();
    let timer: NodeJS.Timeout | undefined;
    try {
      const message = await new Promise<ResponseMessage<Response>>((resolve, reject) => {
        own.once('message', resolve).once('close', () => reject(new WorkerError('lost')));
        this.#post({ request, port });
        if (this.timeoutMs === null) return;
        timer = setTimeout(() => {
          reject(new WorkerError('timeout'));
          void this.close();
        }, this.timeoutMs);
      });
      if ('response' in message) return message.response;
      throw 'problem' in message ? new ProofsheetError(message.problem) : message.error;
    } finally {
      clearTimeout(timer);
      own.close();
    }
  }

  /** Terminates the worker, if it runs. Pending requests fail as lost. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #post(message: RequestMessage<Request>): void {
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage(message, [message.port]);
    } catch {
      throw new WorkerError('lost');
    }
  }

  #start(): Worker {
    // Resolved by the name of the package, which works from `src/` (where tests run) and from `dist/`.
    const manifest = createRequire(import.meta.url).resolve('proofsheet/package.json');
    const path = join(manifest, '..', 'dist', `${this.entry}.js`);
    // The worker does not inherit the flags of this process: a test runner's loader would transform every module it loads.
    const worker = new Worker(path, { execArgv: [], stdout: true, stderr: true });
    worker.on('error', () => {}); // Its end closes the channels.
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    worker.unref();
    return worker;
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
  parentPort?.on('message', async ({ request, port }: RequestMessage<Request>) => {
    try {
      const response = await answer(request);
      port.postMessage({ response } satisfies ResponseMessage<Response>, transferOf(response));
    } catch (error) {
      const message = error instanceof ProofsheetError ? { problem: error.problem } : { error };
      port.postMessage(message satisfies ResponseMessage<Response>);
    }
  });
}

import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { type ErrorCode, failure, renderCountOf } from '../model/index.js';
import type { CaptureBrowser } from './captures/capture-browser.js';
import type { Storage } from './storage.js';

/** Settings of the capture service. */
export interface ServiceSettings {
  /** Maximum number of concurrent requests, and of waiting requests. */
  readonly concurrency: number;
  readonly queueLength: number;
  /** Limit for one request in seconds, excluding its time in the queue. */
  readonly timeout: number;
  /** Maximum total number of pixels of the images of one comparison. */
  readonly maxPixels: number;
  /** The model that writes summaries; null: not configured. */
  readonly languageModel: LanguageModel | null;
  /** Seconds to cache an analysis for equal requests; 0: no cache. */
  readonly cacheSeconds: number;
}

/** An OpenAI-compatible server, and how to call it. */
export interface LanguageModel {
  /** Base URL of `/chat/completions`: https://api.openai.com/v1 */
  readonly url: string;
  readonly model: string;
  /** API key; null: the server needs none. */
  readonly key: string | null;
  readonly timeoutMs: number;
}

/** The resources that the calls of a service share. */
export interface CallContext extends Pick<ServiceSettings, 'maxPixels' | 'languageModel'> {
  readonly captures: CaptureBrowser;
  readonly storage: Storage;
  /** Cached analyses as JSON, so that callers share no object; null: no cache. */
  readonly answers: LRUCache<string, string> | null;
}

/** One request in progress. */
export interface Call {
  /** Aborts when the client disconnects or the request times out. */
  readonly signal: AbortSignal;
  /** Returns the absolute URL of a capture link. */
  readonly urlOf: (link: string) => string;
}

/** A valid request that waits for its turn. */
export type Job<Answer> = (context: CallContext, call: Call) => Promise<Answer>;

/** Captures, compares and analyzes pages. Independent of the transport (HTTP, MCP). */
export type Service = ReturnType<typeof createService>;

/** Creates a service. It closes the capture browser. */
export function createService(settings: ServiceSettings & Pick<CallContext, 'captures' | 'storage'>) {
  const { captures, storage, timeout, cacheSeconds } = settings;
  const limits = { max: 200, maxSize: 64 * 1024 * 1024, sizeCalculation: (text: string) => text.length };
  // A lifetime of 0 would be unlimited.
  const answers =
    cacheSeconds === 0 ? null : new LRUCache<string, string>({ ...limits, ttl: cacheSeconds * 1000, ttlResolution: 0 });
  const context: CallContext = { ...settings, answers };
  const queue = createQueue(settings.concurrency, settings.queueLength);
  const { running, waiting, isEnding } = queue;
  let collecting: NodeJS.Timeout | undefined;
  return {
    ...{ running, waiting, isEnding, storage, launches: captures.launches },
    /** Runs a job as soon as a slot is free. @throws ProofsheetError `queue-full`, `service-ending`, `service-timeout` */
    run<Answer>(job: Job<Answer>, call: Call): Promise<Answer> {
      const timedOut = new AbortController();
      const signal = AbortSignal.any([call.signal, timedOut.signal]);
      return queue.run(signal, async () => {
        const found = `the request exceeded the time limit of ${timeout} s`;
        const error = refusal('service-timeout', found, 'Request a smaller capture, or raise --timeout.');
        const timer = setTimeout(() => timedOut.abort(error), timeout * 1000);
        try {
          return await job(context, { ...call, signal });
        } finally {
          clearTimeout(timer);
          collecting = collecting?.refresh() ?? setTimeout(collectGarbage, IDLE_MS).unref();
        }
      });
    },
    /** Refuses new requests, waits for those in progress, and closes the capture browser. */
    async close() {
      await queue.drain();
      clearTimeout(collecting);
      await captures.close();
    },
  };
}

/** Idle time before garbage collection, in milliseconds. Longer than the compare worker caches decoded pixels. */
const IDLE_MS = 7000;

/** Returns the memory of decoded images to the system. V8 itself collects only when it allocates: an idle service would keep it. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect === 'function') collect();
}

/** Time after which an aborted job that does not end releases its slot, in milliseconds. */
const LINGER_MS = 10_000;

/** Creates a queue of `slots` running jobs, and at most `length` waiting ones. */
export function createQueue(slots: number, length: number) {
  const queue = new PQueue({ concurrency: slots });
  const ending = new AbortController();
  const enqueue = <T>(signal: AbortSignal, job: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      // The signal of the library would also end a running job, and free its slot.
      const departure = new AbortController();
      const gone = AbortSignal.any([signal, ending.signal]);
      const leave = () => departure.abort(gone.reason);
      gone.addEventListener('abort', leave, { once: true });
      const run = async () => {
        gone.removeEventListener('abort', leave);
        const ended = job().then(resolve, reject);
        const aborted = new Promise<void>((stop) => {
          signal.addEventListener('abort', () => stop(reject(signal.reason)), { once: true });
        });
        await Promise.race([ended, aborted]);
        if (signal.aborted) await Promise.race([ended, sleep(LINGER_MS, null, { ref: false })]);
      };
      queue.add(run, { signal: departure.signal }).catch(reject);
    });
  return {
    /**
     * Runs a job as soon as a slot is free, in FIFO order. `signal` removes it from the queue, or rejects while it runs: it then keeps
     * its slot until it has ended.
     *
     * @throws ProofsheetError `queue-full`, `service-ending`; the signal's reason; errors of the job.
     */
    async run<T>(signal: AbortSignal, job: () => Promise<T>): Promise<T> {
      signal.throwIfAborted();
      ending.signal.throwIfAborted();
      if (queue.pending >= slots && queue.size >= length)
        throw refusal('queue-full', `the queue is full (${renderCountOf(length, 'request')})`);
      return enqueue(signal, job);
    },
    running: () => queue.pending,
    waiting: () => queue.size,
    isEnding: () => ending.signal.aborted,
    /** Rejects new and waiting jobs, then waits until all running jobs have ended. */
    async drain() {
      ending.abort(refusal('service-ending', 'the service is shutting down'));
      await queue.onIdle();
    },
  };
}

function refusal(code: ErrorCode, found: string, advice = 'Try again in a moment.') {
  return failure(code, 'the service', found, advice);
}

import PQueue from 'p-queue';
import { ProofsheetError, renderCountOf } from '../model/index.js';

/** Limits how many jobs run at a time and how many wait. Rejects all others. */
export interface Queue {
  /**
   * Runs a job as soon as a slot is free, in FIFO order.
   *
   * @param signal removes the job from the queue, or rejects while the job runs.
   * @throws ProofsheetError `queue-full`, `service-ending`; the signal's reason; errors of the job.
   */
  run<T>(signal: AbortSignal, job: () => Promise<T>): Promise<T>;
  running(): number;
  waiting(): number;
  isEnding(): boolean;
  /** Rejects new and waiting jobs, then waits until all running jobs have ended. */
  drain(): Promise<void>;
}

/** Time after which an aborted job that does not end releases its slot, in milliseconds. */
const LINGER_MS = 10_000;

/**
 * Creates a queue.
 *
 * @param slots maximum number of running jobs.
 * @param length maximum number of waiting jobs.
 */
export function createQueue(slots: number, length: number): Queue {
  const queue = new PQueue({ concurrency: slots });
  const waiting = new Set<AbortController>();
  let isEnding = false;
  /** Waits for a slot. A job that was aborted keeps its slot until it has ended. */
  const enqueue = <T>(signal: AbortSignal, job: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const departure = new AbortController();
      const leave = () => departure.abort(signal.reason);
      const stopWaiting = () => {
        waiting.delete(departure);
        signal.removeEventListener('abort', leave);
      };
      waiting.add(departure);
      signal.addEventListener('abort', leave, { once: true });
      const run = async () => {
        stopWaiting();
        const working = job();
        const over = new AbortController();
        const answered = Promise.race([working, abortOf(signal, over.signal)]);
        answered.then(resolve, reject);
        await Promise.allSettled([answered]);
        over.abort();
        await endOf(working, signal);
      };
      queue.add(run, { signal: departure.signal }).catch((error) => {
        stopWaiting();
        reject(error);
      });
    });
  return {
    async run(signal, job) {
      signal.throwIfAborted();
      if (isEnding) throw serviceEnding();
      if (queue.pending >= slots && queue.size >= length) throw queueFull(length);
      return enqueue(signal, job);
    },
    running: () => queue.pending,
    waiting: () => queue.size,
    isEnding: () => isEnding,
    async drain() {
      isEnding = true;
      for (const departure of [...waiting]) departure.abort(serviceEnding());
      await queue.onIdle();
    },
  };
}

/** Rejects when `signal` aborts. `over` removes the listener. */
function abortOf(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true, signal: over });
  });
}

async function endOf(working: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const settled = Promise.allSettled([working]);
  await (signal.aborted ? Promise.race([settled, sleep(LINGER_MS)]) : settled);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

function queueFull(length: number): ProofsheetError {
  return new ProofsheetError({
    code: 'queue-full',
    where: 'the service',
    found: `the queue is full (${renderCountOf(length, 'request')})`,
    advice: 'Try again in a moment.',
  });
}

function serviceEnding(): ProofsheetError {
  return new ProofsheetError({
    code: 'service-ending',
    where: 'the service',
    found: 'the service is shutting down',
    advice: 'Try again in a moment.',
  });
}

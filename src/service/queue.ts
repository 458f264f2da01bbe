import { ProofsheetError } from '../model/errors.js';
import { renderCountOf } from '../model/words.js';

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
  let running = 0;
  let isEnding = false;
  const waiting = new Map<() => void, (reason: unknown) => void>();
  const drained = new Set<() => void>();
  const release = () => {
    running -= 1;
    const [next] = waiting.keys();
    if (next) next();
    else if (running === 0) for (const notify of drained) notify();
  };
  const acquire = async (signal: AbortSignal) => {
    signal.throwIfAborted();
    if (isEnding) throw serviceEnding();
    if (running >= slots) {
      if (waiting.size >= length) throw queueFull(length);
      await waitForSlot(signal);
    } else running += 1;
  };
  const waitForSlot = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const onAbort = () => quit(signal.reason);
      const quit = (reason: unknown) => {
        waiting.delete(begin);
        signal.removeEventListener('abort', onAbort);
        reject(reason);
      };
      const begin = () => {
        waiting.delete(begin);
        signal.removeEventListener('abort', onAbort);
        running += 1;
        resolve();
      };
      waiting.set(begin, quit);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  return {
    async run(signal, job) {
      await acquire(signal);
      const working = job();
      const over = new AbortController();
      try {
        return await Promise.race([working, abortOf(signal, over.signal)]);
      } finally {
        over.abort();
        void endOf(working, signal).then(release);
      }
    },
    running: () => running,
    waiting: () => waiting.size,
    isEnding: () => isEnding,
    async drain() {
      isEnding = true;
      for (const quit of [...waiting.values()]) quit(serviceEnding());
      if (running > 0) await new Promise<void>((resolve) => drained.add(resolve));
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
    found: `all its places are taken, and its queue of ${renderCountOf(length, 'request')} is full`,
    advice: 'Try again in a moment.',
  });
}

function serviceEnding(): ProofsheetError {
  return new ProofsheetError({
    code: 'service-ending',
    where: 'the service',
    found: 'it is being shut down',
    advice: 'Try again in a moment.',
  });
}

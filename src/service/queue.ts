import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { type ErrorCode, ProofsheetError, renderCountOf } from '../model/index.js';

/** Limits how many jobs run at a time and how many wait. Rejects all others. */
export type Queue = ReturnType<typeof createQueue>;

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
        const working = job();
        const aborted = new Promise<never>((_, fail) => {
          signal.addEventListener('abort', () => fail(signal.reason), { once: true });
        });
        const answered = Promise.race([working, aborted]);
        answered.then(resolve, reject);
        await Promise.allSettled([answered]);
        if (signal.aborted) await Promise.race([Promise.allSettled([working]), sleep(LINGER_MS, null, { ref: false })]);
      };
      queue.add(run, { signal: departure.signal }).catch(reject);
    });
  return {
    /**
     * Runs a job as soon as a slot is free, in FIFO order. A job that was aborted keeps its slot until it has ended.
     *
     * @param signal removes the job from the queue, or rejects while the job runs.
     * @throws ProofsheetError `queue-full`, `service-ending`; the signal's reason; errors of the job.
     */
    async run<T>(signal: AbortSignal, job: () => Promise<T>): Promise<T> {
      signal.throwIfAborted();
      ending.signal.throwIfAborted();
      if (queue.pending >= slots && queue.size >= length)
        throw busy('queue-full', `the queue is full (${renderCountOf(length, 'request')})`);
      return enqueue(signal, job);
    },
    running: () => queue.pending,
    waiting: () => queue.size,
    isEnding: () => ending.signal.aborted,
    /** Rejects new and waiting jobs, then waits until all running jobs have ended. */
    async drain() {
      ending.abort(busy('service-ending', 'the service is shutting down'));
      await queue.onIdle();
    },
  };
}

function busy(code: ErrorCode, found: string): ProofsheetError {
  return new ProofsheetError({ code, where: 'the service', found, advice: 'Try again in a moment.' });
}

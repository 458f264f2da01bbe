import { ProofsheetError } from '../model/errors.js';
import { renderCountOf } from '../model/words.js';

/** Lets so many works run at a time, so many wait, and no more come in. */
export interface Queue {
  /**
   * Does a work when its turn has come.
   *
   * @param signal aborted, it gives up its place, whether it waits or runs.
   * @throws ProofsheetError `queue-full`, `service-ending`; the signal's reason; what the work throws.
   */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  running(): number;
  waiting(): number;
  isEnding(): boolean;
  /** Lets nothing in any more, sends away who waits, and waits until all that runs has ended. */
  drain(): Promise<void>;
}

/** How long a work that was aborted keeps its place when it does not end. */
const LINGER_MS = 10_000;

/** Creates a queue. */
export function createQueue(places: number, length: number): Queue {
  let running = 0;
  let isEnding = false;
  const waiting = new Map<() => void, (reason: unknown) => void>();
  const ended = new Set<() => void>();
  const release = () => {
    running -= 1;
    const [next] = waiting.keys();
    if (next) next();
    else if (running === 0) for (const tell of ended) tell();
  };
  const enter = async (signal: AbortSignal) => {
    signal.throwIfAborted();
    if (isEnding) throw serviceEnding();
    if (running >= places) {
      if (waiting.size >= length) throw queueFull(length);
      await turn(signal);
    } else running += 1;
  };
  const turn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => quit(signal.reason);
      const quit = (reason: unknown) => {
        waiting.delete(begin);
        signal.removeEventListener('abort', leave);
        reject(reason);
      };
      const begin = () => {
        waiting.delete(begin);
        signal.removeEventListener('abort', leave);
        running += 1;
        resolve();
      };
      waiting.set(begin, quit);
      signal.addEventListener('abort', leave, { once: true });
    });
  return {
    async run(signal, work) {
      await enter(signal);
      const working = work();
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
      if (running > 0) await new Promise<void>((resolve) => ended.add(resolve));
    },
  };
}

/** Rejects when a signal is aborted, and listens to it until that is of no matter any more. */
function abortOf(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true, signal: over });
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

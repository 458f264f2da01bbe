import type { Timings } from '../../model/index.js';

/**
 * Waits for `work` for at most `ms` milliseconds, then ends as `onTimeout` does: with its value or its error. The work
 * itself is not canceled, and its later error is ignored.
 */
export async function withTimeLimit<T, U>(ms: number, work: Promise<T>, onTimeout: () => U): Promise<T | U> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, expiry.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for `work` for at most `ms` milliseconds. Returns null if it fails or takes longer. */
export function inTime<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const result = work.catch(() => null);
  return withTimeLimit<T | null, null>(ms, result, () => null);
}

/** Watches whether work has ended, with its value or an error. */
export function watchEnd(work: Promise<unknown>): { readonly isEnded: () => boolean; readonly end: Promise<void> } {
  let isEnded = false;
  const note = () => {
    isEnded = true;
  };
  return { isEnded: () => isEnded, end: work.then(note, note) };
}

/** A negative number of milliseconds counts as 0: Node warns of a timer with it. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}

/** Minimum wait that is worth a line, in milliseconds. */
const MIN_WAIT_MS = 10;

export type Stopwatch = ReturnType<typeof createStopwatch>;

export function createStopwatch() {
  const phases = { queue: 0, navigate: 0, screenshot: 0, compare: 0, write: 0 };
  const waits = new Map<string, number>();
  const addWait = (name: string, waitedMs: number) => void waits.set(name, (waits.get(name) ?? 0) + waitedMs);
  return {
    time: <T>(phase: keyof typeof phases, work: Promise<T>): Promise<T> =>
      measure(work, (tookMs) => {
        phases[phase] += tookMs;
      }),
    settle: <T>(name: string, work: Promise<T>): Promise<T> => measure(work, (tookMs) => addWait(name, tookMs)),
    addWait,
    read(): Timings {
      const settle = [...waits]
        .map(([name, sum]) => [name, Math.round(sum)] as const)
        .filter(([, sum]) => sum >= MIN_WAIT_MS);
      const { queue, navigate, screenshot, compare, write } = phases;
      return {
        ...{ queue: Math.round(queue), navigate: Math.round(navigate), settle: Object.fromEntries(settle) },
        ...{ screenshot: Math.round(screenshot), compare: Math.round(compare), write: Math.round(write) },
      };
    },
  };
}

async function measure<T>(work: Promise<T>, add: (tookMs: number) => void): Promise<T> {
  const start = performance.now();
  try {
    return await work;
  } finally {
    add(performance.now() - start);
  }
}

/** A FIFO semaphore weighted by bytes. */
export interface MemorySemaphore {
  /** Runs `work` once `bytes` are available, in call order. Work that needs more than the maximum runs alone. */
  take<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

interface QueuedWork {
  readonly bytes: number;
  readonly start: () => void;
}

/** Creates a semaphore. @param maxBytes - the maximum number of bytes in use at once */
export function createMemorySemaphore(maxBytes: number): MemorySemaphore {
  const queue: QueuedWork[] = [];
  let usedBytes = 0;
  const startNext = () => {
    for (let next = queue[0]; next && (usedBytes === 0 || usedBytes + next.bytes <= maxBytes); next = queue[0]) {
      queue.shift();
      usedBytes += next.bytes;
      next.start();
    }
  };
  return {
    async take(bytes, work) {
      await new Promise<void>((start) => {
        queue.push({ bytes, start });
        startNext();
      });
      try {
        return await work();
      } finally {
        usedBytes -= bytes;
        startNext();
      }
    },
  };
}

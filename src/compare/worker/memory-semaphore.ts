/** Returns turns to what needs memory: as much at once as there is room for. */
export interface MemorySemaphore {
  /** Does something when there is room for `bytes`, first come first served; what needs more than all of it goes alone. */
  take<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/** Creates turns for so many bytes at once. */
export function createMemorySemaphore(mostBytes: number): MemorySemaphore {
  const queue: Waiting[] = [];
  let taken = 0;
  const admit = () => {
    for (let next = queue[0]; next && (taken === 0 || taken + next.bytes <= mostBytes); next = queue[0]) {
      queue.shift();
      taken += next.bytes;
      next.begin();
    }
  };
  return {
    async take(bytes, work) {
      await new Promise<void>((begin) => {
        queue.push({ bytes, begin });
        admit();
      });
      try {
        return await work();
      } finally {
        taken -= bytes;
        admit();
      }
    },
  };
}

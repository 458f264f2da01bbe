/** Returns a buffer of undefined content. Return it with {@link returnBytes}: fresh memory pages take several times as long to write to. */
export function borrowBytes(length: number): Uint8Array<ArrayBuffer> {
  const index = freeBuffers.findIndex(
    ({ byteLength }) => byteLength >= length && byteLength <= MAX_SIZE_FACTOR * length,
  );
  const [buffer] = index < 0 ? [] : freeBuffers.splice(index, 1);
  if (buffer) return new Uint8Array(buffer, 0, length);
  // Frees the largest buffer of the pool, which did not fit. It would only occupy memory.
  freeBuffers.pop();
  return new Uint8Array(new ArrayBuffer(capacityFor(length)), 0, length);
}

/** Adds up to an eighth, so that a slightly taller next image fits. Pages that are not written to take no memory. */
function capacityFor(length: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, length))) - 3);
  return Math.ceil(length / step) * step;
}

export function borrowZeros(length: number): Uint8Array<ArrayBuffer> {
  return borrowBytes(length).fill(0);
}

/** Returns a buffer to the pool. The caller must not use it again. The pool has a maximum size and is cleared after a while. */
export function returnBytes({ buffer }: Uint8Array): void {
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < MIN_POOLED_BUFFER || freeBuffers.includes(buffer)) return;
  const pooledBytes = freeBuffers.reduce((sum, { byteLength }) => sum + byteLength, buffer.byteLength);
  if (pooledBytes > MAX_POOLED_BYTES) return;
  freeBuffers.push(buffer);
  freeBuffers.sort((a, b) => a.byteLength - b.byteLength);
  timer ??= setTimeout(() => freeBuffers.splice(0), POOLED_MS).unref();
  timer.refresh();
}

const freeBuffers: ArrayBuffer[] = [];
let timer: NodeJS.Timeout | null = null;

/** A pooled buffer may be this many times as large as requested. */
const MAX_SIZE_FACTOR = 4;

/** In bytes. Smaller allocations are reused by Node itself. */
const MIN_POOLED_BUFFER = 1 << 20;

/** In bytes: two images of 1280x40000, and their diff image. */
const MAX_POOLED_BYTES = 720 << 20;

const POOLED_MS = 5000;

/** Creates a FIFO semaphore weighted by bytes. */
export function createMemorySemaphore(maxBytes: number) {
  const queue: { readonly bytes: number; readonly start: () => void }[] = [];
  let usedBytes = 0;
  const startNext = () => {
    for (let next = queue[0]; next && (usedBytes === 0 || usedBytes + next.bytes <= maxBytes); next = queue[0]) {
      queue.shift();
      usedBytes += next.bytes;
      next.start();
    }
  };
  return {
    /** Runs `work` once `bytes` are available. Work that needs more than the maximum runs alone. */
    async take<T>(bytes: number, work: () => Promise<T>): Promise<T> {
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
